/** Offers to rename settings that have older names, in every scope in which the user has set them. */
import * as vscode from 'vscode';
import { announce } from './announce.ts';
import { type Move, movesIn } from './olderSettings.ts';
import { confirmInNotification } from './notifications.ts';
import { inspected } from './settings.ts';

/** Key in the global state. Its value lists the older names for which the offer was made. */
const offeredKey = 'offeredToMove';

interface Place {
  readonly configuration: vscode.WorkspaceConfiguration;
  readonly target: vscode.ConfigurationTarget;
  readonly moves: readonly Move[];
  readonly store: vscode.Memento;
}

/**
 * Makes the offers that were not made before. Resolves after the user has answered.
 *
 * @param confirm  shows a sentence with a button, and returns true if the user clicked it
 */
export async function offerMoves(
  { globalState, workspaceState }: Pick<vscode.ExtensionContext, 'globalState' | 'workspaceState'>,
  confirm: (sentence: string, button: string) => PromiseLike<boolean> = confirmInNotification,
): Promise<void> {
  const places = placesWith(globalState, workspaceState).filter(({ moves }) => moves.length > 0);
  const hasUnofferedMoves = ({ moves, store }: Place): boolean => {
    const offered = store.get<readonly string[]>(offeredKey, []);
    return moves.some(({ from }) => from.some((older) => !offered.includes(older)));
  };
  if (!places.some(hasUnofferedMoves)) return;
  for (const { moves, store } of places) {
    const offered = new Set([...store.get<readonly string[]>(offeredKey, []), ...moves.flatMap(({ from }) => from)]);
    await store.update(offeredKey, [...offered]);
  }
  if (!(await confirm(sentenceFor(places.flatMap(({ moves }) => moves)), vscode.l10n.t('Move')))) return;
  try {
    for (const place of places) await move(place);
    announce(vscode.l10n.t('The settings were renamed.'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('The settings cannot be renamed: {0}', reason));
  }
}

function placesWith(globalState: vscode.Memento, workspaceState: vscode.Memento): Place[] {
  const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
  const [window, set] = [vscode.workspace.getConfiguration('kindred'), inspected(undefined)];
  const folders = vscode.workspace.workspaceFolders ?? [];
  return [
    { configuration: window, target: Global, moves: movesIn(set?.globalValue), store: globalState },
    { configuration: window, target: Workspace, moves: movesIn(set?.workspaceValue), store: workspaceState },
    // In a window without a workspace file, the workspace settings are those of the only folder.
    ...(vscode.workspace.workspaceFile === undefined ? [] : folders).map(({ uri }) => ({
      configuration: vscode.workspace.getConfiguration('kindred', uri),
      target: WorkspaceFolder,
      moves: movesIn(inspected(uri)?.workspaceFolderValue),
      store: workspaceState,
    })),
  ];
}

async function move({ configuration, target, moves }: Place): Promise<void> {
  for (const { from, to, value } of moves) {
    await configuration.update(to, value, target);
    for (const older of from) await configuration.update(older, undefined, target);
  }
}

function sentenceFor(moves: readonly Move[]): string {
  const names = [...new Set(moves.flatMap(({ from, to }) => from.map((older) => `kindred.${older} → kindred.${to}`)))];
  return names.length === 1
    ? vscode.l10n.t('A Kindred setting was renamed: {0}. The old name still works.', names[0]!)
    : vscode.l10n.t(
        '{0} Kindred settings were renamed, such as {1}. The old names still work.',
        names.length,
        names[0]!,
      );
}
