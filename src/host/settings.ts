/**
 * The settings `kindred.*`, read in one place and passed on. Their defaults are in package.json, which a test compares
 * with those of the engine; what they mean and which values they may have is checked once, by the worker.
 */
import * as vscode from 'vscode';
import type { DialName } from '../engine/dials.ts';
import type { Options } from '../engine/options.ts';
import type { Category } from '../engine/rows/category.ts';
import type { SourceOptions } from '../io/sources.ts';
import type { ScanRequest } from '../protocol/messages.ts';

export type Severity = 'off' | 'hint' | 'information' | 'warning' | 'error';

/** What the severities of categories are called in the settings: two are older than the categories. */
export const severityNames = {
  source: 'code',
  text: 'prose',
  tests: 'tests',
  examples: 'examples',
  data: 'data',
  boilerplate: 'boilerplate',
} as const satisfies Readonly<Record<Category, string>>;

/** By what is repeated, under the names of the settings. */
export type Severities = Readonly<Record<(typeof severityNames)[Category], Severity>>;

export interface DiagnosticSettings {
  readonly severity: Severities;
  /** Those of folders, by their URIs, in a window with several; else none. */
  readonly severityInFolders: Readonly<Record<string, Severities>>;
  /** What is underlined: the first line of a passage or all of it. */
  readonly range: 'firstLine' | 'full';
  /** Which files get diagnostics: those with a tab, or every one. */
  readonly files: 'open' | 'all';
  readonly maxPerFile: number;
  readonly max: number;
}

/** What is shown of copies in the editor, beside diagnostics. */
export interface EditorSettings {
  /** Whether there are marks at all: diagnostics too. */
  readonly marks: boolean;
  /** The lines of the copy at the cursor. */
  readonly copyRange: boolean;
  readonly hover: boolean;
  readonly gutterIcon: boolean;
  readonly codeLens: boolean;
  /** How it is told that a copy was edited and others were not. */
  readonly inconsistentEdits: 'off' | 'hint' | 'information';
}

export interface Settings {
  readonly options: Options;
  /** The preset, and the options that nobody has set, which it decides. */
  readonly preset: NonNullable<ScanRequest['preset']>;
  /** Threads to use; 0 means one less than the machine has cores. */
  readonly workers: number;
  /** What a scan may take of memory, in MB; 0 means no limit but that of the index, 4 GB. */
  readonly memoryMB: number;
  /** When findings are brought up to date by themselves. */
  readonly run: 'onType' | 'onSave' | 'manual';
  readonly scanOnStartup: 'always' | 'ifIndexed' | 'never';
  readonly diagnostics: DiagnosticSettings;
  readonly editor: EditorSettings;
  readonly statusBar: boolean;
  /** Whether the paste widget offers an existing copy of what is pasted. */
  readonly offerExistingCopy: boolean;
  /** Whether the view is shown when a window opens. */
  readonly showViewOnStartup: boolean;
  /** Whether the tree selects what the active editor is about. */
  readonly followEditor: boolean;
}

/** The settings of the window. */
export function readSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration('kindred');
  const read = <Value>(name: string): Value => configuration.get(name) as Value;
  const folders = vscode.workspace.workspaceFolders ?? [];
  return {
    options: {
      maxDistance: read('maxDistance'),
      shingleSize: read('shingleSize'),
      minTokens: read('minTokens'),
      minLines: read('minLines'),
      minSimilarity: read('minSimilarity'),
      renamed: read('renamed'),
      method: read('method'),
      // VS Code hands out a proxy, which no message to a thread can carry.
      weights: { ...read<Options['weights']>('weights') },
      readComments: read('readComments'),
      prose: {
        enabled: read('prose.enabled'),
        maxDistance: read('prose.maxDistance'),
        shingleSize: read('prose.shingleSize'),
        minWords: read('prose.minWords'),
        minSimilarity: read('prose.minSimilarity'),
      },
    },
    preset: { name: read('preset'), dials: readUnsetDials() },
    workers: read('performance.workers'),
    memoryMB: read('performance.memory'),
    run: read('run'),
    scanOnStartup: read('scanOnStartup'),
    diagnostics: {
      severity: readSeverities(undefined),
      severityInFolders: Object.fromEntries(
        folders.length > 1 ? folders.map(({ uri }) => [uri.toString(), readSeverities(uri)]) : [],
      ),
      range: read('diagnostics.range'),
      files: read('diagnostics.files'),
      maxPerFile: read('diagnostics.maxPerFile'),
      max: read('diagnostics.max'),
    },
    editor: {
      marks: read('editor.marks'),
      copyRange: read('editor.copyRange'),
      hover: read('editor.hover'),
      gutterIcon: read('editor.gutterIcon'),
      codeLens: read('editor.codeLens'),
      inconsistentEdits: read('editor.inconsistentEdits'),
    },
    statusBar: read('statusBar.enable'),
    offerExistingCopy: read('offerExistingCopy'),
    showViewOnStartup: read('showViewOnStartup'),
    followEditor: read('view.followEditor'),
  };
}

/** @param folder  undefined for what holds in the window */
function readSeverities(folder: vscode.Uri | undefined): Severities {
  const configuration = vscode.workspace.getConfiguration('kindred', folder);
  const read = (name: string): Severity => configuration.get(name) as Severity;
  return {
    code: read('diagnostics.severity.code'),
    prose: read('diagnostics.severity.prose'),
    tests: read('diagnostics.severity.tests'),
    examples: read('diagnostics.severity.examples'),
    data: read('diagnostics.severity.data'),
    boilerplate: read('diagnostics.severity.boilerplate'),
  };
}

/**
 * The address of the organisation's index, or of several servers with commas between them; empty when there is none. Only a
 * person's own settings count: a workspace must not decide where texts are sent.
 */
export function readOrganisationDatabase(): string {
  const configuration = vscode.workspace.getConfiguration('kindred');
  const read = (name: string): unknown => configuration.inspect(name)?.globalValue;
  const value = read('organisation.database');
  return typeof value === 'string' ? value.trim() : '';
}

/** The options that a preset has values for. */
const dialNames = Object.keys({
  ...{ maxDistance: true, minSimilarity: true, minTokens: true, minLines: true },
  ...{ 'prose.maxDistance': true, 'prose.minSimilarity': true, 'prose.minWords': true },
} satisfies Readonly<Record<DialName, true>>) as DialName[];

/** Those that nobody has set, in any scope. All are asked for at once: each question goes through every language that has defaults. */
function readUnsetDials(): DialName[] {
  const set = vscode.workspace.getConfiguration().inspect<object>('kindred');
  const names = [set?.globalValue, set?.workspaceValue, set?.workspaceFolderValue].flatMap((values) =>
    entriesOf('', values).map(([name]) => name),
  );
  return dialNames.filter((name) => !names.includes(name));
}

/** What a changed setting calls for: other findings, the same ones shown otherwise, or nothing yet. */
export type SettingEffect = 'found' | 'shown' | 'later';

/** The settings, by their names in VS Code, that are other ones than before, and what they call for. */
export function changedSettings(before: Settings, after: Settings): ReadonlyMap<string, SettingEffect> {
  const [old, now] = [before, after].map((settings) => new Map(entriesOf('', settings)));
  const names = [...now!]
    .filter(([name, value]) => old!.get(name) !== value && !name.startsWith('preset.dials'))
    .map(([name]) => name);
  return new Map(
    names.map((name) => [
      `kindred.${otherNames[name] ?? name.replace(/^options\./, '').replace(/severityInFolders\..*\./, 'severity.')}`,
      effectOf(name),
    ]),
  );
}

/** Plain values by the dots that lead to them. */
function entriesOf(prefix: string, value: unknown): [name: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[prefix, value]];
  return Object.entries(value).flatMap(([key, inner]) => entriesOf(prefix === '' ? key : `${prefix}.${key}`, inner));
}

const otherNames: Readonly<Record<string, string>> = {
  workers: 'performance.workers',
  memoryMB: 'performance.memory',
  'preset.name': 'preset',
  statusBar: 'statusBar.enable',
  followEditor: 'view.followEditor',
};

function effectOf(name: string): SettingEffect {
  // What does not fit into the memory is left out.
  if (name.startsWith('options.') || name === 'preset.name' || name === 'memoryMB') return 'found';
  return /^(diagnostics|editor)\./.test(name) || name === 'statusBar' ? 'shown' : 'later';
}

/** The settings of diagnostics that are in force: without marks, there are none. */
export function shownDiagnostics({
  diagnostics,
  editor,
}: Pick<Settings, 'diagnostics' | 'editor'>): DiagnosticSettings {
  if (editor.marks) return diagnostics;
  const off: Severities = { code: 'off', prose: 'off', tests: 'off', examples: 'off', data: 'off', boilerplate: 'off' };
  return { ...diagnostics, severity: off, severityInFolders: {} };
}

/** What is read of a folder: the settings that a folder may have for itself. */
export function readSources(folder: vscode.Uri): SourceOptions {
  const configuration = vscode.workspace.getConfiguration('kindred', folder);
  const read = <Value>(name: string): Value => configuration.get(name) as Value;
  return {
    include: globs(read('include')),
    exclude: globs(read('exclude')),
    gitignore: read('useGitignore'),
    maxFileSizeBytes: read<number>('maxFileSizeKB') * 1024,
    generated: read('generated'),
    // What is no list is told by VS Code, as that it has no such category.
    categories: Object.fromEntries(
      Object.entries(read<object | undefined>('categories') ?? {}).map(([name, value]) => [name, globs(value)]),
    ),
    // What is said of globs is said of fewer files, and counts more.
    overrides: [...scopedMinimums(folder), ...plainOverrides(read('overrides'))],
  };
}

/** The minimums that a folder, or a language, may have for itself. */
const scopedNames = ['minTokens', 'minLines', 'minSimilarity'] as const;

/** What the settings of a folder and of languages in it say otherwise than those of the window, as overrides. */
function scopedMinimums(folder: vscode.Uri): SourceOptions['overrides'] {
  const [window, here] = [
    vscode.workspace.getConfiguration('kindred'),
    vscode.workspace.getConfiguration('kindred', folder),
  ];
  return scopedNames.flatMap((name) => {
    const value = here.get<number>(name);
    const ofFolder = value === window.get<number>(name) ? [] : [{ files: '**', [name]: value }];
    const ofLanguages = [...(here.inspect(name)?.languageIds ?? [])].sort().map((languageId) => ({
      languages: [languageId],
      [name]: vscode.workspace.getConfiguration('kindred', { uri: folder, languageId }).get<number>(name),
    }));
    return [...ofFolder, ...ofLanguages];
  });
}

/** What was written, in plain objects: the worker says what is wrong with them. */
function plainOverrides(value: unknown): SourceOptions['overrides'] {
  return Array.isArray(value) ? (JSON.parse(JSON.stringify(value)) as SourceOptions['overrides']) : [];
}

/** A plain list, whatever was written into the settings file. */
function globs(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((glob) => typeof glob === 'string') : [];
}
