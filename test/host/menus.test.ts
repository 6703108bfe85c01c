/**
 * Every entry of every menu in the manifest, run with what VS Code passes there, and every command that the palette and keys
 * run with nothing. What each of them is to bring about is told below; a menu or a command that is not is a failure. Of the
 * commands in `runOnly` this shows only that they take what is passed to them: other suites check what they do.
 */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Api } from '../../src/host/extension.ts';
import type { Row } from '../../src/host/tree/rows.ts';
import { addFixture, closeEditors, dismissed, groupsIn, remove, rowsShown, scan, until, uriOf } from './window.ts';

interface MenuEntry {
  /** Absent where a submenu opens. */
  readonly command?: string;
  readonly when?: string;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly keybindings: readonly { readonly command: string }[];
  };
}

const { contributes } = vscode.extensions.getExtension('kindred.kindred')!.packageJSON as Manifest;
const copiesOf = 'shop/src/billing/dates.ts';

suite('every command, with what each of its menus passes', function () {
  this.timeout(240_000);
  let api: Api;

  suiteSetup(async () => {
    await addFixture('shop');
    api = await scan();
  });

  teardown(closeEditors);

  suiteTeardown(async () => {
    // A view that is seen reads the files of its rows.
    await vscode.commands.executeCommand('workbench.view.explorer');
    await vscode.workspace.getConfiguration('kindred').update('view.followEditor', undefined, true);
    await remove('shop');
    await scan();
  });

  /** VS Code's arguments by menu, for each case in which an entry is shown. */
  const menus: Readonly<Record<string, (entry: MenuEntry) => Promise<(readonly unknown[])[]>>> = {
    /** The row that has the focus, and all that are selected when there are several. */
    'view/title': async ({ when = '' }) => {
      const [group, , copy] = rows();
      // With check boxes there is something to work on.
      if (/&& kindred\.checkboxes/.test(when)) return Promise.resolve([[group], [copy, [group, copy]]]);
      // Nothing at all is what the palette passes.
      return Promise.resolve([[null], [copy, [group, copy]]]);
    },
    /** The row, and all that are selected when there are several and it is one of them. */
    'view/item/context': async ({ when = '' }) => {
      if (when.includes('view == references-view.tree')) return [[await foundPlace()]];
      if (when.includes('view == kindred.ignored')) return Promise.resolve([[{ type: 'stale', sources: [] }]]);
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
    /** The document; what is selected in it is read from the editor. */
    'editor/context': async () => {
      await vscode.window.showTextDocument(uriOf(copiesOf), { selection: new vscode.Range(3, 0, 20, 0) });
      return [[uriOf(copiesOf)]];
    },
    /** The document (of a compare the right one), and where the editor is. */
    'editor/title': async () => {
      await vscode.commands.executeCommand('kindred.compareCopies', rows()[0]);
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      assert.ok(activeTab?.input instanceof vscode.TabInputTextDiff);
      return [[activeTab.input.modified, { groupId: 0, editorIndex: 0 }]];
    },
    /** The file or folder, and all that are selected. */
    'kindred.explorer': async ({ when = '' }) => {
      const uri = uriOf(/(?<!!)explorerResourceIsFolder/.test(when) ? 'shop/src/billing' : copiesOf);
      return Promise.resolve([[uri, [uri]]]);
    },
    /** In the context menu of an editor: its document. */
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
    'kindred.nextCopy': () => shown((input) => input instanceof vscode.TabInputText),
    'kindred.previousCopy': () => shown((input) => input instanceof vscode.TabInputText),
    'kindred.compareCopies': () =>
      // For many groups in one editor, VS Code's API provides only its title.
      shown((input) => input instanceof vscode.TabInputTextDiff || activeLabel().startsWith('Two copies of each of 2')),
    'kindred.compareSelected': () => shown((input) => input instanceof vscode.TabInputTextDiff),
    'kindred.explainMatch': () =>
      shown((input) => input instanceof vscode.TabInputText && input.uri.scheme === 'kindred-explain'),
    'kindred.openCopy': () => shown((input) => input instanceof vscode.TabInputText && input.uri.scheme === 'file'),
    // In the view of references, from which F4 goes to the first one.
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
    // The folder is in no repository: a notification says so.
    'kindred.showNewSince': () => nothingFiltered(),
    'kindred.clearFilter': () => nothingFiltered(),
    'kindred.compareFiles': () => shown((input) => input instanceof vscode.TabInputTextDiff),
    'kindred.compareAll': () => shown(() => activeLabel().includes('compared with')),
    'kindred.openBoth': () =>
      until('two files', vscode.window.onDidChangeVisibleTextEditors, () => visibleFiles() === 2 || undefined),
    'kindred.useAsCanonical': () => isOneCanonical(true),
    'kindred.stopUsingAsCanonical': () => isOneCanonical(false),
    'kindred.peekCopies': async () => vscode.commands.executeCommand('closeReferenceSearch'),
    'kindred.extractCopy': () => {
      const { selection } = vscode.window.activeTextEditor!;
      assert.ok(selection.end.line - selection.start.line > 5, 'the copy is selected');
      return undefined;
    },
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
    // Whom it is ignored for, and why, is asked; here everybody turns away.
    'kindred.ignoreGroup': () => nothingIgnored(),
    'kindred.ignorePair': () => nothingIgnored(),
    'kindred.ignoreHere': () => nothingIgnored(),
    'kindred.ignoreFile': async () => {
      const excluded = vscode.workspace.getConfiguration('kindred').get<readonly string[]>('exclude', []);
      assert.match(excluded.join(), /^\/shop\/.*\.ts$/);
      await vscode.workspace
        .getConfiguration('kindred')
        .update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
      await until('the copies', api.findings.onDidChange, () => groupsIn(api, copiesOf)[0]?.passages.length === 3);
    },
    // Which of those around a file is asked; that of the Explorer is known.
    'kindred.ignoreFolder': async () => {
      const configuration = vscode.workspace.getConfiguration('kindred');
      if (configuration.get<readonly string[]>('exclude', []).length === 0) return nothingIgnored();
      assert.match(configuration.get<readonly string[]>('exclude', []).join(), /^\/shop\/src\/billing\/?/);
      await configuration.update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
      return until('the copies', api.findings.onDidChange, () => groupsIn(api, copiesOf)[0]?.passages.length === 3);
    },
    'kindred.unignore': () => nothingIgnored(),
    'kindred.recordBaseline': () => nothingIgnored(),
  };

  function isOneCanonical(wanted: boolean): undefined {
    const isOne = groupsIn(api, copiesOf).some((group) => api.canonicals.chosenIn(group) !== undefined);
    assert.equal(isOne, wanted);
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
      if (command === undefined) continue;
      test(`${menu}: ${command} when ${entry.when ?? 'always'}`, async () => {
        const given = menus[menu];
        assert.ok(given, `What VS Code passes to the commands of ${menu} is not told here.`);
        const cases = await given(entry);
        assert.ok(cases.length > 0, 'no case is known in which it is shown');
        for (const passed of cases) await run(command, passed);
      });
    }
  }

  const hidden = new Set(
    (contributes.menus['commandPalette'] ?? []).filter(({ when }) => when === 'false').map(({ command }) => command),
  );
  const withNothing = [
    ...contributes.commands.map(({ command }) => command).filter((command) => !hidden.has(command)),
    // If a key runs several commands, VS Code's own require the focused list.
    ...contributes.keybindings.map(({ command }) => command).filter((command) => command.startsWith('kindred.')),
  ];
  for (const command of new Set(withNothing)) {
    test(`the palette and keys: ${command}`, async () => {
      const { selection } = await vscode.window.showTextDocument(uriOf(copiesOf), {
        selection: new vscode.Range(5, 0, 5, 0),
      });
      assert.equal(selection.start.line, 5);
      await run(command, []);
    });
  }

  interface Before {
    readonly generation: number;
  }

  async function run(command: string, passed: readonly unknown[]): Promise<void> {
    const outcome = outcomes[command];
    assert.ok(outcome ?? runOnly.has(command), `What ${command} is to bring about is not told here.`);
    const before = { generation: api.findings.snapshot!.generation };
    await vscode.env.clipboard.writeText('');
    const running = vscode.commands.executeCommand(command, ...passed);
    // It asks, and a person turns away.
    if (asking.has(command)) await dismissed(running);
    await running;
    await outcome?.(before);
  }

  /** A group, and its three copies. */
  function rows(): Row[] {
    const [group] = groupsIn(api, copiesOf);
    assert.equal(group.passages.length, 3);
    const row: Row = { type: 'group', group };
    return [row, ...api.tree.getChildren(row)];
  }

  /** Two groups. */
  function groupRows(): Row[] {
    return api.findings.groups.slice(0, 2).map((group) => ({ type: 'group', group }));
  }

  /** Two files of the folder, as if they shared several groups. */
  function filesRow(): Row {
    const paths = ['shop/src/billing/dates.ts', 'shop/src/billing/invoice.ts'] as const;
    const numbers = { lines: [9, 9], shares: [0.5, 0.5], worth: 9 } as const;
    return { type: 'files', files: { paths, ...numbers, groups: ['a', 'b'], category: 'source' } };
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

const asking: ReadonlySet<string> = new Set(
  [
    'groupBy',
    'searchAgain',
    'sortGroups',
    'filter',
    'revealFolder',
    'ignoreGroup',
    'ignorePair',
    'ignoreHere',
    'ignoreFolder',
    'recordBaseline',
    'setOrganisationPassword',
  ].map((name) => `kindred.${name}`),
);

/**
 * Commands that find nothing to act on here (a clipboard, symbols, a database, an edited copy, a compare, a baseline), that
 * the user turns away from, or whose effect VS Code does not tell extensions.
 */
const runOnly: ReadonlySet<string> = new Set(
  [
    ...['cancelScan', 'stopStepping', 'expandAll', 'showInView', 'showLog', 'showExcluded', 'openSettings'],
    ...['findClipboard', 'findSymbol', 'searchAgain', 'revealFolder', 'openBaseline'],
    ...['findSelectionInOrganisation', 'findClipboardInOrganisation', 'findSymbolInOrganisation'],
    ...['setOrganisationPassword', 'forgetOrganisationPassword'],
    ...['alignNames', 'showAsWritten', 'applyToCopies', 'compareEdited', 'dismissEdit'],
  ].map((name) => `kindred.${name}`),
);

function followsEditor(): unknown {
  return vscode.workspace.getConfiguration('kindred').get('view.followEditor');
}

/** Goes to what was found next until that is in another file: the view of references takes a moment to know it. */
async function otherFile(): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    await vscode.commands.executeCommand('references-view.next');
    const path = vscode.window.activeTextEditor?.document.uri.path;
    if (path !== undefined && path !== uriOf(copiesOf).path) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('The view of references leads nowhere.');
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
