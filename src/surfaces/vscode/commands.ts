/**
 * Collects the command handlers of all features. Users can invoke any command at any time, even if menus hide it. So
 * each handler checks its preconditions, and shows a message if one is not met.
 */
import * as vscode from 'vscode';
import { type ChoiceParts, Choices, chosenBy, type Handlers } from './choices.ts';
import { compareCommands } from './editor/compareCommands.ts';
import { editorCommands, type EditorTargets } from './editor/editorCommands.ts';
import { excludeCommands } from './ignored/excludeCommands.ts';
import { ignoreCommands, type IgnoreTargets } from './ignored/ignoreCommands.ts';
import type { DuplicationMap } from './map/duplicationMap.ts';
import { mapCommands } from './map/mapCommands.ts';
import { showNotification } from './notifications.ts';
import { similarCommands } from './similar/similarCommands.ts';
import type { OrganisationSearch } from './similar/organisationSearch.ts';
import type { SimilarSearch } from './similar/similarSearch.ts';
import { scanCommands, type ScanTargets } from './status/scanCommands.ts';
import { filterCommands } from './tree/filterCommands.ts';
import { rowCommands, type RowTargets } from './tree/rowCommands.ts';
import { viewCommands } from './tree/viewCommands.ts';
import { tuningCommands, type TuningTargets } from './tuning/tuningCommands.ts';

export interface CommandTargets
  extends ChoiceParts, EditorTargets, IgnoreTargets, RowTargets, ScanTargets, TuningTargets {
  readonly scanner: ScanTargets['scanner'];
  readonly filter: RowTargets['filter'];
  readonly similar: SimilarSearch;
  readonly map: () => Promise<DuplicationMap>;
  readonly organisation: OrganisationSearch;
}

/** Commands that store or change something for all copies of a row. The first rows of a scan do not have all copies. */
const waitingForReport: ReadonlySet<string> = new Set([
  'kindred.applyToCopies',
  'kindred.copyBrief',
  'kindred.extractCopy',
  'kindred.ignoreGroup',
  'kindred.ignoreHere',
  'kindred.ignorePair',
  'kindred.tuneToHide',
  'kindred.useAsCanonical',
]);

function comparingSentence(): string {
  return vscode.l10n.t('The workspace is not completely compared yet. Try again after the scan.');
}

type CommandHandler = (...commandArguments: readonly unknown[]) => unknown;

/** Returns the command handlers by command id. They take the arguments that VS Code passes. */
export function makeCommands(targets: CommandTargets): ReadonlyMap<string, CommandHandler> {
  const { findings } = targets;
  const choices = new Choices(targets);
  const handlers: Handlers = {
    ...scanCommands(targets),
    ...compareCommands(targets, choices),
    ...rowCommands(targets, choices),
    ...viewCommands(targets.tree, targets.view),
    ...filterCommands(targets),
    ...similarCommands(targets.similar, targets.organisation, findings),
    ...editorCommands(targets, choices),
    ...ignoreCommands(targets, choices),
    ...excludeCommands(findings),
    ...tuningCommands(targets, choices),
    ...mapCommands(targets.map),
  };
  return new Map(
    Object.entries(handlers).map(([id, run]): [string, CommandHandler] => [
      id,
      (...commandArguments) => {
        if (findings.areFirst && waitingForReport.has(id)) return showNotification(comparingSentence());
        return run(chosenBy(commandArguments, findings), commandArguments[0], commandArguments);
      },
    ]),
  );
}
