/**
 * The effect of every entry of every menu in the manifest with the arguments that VS Code passes there, and of every
 * command that only the palette and keys run. A menu or command without an expected effect fails. Another suite checks
 * that every command can be run without arguments (views.test.ts).
 */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Api } from '../../src/surfaces/vscode/activate.ts';
import type { Row } from '../../src/surfaces/vscode/tree/rows.ts';
import { baselineFileName } from '../../src/scan/io/fileNames.ts';
import {
  accepted,
  addFixture,
  closeEditors,
  dismissed,
  eventually,
  groupsIn,
  remove,
  rowsShown,
  scan,
  until,
  uriOf,
  write,
} from './window.ts';

interface MenuEntry {
  /** Absent for a submenu. */
  readonly command?: string;
  readonly when?: string;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
  };
}

const { contributes } = vscode.extensions.getExtension('kindred.kindred')!.packageJSON as Manifest;
const copiesOf = 'shop/src/billing/dates.ts';

/** Commands that ask; the test cancels. */
const cancelled: ReadonlySet<string> = new Set(
  [
    ...['groupBy', 'sortGroups', 'filter', 'ignoreGroup', 'ignorePair', 'ignoreHere', 'ignoreFolder'],
    'recordBaseline',
  ].map((name) => `kindred.${name}`),
);

/** Commands that ask; the test accepts the first answer. */
const answered: ReadonlySet<string> = new Set(['kindred.find', 'kindred.searchAgain', 'kindred.revealFolder']);

/** Commands whose effect other suites check. */
const elsewhere: ReadonlySet<string> = new Set(
  [
    // scan.test.ts
    'cancelScan',
    // views.test.ts
    ...['showInView', 'stopStepping'],
    // copies.test.ts
    ...['extractCopy', 'alignNames', 'showAsWritten', 'compareEdited', 'dismissEdit'],
    // organisation.test.ts
    ...['findSelectionInOrganisation', 'findClipboardInOrganisation', 'findSymbolInOrganisation'],
    // notebooks.test.ts
    'findClipboard',
    // ignored.test.ts, newSince.test.ts
    ...['unignore', 'showNewSince'],
    // test/interface/tree.test.ts, empty.test.ts, siblings.test.ts, editor.test.ts
    ...['expandAll', 'showExcluded', 'applyToCopies', 'showLegend', 'peekCopies'],
  ].map((name) => `kindred.${name}`),
);

suite('commands in menus', () => {
  let api: Api;

  suiteSetup(async () => {
    await addFixture('shop');
    await write(baselineFileName, '{ "kindredBaseline": 1, "entries": [] }\n');
    api = await scan();
  });

  teardown(async () => {
    for (const disposable of disposables.splice(0)) disposable.dispose();
    await closeEditors();
  });

  suiteTeardown(async () => {
    // A visible view reads the files of its rows.
    await vscode.commands.executeCommand('workbench.view.explorer');
    await vscode.workspace.getConfiguration('kindred').update('view.followEditor', undefined, true);
    await remove('shop');
    await remove(baselineFileName);
    await scan();
  });

  /** VS Code's arguments by menu, for each case in which an entry is shown. */
  const menus: Readonly<Record<string, (entry: MenuEntry) => Promise<(readonly unknown[])[]>>> = {
    /** The focused row, and the selected ones if there are several. */
    'view/title': async ({ when = '' }) => {
      if (when.includes('view == references-view.tree')) await foundPlace();
      const [group, , copy] = rows();
      // With check boxes, the command acts on them.
      if (/&& kindred\.checkboxes/.test(when)) return Promise.resolve([[group], [copy, [group, copy]]]);
      // Without a focused row, VS Code passes null.
      return Promise.resolve([[null], [copy, [group, copy]]]);
    },
    /** The row, and the selected ones if it is one of several. */
    'view/item/context': async ({ when = '' }) => {
      if (when.includes('view == references-view.tree')) return [[await foundPlace()]];
      if (when.includes('viewItem == files')) return Promise.resolve([[filesRow()]]);
      if (when.includes('section|folder|file')) return Promise.resolve([[{ type: 'section', name: 'source' }]]);
      const many = groupRows();
      if (/\^group\/ && listMultiSelection/.test(when)) return Promise.resolve([[many[1], many]]);
      if (when.includes('viewItem == folders')) return Promise.resolve([[foldersRow()]]);
      const [group, , second, third] = rows();
      if (/\.canonical\$/.test(when)) return Promise.resolve([[second, undefined]]);
      const single = [
        ...(/viewItem == group|\^\(?group/.test(when) ? [[group, undefined]] : []),
        ...(/viewItem == copy|copy/.test(when) ? [[second, undefined]] : []),
      ];
      const several = /listDoubleSelection/.test(when) || !/listMultiSelection/.test(when);
      const onlyDouble = /&& listDoubleSelection$/.test(when);
      return Promise.resolve([...(onlyDouble ? [] : single), ...(several ? [[third, [second, third]]] : [])]);
    },
    /** The document. The command reads the selection from the editor. */
    'editor/context': async () => {
      await vscode.window.showTextDocument(uriOf(copiesOf), { selection: new vscode.Range(3, 0, 20, 0) });
      return [[uriOf(copiesOf)]];
    },
    /** The document (the right one of a comparison), and the location of the editor. */
    'editor/title': async () => {
      await vscode.commands.executeCommand('kindred.compareCopies', rows()[0]);
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      assert.ok(activeTab?.input instanceof vscode.TabInputTextDiff);
      return [[activeTab.input.modified, { groupId: 0, editorIndex: 0 }]];
    },
    /** The file or folder, and all selected ones. */
    'kindred.explorer': async ({ when = '' }) => {
      const uri = uriOf(/(?<!!)explorerResourceIsFolder/.test(when) ? 'shop/src/billing' : copiesOf);
      return Promise.resolve([[uri, [uri]]]);
    },
    /** The document of the editor. */
    'kindred.menu': async () => {
      const uri = uriOf(copiesOf);
      await vscode.window.showTextDocument(uri, { selection: new vscode.Range(5, 0, 5, 0) });
      return [[uri]];
    },
  };

  /** Expected effect of each command in any menu if there is a copy. */
  const outcomes: Readonly<Record<string, (before: Before) => Promise<unknown> | undefined>> = {
    'kindred.scanWorkspace': ({ generation }) => newerThan(generation),
    'kindred.restart': ({ generation }) => newerThan(generation),
    'kindred.rebuildIndex': ({ generation }) => newerThan(generation),
    'kindred.nextCopy': () => otherCopy(),
    'kindred.previousCopy': () => otherCopy(),
    'kindred.compareCopies': () =>
      // For many groups in one editor, VS Code's API provides only its title.
      shown((input) => input instanceof vscode.TabInputTextDiff || activeLabel().startsWith('Two copies of each of 2')),
    'kindred.compareSelected': () => shown((input) => input instanceof vscode.TabInputTextDiff),
    'kindred.explainMatch': () =>
      shown((input) => input instanceof vscode.TabInputCustom && input.uri.scheme === 'kindred-explain'),
    'kindred.openCopy': () => shown((input) => input instanceof vscode.TabInputText && input.uri.scheme === 'file'),
    // The view of references opens the next result.
    'kindred.findSelection': () => otherFile(),
    'kindred.compareFound': () =>
      shown(
        (input) =>
          input instanceof vscode.TabInputTextDiff &&
          activeLabel().startsWith('the selection ↔ ') &&
          input.original.scheme === 'kindred',
      ),
    'kindred.copyLocations': async () => {
      assert.match(await vscode.env.clipboard.readText(), /^shop\/.+:\d+-\d+/);
    },
    'kindred.copyBrief': async () => {
      assert.match(await vscode.env.clipboard.readText(), /^## .+\n\n.+\n\n- `shop\/.+`/);
    },
    'kindred.tuneToHide': () =>
      shown((input) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('kindredTuning')),
    'kindred.openAll': () => shown((input) => input instanceof vscode.TabInputText && input.uri.scheme === 'file'),
    'kindred.groupBy': async () => Promise.resolve(assert.equal(api.tree.grouping, 'duplicate')),
    'kindred.sortGroups': async () => Promise.resolve(assert.equal(api.tree.order, 'worth')),
    'kindred.showOnly': async () => {
      const { shown: left, all } = api.tree.counts();
      assert.ok(left > 0 && left < all, `${left} of ${all}`);
      await vscode.commands.executeCommand('kindred.clearFilter');
    },
    'kindred.showCheckboxes': async () => {
      await Promise.resolve(assert.deepEqual(api.tree.checked(), []));
    },
    'kindred.hideCheckboxes': async () => {
      await Promise.resolve(assert.equal(api.tree.checked(), undefined));
    },
    'kindred.followEditor': async () => {
      await Promise.resolve(assert.equal(followsEditor(), true));
    },
    'kindred.unfollowEditor': async () => {
      await Promise.resolve(assert.equal(followsEditor(), false));
    },
    'kindred.filter': () => nothingFiltered(),
    'kindred.clearFilter': () => nothingFiltered(),
    // The passages are in one editor, of which VS Code's API has only the title.
    'kindred.compareFiles': () =>
      shown((input) => !(input instanceof vscode.TabInputTextDiff) && / ↔ /.test(activeLabel())),
    'kindred.compareAll': () => shown(() => / ↔ \d+ cop(?:y|ies) · /.test(activeLabel())),
    'kindred.openBoth': () =>
      until('two files', vscode.window.onDidChangeVisibleTextEditors, () => visibleFiles() === 2),
    'kindred.useAsCanonical': () => isOneCanonical(true),
    'kindred.stopUsingAsCanonical': () => isOneCanonical(false),
    'kindred.hideMarks': async () => {
      assert.equal(marks().get('marks'), false);
      await marks().update('marks', undefined, vscode.ConfigurationTarget.Global);
    },
    'kindred.showMarks': async () => {
      assert.equal(marks().get('marks'), true);
      await marks().update('marks', undefined, vscode.ConfigurationTarget.Global);
    },
    'kindred.tune': () =>
      shown((input) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('kindredTuning')),
    'kindred.showMap': () =>
      shown((input) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('kindred.map')),
    'kindred.createConfiguration': async () => {
      await shown((input) => input instanceof vscode.TabInputText && input.uri.path.endsWith('/.kindredrc.jsonc'));
      const { document } = vscode.window.activeTextEditor!;
      assert.match(document.getText(), /^ {2}\/\/ "minTokens": 50,$/m);
      await vscode.workspace.fs.delete(document.uri);
    },
    // These ask for scope and reason; the test cancels.
    'kindred.ignoreGroup': () => nothingIgnored(),
    'kindred.ignorePair': () => nothingIgnored(),
    'kindred.ignoreHere': () => nothingIgnored(),
    'kindred.ignoreFile': async () => {
      const excluded = vscode.workspace.getConfiguration('kindred').get<readonly string[]>('exclude', []);
      assert.match(excluded.join(), /^\/shop\/.*\.ts$/);
      await withFewerCopies();
      await vscode.workspace
        .getConfiguration('kindred')
        .update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
      await until('the copies', api.findings.onDidChange, () => groupsIn(api, copiesOf)[0]?.passages.length === 3);
    },
    // For a file, it asks for one of its parent folders, except in the Explorer.
    'kindred.ignoreFolder': async ({ passed }) => {
      const configuration = vscode.workspace.getConfiguration('kindred');
      if (!isOfExplorer(passed)) return nothingIgnored();
      assert.match(configuration.get<readonly string[]>('exclude', []).join(), /^\/shop\/src\/billing\/?/);
      await withFewerCopies();
      await configuration.update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
      return until('the copies', api.findings.onDidChange, () => groupsIn(api, copiesOf)[0]?.passages.length === 3);
    },
    'kindred.recordBaseline': () => nothingIgnored(),
    'kindred.openBaseline': () =>
      shown((input) => input instanceof vscode.TabInputText && input.uri.path.endsWith(`/${baselineFileName}`)),
    'kindred.openSettings': () => shown(() => activeLabel() === 'Settings'),
    'kindred.showLog': async () => {
      const isLog = ({ document }: vscode.TextEditor): boolean => /^output:.*kindred/i.test(document.uri.toString());
      await until('the log', vscode.window.onDidChangeVisibleTextEditors, () =>
        vscode.window.visibleTextEditors.some(isLog),
      );
      await vscode.commands.executeCommand('workbench.action.closePanel');
    },
    'kindred.revealFolder': async () => {
      await vscode.commands.executeCommand('copyFilePath');
      assert.equal(await vscode.env.clipboard.readText(), uriOf('shop/src').fsPath);
    },
    'kindred.searchAgain': () => otherFile(),
    // With the cursor alone, the first answer is the symbol.
    'kindred.find': () => otherFile(),
  };

  /** Preparations without which some commands have no effect. */
  const preparations: Readonly<Record<string, () => unknown>> = {
    'kindred.followEditor': () => vscode.workspace.getConfiguration('kindred').update('view.followEditor', false, true),
    'kindred.unfollowEditor': () =>
      vscode.workspace.getConfiguration('kindred').update('view.followEditor', true, true),
    'kindred.showCheckboxes': () => vscode.commands.executeCommand('kindred.hideCheckboxes'),
    'kindred.hideCheckboxes': () => vscode.commands.executeCommand('kindred.showCheckboxes'),
    'kindred.showMarks': () => marks().update('marks', false, vscode.ConfigurationTarget.Global),
    'kindred.clearFilter': async () => {
      await vscode.commands.executeCommand('kindred.showOnly', { type: 'section', name: 'source' });
      assert.equal(api.filter.active.length, 1);
    },
    'kindred.find': () => {
      const { languages, SymbolKind } = vscode;
      const range = new vscode.Range(3, 0, 20, 0);
      const provider = languages.registerDocumentSymbolProvider(
        { pattern: `**/${copiesOf}` },
        { provideDocumentSymbols: () => [new vscode.DocumentSymbol('copy', '', SymbolKind.Function, range, range)] },
      );
      disposables.push(provider);
    },
  };
  const disposables: vscode.Disposable[] = [];

  function isOneCanonical(expected: boolean): undefined {
    const isOne = groupsIn(api, copiesOf).some((group) => api.canonicals.chosenIn(group) !== undefined);
    assert.equal(isOne, expected);
  }

  /** Waits until a file with a copy is excluded. Its end could otherwise come after the exclusion is removed. */
  function withFewerCopies(): Promise<unknown> {
    return until('the exclusion', api.findings.onDidChange, () => {
      const [group] = groupsIn(api, copiesOf);
      return group === undefined || group.passages.length < 3;
    });
  }

  function nothingFiltered(): undefined {
    assert.deepEqual(api.filter.active, []);
    return undefined;
  }

  function nothingIgnored(): undefined {
    assert.deepEqual(api.findings.snapshot!.judgement.sources, []);
    return undefined;
  }

  for (const [menu, entries] of Object.entries(contributes.menus)) {
    if (menu === 'commandPalette') continue;
    for (const entry of entries) {
      const { command } = entry;
      if (command === undefined || elsewhere.has(command)) continue;
      test(`${menu}: ${command} when ${entry.when ?? 'always'}`, async () => {
        const argumentsOf = menus[menu];
        assert.ok(argumentsOf, `This test does not know the arguments of the commands of ${menu}.`);
        const cases = await argumentsOf(entry);
        assert.ok(cases.length > 0, 'This test knows no case in which the entry is shown.');
        for (const [index, passed] of cases.entries()) {
          // Otherwise the first case could have the effect that the second one is expected to have.
          if (index > 0) await closeEditors();
          await run(command, passed);
        }
      });
    }
  }

  const { commandPalette = [], ...otherMenus } = contributes.menus;
  const inMenus = new Set(Object.values(otherMenus).flatMap((entries) => entries.map(({ command }) => command)));
  const hidden = new Set(commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));
  for (const { command } of contributes.commands) {
    if (inMenus.has(command) || hidden.has(command) || elsewhere.has(command)) continue;
    test(`the palette: ${command}`, async () => {
      await vscode.window.showTextDocument(uriOf(copiesOf), { selection: new vscode.Range(5, 0, 5, 0) });
      await run(command, []);
    });
  }

  interface Before {
    readonly generation: number;
    /** Arguments of the command. */
    readonly passed: readonly unknown[];
  }

  async function run(command: string, passed: readonly unknown[]): Promise<void> {
    const outcome = outcomes[command];
    assert.ok(outcome, `This test does not know the effect of ${command}.`);
    await preparations[command]?.();
    const before = { generation: api.findings.snapshot!.generation, passed };
    await vscode.env.clipboard.writeText('');
    if (cancelled.has(command) && !isOfExplorer(passed)) await prompted(command, passed, dismissed);
    else if (answered.has(command)) await prompted(command, passed, accepted);
    else await vscode.commands.executeCommand(command, ...passed);
    await outcome(before);
  }

  /** Returns the rows of a group and its three copies. */
  function rows(): Row[] {
    const [group] = groupsIn(api, copiesOf);
    assert.equal(group.passages.length, 3);
    const row: Row = { type: 'group', group };
    return [row, ...api.tree.getChildren(row)];
  }

  /** Returns the rows of two groups. */
  function groupRows(): Row[] {
    return api.findings.groups.slice(0, 2).map((group) => ({ type: 'group', group }));
  }

  /** Returns a row of two files that share several groups. */
  function filesRow(): Row {
    const paths = ['shop/src/billing/dates.ts', 'shop/src/reports/period.ts'] as const;
    const numbers = { lines: [9, 9], shares: [0.5, 0.5], worth: 9 } as const;
    const groups = groupsIn(api, paths[0]).map(({ id }) => id);
    return { type: 'files', files: { paths, ...numbers, groups, category: 'source' } };
  }

  async function foundPlace(): Promise<unknown> {
    await vscode.window.showTextDocument(uriOf(copiesOf), { selection: new vscode.Range(3, 0, 20, 0) });
    const [row] = await rowsShown(() => vscode.commands.executeCommand('kindred.findSelection'));
    return row.place;
  }

  function foldersRow(): Row {
    const numbers = { files: [2, 2], alike: [2, 2], lines: [9, 9], shares: [1, 1], passages: 4, worth: 9 };
    return {
      type: 'folders',
      folders: { paths: ['shop/src', 'shop/docs'], ...numbers, groups: ['a'], category: 'source' },
    };
  }

  function newerThan(generation: number): Promise<unknown> {
    return until('newer findings', api.findings.onDidChange, () => api.findings.snapshot!.generation > generation);
  }
});

/** Returns true for the arguments of a command in the Explorer, where it does not ask for a folder. */
function isOfExplorer([, selected]: readonly unknown[]): boolean {
  return Array.isArray(selected) && selected[0] instanceof vscode.Uri;
}

/** Runs a command and answers its prompts. Fails unless it shows a prompt, and ends only after each one is closed. */
async function prompted(
  command: string,
  passed: readonly unknown[],
  answer: (running: Thenable<unknown>) => Promise<void>,
): Promise<void> {
  const { window } = vscode;
  const { showQuickPick, showInputBox, createQuickPick } = window;
  let openPrompts = 0;
  let isOpen = false;
  const opened = new Promise<boolean>((resolve) => {
    const waiting =
      (show: (...options: never[]) => Thenable<unknown>) =>
      async (...options: never[]): Promise<unknown> => {
        openPrompts++;
        resolve(true);
        return Promise.resolve(show(...options)).finally(() => openPrompts--);
      };
    window.showQuickPick = waiting(showQuickPick) as never;
    window.showInputBox = waiting(showInputBox) as never;
    window.createQuickPick = (() => {
      const pick = createQuickPick();
      openPrompts++;
      resolve(true);
      pick.onDidHide(() => openPrompts--);
      return pick;
    }) as never;
  });
  try {
    const running = Promise.resolve(vscode.commands.executeCommand(command, ...passed));
    const ended = running.then(() => (isOpen = openPrompts > 0));
    assert.ok(await Promise.race([opened, ended.then(() => false)]), `${command} has ended without a question.`);
    await answer(running);
    await ended;
    assert.ok(!isOpen, `${command} has not waited for the answer.`);
  } finally {
    Object.assign(window, { showQuickPick, showInputBox, createQuickPick });
  }
}

function followsEditor(): unknown {
  return vscode.workspace.getConfiguration('kindred').get('view.followEditor');
}

/** Opens the next result, repeatedly until the view of references shows one in another file. */
function otherFile(): Promise<void> {
  return eventually(async () => {
    await vscode.commands.executeCommand('references-view.next');
    const own = uriOf(copiesOf).path;
    assert.notEqual(vscode.window.activeTextEditor?.document.uri.path ?? own, own);
  });
}

/** Waits for an editor of another file. */
function otherCopy(): Promise<unknown> {
  const own = uriOf(copiesOf).path;
  return until('the other copy', vscode.window.onDidChangeActiveTextEditor, () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputText && input.uri.scheme === 'file' && input.uri.path !== own;
  });
}

function activeLabel(): string {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
}

function visibleFiles(): number {
  return vscode.window.visibleTextEditors.filter(({ document }) => document.uri.scheme === 'file').length;
}

function marks(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('kindred.editor');
}

function shown(isIt: (input: unknown) => boolean): Promise<unknown> {
  const { tabGroups } = vscode.window;
  return until('the editor', tabGroups.onDidChangeTabs, () => isIt(tabGroups.activeTabGroup.activeTab?.input));
}
