/**
 * Consistency of package.json with the code: limits of settings, conditions, welcome texts, and pictures. Names and
 * defaults are tested in architecture.test.ts.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { visit } from 'jsonc-parser';
import { root } from '../scripts/project.mjs';
import { checkOptions, defaultOptions } from '../src/core/engine/options.ts';
import { tokenKinds } from '../src/core/engine/languages/tokenKind.ts';
import { toolsFor } from '../src/surfaces/tools/tools.ts';
import { categories } from '../src/core/engine/rows/category.ts';
import { parseFileSize } from '../src/scan/io/fileSize.ts';
import { olderNames } from '../src/surfaces/vscode/olderSettings.ts';

interface Setting {
  readonly default: unknown;
  readonly scope: string;
  readonly markdownDescription: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly enum?: readonly string[];
  readonly enumItemLabels?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
}

interface Manifest {
  readonly icon: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly when?: string }[]>>;
    readonly submenus: readonly { readonly id: string }[];
    readonly colors: readonly { readonly id: string }[];
    readonly languages: readonly { readonly id: string }[];
    readonly grammars: readonly { readonly language: string; readonly scopeName: string }[];
    readonly configurationDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly keybindings: readonly {
      readonly command: string;
      readonly args?: { readonly commands: readonly (string | { readonly command: string })[] };
    }[];
    readonly views: Readonly<Record<string, readonly { readonly icon: string }[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly icon: string }[] };
    readonly viewsWelcome: readonly { readonly when: string; readonly contents: string }[];
    readonly mcpServerDefinitionProviders: readonly { readonly when?: string }[];
    readonly languageModelTools: readonly {
      readonly when?: string;
      readonly name: string;
      readonly toolReferenceName: string;
      readonly modelDescription: string;
      readonly inputSchema: unknown;
      readonly canBeReferencedInPrompt: boolean;
    }[];
    readonly chatSkills: readonly { readonly path: string }[];
    readonly configuration: readonly {
      readonly title: string;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
  };
}

/** Tools of the extension, with or without a database, because settings do not change a manifest. */
const tools = toolsFor({ findInOrganisation: () => Promise.resolve(undefined) });

const text = read('package.json');
const { contributes, icon } = JSON.parse(text) as Manifest;
const strings = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
const settings = Object.assign({}, ...contributes.configuration.map(({ properties }) => properties)) as Readonly<
  Record<string, Setting>
>;
const hostSources = readdirSync(path.join(root, 'src/surfaces/vscode'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => read(`src/surfaces/vscode/${name}`));

/** Command that compares with Git. */
const newSince = 'kindred.showNewSince';

suite('manifest', () => {
  test('tools for agents equal those of the server, word for word', () => {
    assert.deepEqual(
      contributes.languageModelTools.map(({ name, modelDescription, inputSchema, canBeReferencedInPrompt }) => ({
        name,
        modelDescription,
        inputSchema,
        canBeReferencedInPrompt,
      })),
      tools.map(({ name, description, input }) => ({
        name: `kindred_${name}`,
        modelDescription: description,
        inputSchema: input,
        canBeReferencedInPrompt: true,
      })),
    );
    const references = contributes.languageModelTools.map(({ toolReferenceName }) => toolReferenceName);
    assert.equal(new Set(references).size, tools.length);
  });

  test('hides what needs a process or Git in a browser', () => {
    const { languageModelTools, mcpServerDefinitionProviders, menus } = contributes;
    const notInBrowser = (when: string | undefined): boolean => when?.split(' && ')[0] === '!kindred.inBrowser';
    assert.deepEqual(
      languageModelTools.filter(({ when }) => notInBrowser(when)).map(({ name }) => name),
      ['kindred_check_changes'],
    );
    assert.ok(mcpServerDefinitionProviders.every(({ when }) => notInBrowser(when)));
    const entries = Object.values(menus).flatMap((all) => all.filter(({ command }) => command === newSince));
    assert.ok(entries.length > 1 && entries.every(({ when }) => notInBrowser(when)), JSON.stringify(entries));
  });

  test('the Command Palette has at most 30 commands, apart from those for a state of the window', () => {
    const conditions = new Map(contributes.menus['commandPalette'].map(({ command, when }) => [command, when]));
    // One of the two switches of marks is shown.
    const isOften = (when = ''): boolean => when === '' || when === 'config.kindred.editor.marks';
    const often = contributes.commands.filter(({ command }) => isOften(conditions.get(command)));
    assert.ok(often.length <= 30, often.map(({ command }) => command).join(', '));
    const inMenus = new Set(
      Object.entries(contributes.menus).flatMap(([menu, entries]) =>
        menu === 'commandPalette' ? [] : entries.map(({ command }) => command),
      ),
    );
    const called = hostSources.join('\n');
    for (const [command, when] of conditions) {
      const isReachable = when !== 'false' || inMenus.has(command) || called.includes(`'${command}'`);
      assert.ok(isReachable, `${command} is nowhere.`);
    }
  });

  test('the skill names every tool that it uses, and no other', () => {
    const [{ path: file }] = contributes.chatSkills;
    const called = [...read(file).matchAll(/`(\w+_\w+)`/g)].map(([, name]) => name);
    assert.deepEqual([...new Set(called)].sort(), tools.map(({ name }) => name).sort());
  });

  test('limits of the settings equal those of the engine', () => {
    const flatDefaults = flat(defaultOptions);
    for (const [name, value] of Object.entries(flatDefaults)) {
      const { minimum, maximum } = settings[`kindred.${name}`];
      if (typeof value !== 'number') continue;
      assert.ok(minimum !== undefined && maximum !== undefined, name);
      const step = Number.isInteger(value) && !name.endsWith('imilarity') ? 1 : 0.01;
      for (const [candidate, good] of [
        [minimum, true],
        [maximum, true],
        [minimum - step, false],
        [maximum + step, false],
      ] as const) {
        const problems = checkOptions(unflat({ ...flatDefaults, [name]: candidate }));
        assert.equal(problems.length === 0, good, `${name} = ${candidate}: ${problems.join(' ')}`);
      }
    }
    const sizes = ['maxFileSize', 'memory'].map((name) => new RegExp(settings[`kindred.${name}`].pattern!));
    for (const size of ['0', '500k', '2mb', '1.5 GB', '1048576', '', 'many', '-1', '2 tb', '1,5mb']) {
      for (const pattern of sizes) assert.equal(pattern.test(size), parseFileSize(size) !== undefined, size);
    }
  });

  test('there is a weight for each kind of token', () => {
    const weights = settings['kindred.weights'] as unknown as { readonly properties: object };
    assert.deepEqual(Object.keys(weights.properties), [...tokenKinds]);
  });

  test('each category accepts globs', () => {
    const globs = settings['kindred.categories'] as unknown as { readonly properties: object };
    assert.deepEqual(Object.keys(globs.properties), [...categories]);
  });

  test('allows the same keys in overrides as the configuration file', () => {
    const keysOf = (schema: unknown): unknown =>
      Object.entries((schema as { items: { properties: Record<string, Partial<Setting>> } }).items.properties).map(
        ([key, { minimum, maximum, enum: choices }]) => [key, minimum, maximum, choices] as const,
      );
    const file = JSON.parse(read('docs/kindredrc.schema.json')) as { properties: Record<string, unknown> };
    assert.deepEqual(keysOf(settings['kindred.overrides']), keysOf(file.properties['overrides']));
  });

  test('there is a severity for each category', () => {
    const severities = settings['kindred.diagnostics.severities'];
    assert.deepEqual(Object.keys(severities.properties!), [...categories]);
    const rare = { tests: 'hint', examples: 'hint', data: 'hint', boilerplate: 'off' };
    assert.deepEqual(severities.default, { source: 'information', text: 'hint', ...rare });
  });

  test('has at most 40 settings, in titled sections of which the last one has rarely needed ones', () => {
    assert.ok(Object.keys(settings).length <= 40, `${Object.keys(settings).length}`);
    const titles = contributes.configuration.map(({ title }) => strings[title.slice(1, -1)]);
    assert.equal(titles.at(-1), 'Advanced');
    assert.equal(new Set(titles).size, titles.length);
  });

  test('an object setting has the defaults of its keys', () => {
    for (const [name, { properties = {}, default: unset }] of Object.entries(settings)) {
      const defaults = Object.entries(properties).flatMap(([key, inner]) =>
        inner.default === undefined ? [] : [[key, inner.default] as const],
      );
      if (defaults.length > 0) assert.deepEqual(unset, Object.fromEntries(defaults), name);
    }
  });

  test('no older name of a setting is in use, and each has a current one', () => {
    for (const { older, name, key } of olderNames) {
      assert.equal(settings[`kindred.${older}`], undefined, older);
      const setting = settings[`kindred.${name}`];
      assert.ok(setting !== undefined && (key === undefined || key in setting.properties!), older);
    }
  });

  test('menus, key bindings, links, and code refer to existing commands', () => {
    const commandIds = new Set(contributes.commands.map(({ command }) => command));
    const links = Object.values(strings).flatMap((string) => [...string.matchAll(/command:(kindred\.\w+)/g)]);
    const used = [
      ...Object.values(contributes.menus)
        .flat()
        .flatMap(({ command }) => command ?? []),
      ...contributes.keybindings
        .flatMap(({ command, args }) => args?.commands ?? [command])
        .map((run) => (typeof run === 'string' ? run : run.command))
        .filter((command) => !command.startsWith('list.')),
      ...links.map(([, command]) => command),
      ...hostSources.flatMap((source) => [...source.matchAll(/'(kindred\.\w+)'/g)].map(([, id]) => id)),
    ];
    // Names that are not commands: context keys, the views, the map, status bar items, the extension, settings and
    // their sections, and colors.
    const keys = [
      'view',
      'scanning',
      'stepping',
      'filtered',
      'checkboxes',
      'fileHasCopies',
      'hasEditedCopy',
      'inBrowser',
      'hasIgnored',
      'hasOrganisation',
      'comparedTogether',
    ].map((key) => `kindred.${key}`);
    const views = ['kindred.groups', 'kindred.file', 'kindred.ignored', 'kindred.map'];
    const names = [...views, 'kindred.status', 'kindred.announcement', 'kindred.kindred', 'kindred.editor'];
    const others = [...keys, ...names, ...Object.keys(settings), ...contributes.colors.map(({ id }) => id)];
    assert.deepEqual(
      [...new Set(used)].filter((id) => !commandIds.has(id) && !others.includes(id)),
      [],
    );
  });

  test('context keys in conditions are set by the code', () => {
    const conditions = [...text.matchAll(/"(?:when|enablement)": "([^"]*)"/g)].map(([, condition]) => condition);
    const used = conditions.flatMap((condition) =>
      [...condition.matchAll(/!?(?<!config\.)\bkindred\.(\w+)/g)].map(([, name]) => name),
    );
    for (const name of new Set(used)) {
      if (name === 'groups') continue;
      assert.ok(
        hostSources.some((source) => source.includes(`'kindred.${name}'`)),
        `nothing sets kindred.${name}`,
      );
    }
  });

  test('conditions refer to existing rows, states, and settings', () => {
    const conditions = [...text.matchAll(/"(?:when|enablement)": "((?:[^"\\]|\\.)*)"/g)].map(
      ([, condition]) => JSON.parse(`"${condition}"`) as string,
    );
    const found = hostSources.flatMap((source) =>
      [...source.matchAll(/contextValue = (?:[^;']*\? )?'([\w.-]+)'(?: : '([\w.-]+)')?/g)].flatMap(([, one, other]) =>
        other === undefined ? [one] : [one, other],
      ),
    );
    // The context value of most rows is their type.
    const types = hostSources
      .filter((source) => source.includes('export type Row ='))
      .flatMap((source) => [...source.matchAll(/readonly type: '(\w+)'/g)].map(([, type]) => type));
    const rows = [...found, ...types].flatMap((row) =>
      ['copy', 'occurrence'].includes(row)
        ? ['', '.base', '.canonical', '.base.canonical'].map((more) => row + more)
        : [row],
    );
    assert.ok(rows.includes('group.many') && rows.includes('kindred-similar') && rows.includes('stale'), rows.join());
    let tested = 0;
    for (const condition of conditions) {
      for (const [, operator, operand] of condition.matchAll(/\bviewItem (==|=~) (\/.*?\/(?= |$)|\S+)/g)) {
        tested++;
        const isMet = (row: string): boolean =>
          operator === '==' ? row === operand : new RegExp(operand.slice(1, -1)).test(row);
        assert.ok(rows.some(isMet), `no row is ${operand}`);
        // Alternatives of a pattern.
        for (const choice of /\^\(([\w|$\\.]+)\)/.exec(operand)?.[1].split('|') ?? []) {
          assert.ok(
            rows.some((row) => new RegExp(`^${choice}`).test(row)),
            `no row is ${choice}`,
          );
        }
      }
      for (const [, name] of condition.matchAll(/\bconfig\.([\w.]+)/g)) assert.ok(settings[name], name);
      for (const [, key, value] of condition.matchAll(/\bkindred\.(file|view) == (\w+)/g)) {
        tested++;
        const setting = hostSources.filter((source) => source.includes(`'kindred.${key}'`));
        assert.ok(
          setting.some((source) => source.includes(`'${value}'`)),
          `nothing sets kindred.${key} to ${value}`,
        );
      }
    }
    assert.ok(tested > 40, `${tested}`);
  });

  test('colors and submenus are used', () => {
    for (const { id } of contributes.colors)
      assert.ok(
        hostSources.some((source) => source.includes(`'${id}'`)),
        id,
      );
    const shown = Object.values(contributes.menus).flat() as readonly { readonly submenu?: string }[];
    assert.deepEqual(
      contributes.submenus.map(({ id }) => id),
      shown.flatMap(({ submenu }) => submenu ?? []),
    );
  });

  test('languages of excerpts differ only in their name and the scope of their grammar', () => {
    const ids = contributes.languages.map(({ id }) => id);
    assert.deepEqual(
      contributes.languages,
      ids.map((id) => ({
        id,
        filenamePatterns: [`**/${id}/*`],
        aliases: [],
        configuration: './media/excerpt.json',
      })),
    );
    const scopes = new Map(contributes.grammars.map(({ language, scopeName }) => [language, scopeName]));
    assert.deepEqual(
      contributes.grammars,
      ids
        .filter((id) => id !== 'kindred-plaintext')
        .map((id) => ({
          language: id,
          scopeName: scopes.get(id),
          path: `./dist/excerpts/${id.slice('kindred-'.length)}.json`,
        })),
    );
  });

  test("excerpts show the line numbers of their files instead of VS Code's, and prose is wrapped on both sides", () => {
    const ids = contributes.languages.map(({ id }) => id);
    assert.deepEqual(contributes.configurationDefaults, {
      [ids.map((id) => `[${id}]`).join('')]: { 'editor.lineNumbers': 'off' },
      // VS Code stops wrapping the left side of a compare that it has shown inline once.
      '[kindred-asciidoc][kindred-markdown][kindred-plaintext][kindred-restructuredtext]': {
        'editor.wordWrap': 'on',
        'diffEditor.useInlineViewWhenSpaceIsLimited': false,
      },
    });
  });

  test('no object has duplicate keys, of which VS Code would only read the last one', () => {
    for (const name of ['package.json', 'package.nls.json']) {
      const objects: Set<string>[] = [];
      visit(readFileSync(path.join(root, name), 'utf8'), {
        onObjectBegin: () => void objects.push(new Set()),
        onObjectEnd: () => void objects.pop(),
        onObjectProperty: (key) => {
          const keys = objects.at(-1)!;
          assert.ok(!keys.has(key), `${name} has two entries ${key} in one object`);
          keys.add(key);
        },
      });
    }
  });

  test('there is a welcome text for every state of an empty view', () => {
    const header = read('src/surfaces/vscode/tree/treeHeader.ts');
    const own = [.../type ViewContent =([^;]*);/.exec(header)![1].matchAll(/'(\w+)'/g)].map(([, state]) => state);
    // If there are rows, no welcome text is shown.
    const states = new Set(own.filter((state) => !['groups', 'trouble'].includes(state)));
    const welcomed = contributes.viewsWelcome.flatMap(({ when }) => /kindred\.view == (\w+)/.exec(when)?.[1] ?? []);
    assert.deepEqual(welcomed.sort(), [...states].sort());
  });

  test('every command has a category, and every option a label and a description', () => {
    assert.deepEqual([...new Set(contributes.commands.map(({ category }) => category))], ['Kindred']);
    for (const [name, setting] of Object.entries(settings)) {
      assert.match(setting.markdownDescription, /^%/, name);
      // A folder must not redirect texts of the user.
      const scopes =
        name === 'kindred.organisation.index'
          ? ['machine']
          : ['window', 'resource', 'language-overridable', 'machine-overridable'];
      assert.ok(scopes.includes(setting.scope), name);
      assert.equal(setting.enumItemLabels?.length, setting.enum?.length, name);
      assert.equal(setting.markdownEnumDescriptions?.length, setting.enum?.length, name);
    }
  });

  test('allows only folder settings for folders', () => {
    const source = readFileSync(path.join(root, 'src/surfaces/vscode/settings.ts'), 'utf8');
    const bodyOf = (name: string): string => source.split(`function ${name}(`)[1].split('\n}\n')[0];
    const minimums = /scopedNames = \[(.*)\]/.exec(source)![1];
    const read = [...`${bodyOf('readSources')}${bodyOf('readSeverities')}`.matchAll(/read(?:<.*?>)?\('([\w.]+)'\)/g)];
    const ofFolders = [...read.map(([, name]) => name), ...[...minimums.matchAll(/'(\w+)'/g)].map(([, name]) => name)];
    assert.ok(ofFolders.includes('exclude') && ofFolders.includes('minLines'));
    const scoped = Object.entries(settings).filter(([, { scope }]) =>
      ['resource', 'language-overridable'].includes(scope),
    );
    assert.deepEqual(scoped.map(([name]) => name).sort(), ofFolders.map((name) => `kindred.${name}`).sort());
  });

  test('its pictures exist', () => {
    const views = Object.values(contributes.views).flat();
    for (const file of [
      icon,
      ...contributes.viewsContainers.activitybar.map((it) => it.icon),
      ...views.map((it) => it.icon),
    ]) {
      assert.ok(existsSync(path.join(root, file)), file);
    }
    const png = readFileSync(path.join(root, icon));
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [128, 128]);
  });
});

/** Flattens options to the names of settings, such as `prose.enabled`, but keeps the weights as an object. */
function flat(options: typeof defaultOptions): Record<string, unknown> {
  const { prose, ...others } = options;
  return { ...others, ...Object.fromEntries(Object.entries(prose).map(([name, value]) => [`prose.${name}`, value])) };
}

function unflat(values: Record<string, unknown>): typeof defaultOptions {
  const prose = Object.entries(values).filter(([name]) => name.startsWith('prose.'));
  const others = Object.entries(values).filter(([name]) => !name.startsWith('prose.'));
  return {
    ...Object.fromEntries(others),
    prose: Object.fromEntries(prose.map(([name, value]) => [name.slice('prose.'.length), value])),
  } as unknown as typeof defaultOptions;
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
