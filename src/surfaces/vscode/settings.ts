/**
 * Reads the settings `kindred.*`. No other module reads them. Defaults are in package.json, and a test compares them
 * with the engine's defaults. The worker validates the values.
 */
import * as vscode from 'vscode';
import type { DialName } from '../../core/engine/dials.ts';
import type { Options } from '../../core/engine/options.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import type { SourceOptions } from '../../scan/io/sources.ts';
import type { ScanRequest } from '../../session/protocol/messages.ts';
import { movedValues, valueAt } from './olderSettings.ts';

export type Severity = 'off' | 'hint' | 'information' | 'warning' | 'error';

export type Severities = Readonly<Record<Category, Severity>>;

export interface DiagnosticSettings {
  readonly severities: Severities;
  /** If the window has a workspace file, the severities of each folder, by URI; otherwise empty. */
  readonly severitiesInFolders: Readonly<Record<string, Severities>>;
  /** Range that a diagnostic marks: the first line of a passage, or all of it. */
  readonly range: 'firstLine' | 'full';
  /** Files with diagnostics: files that an editor shows, files that are open in a tab, or all. */
  readonly files: 'visible' | 'open' | 'all';
  readonly maxPerFile: number;
  readonly max: number;
}

/** Ways to mark copies in the editor, other than diagnostics. */
export interface EditorSettings {
  /** True if copies are marked at all, by diagnostics or otherwise. */
  readonly marks: boolean;
  readonly show: {
    /** True if the lines of the copy at the cursor are marked. */
    readonly copyRange: boolean;
    readonly hover: boolean;
    readonly gutterIcon: boolean;
    readonly codeLens: boolean;
  };
  /** Way to show that the user has edited a copy but not the others. */
  readonly inconsistentEdits: 'off' | 'hint' | 'information';
}

export interface Settings {
  readonly options: Options;
  /** The preset, and the dials (sensitivity options) that are not set, so that their value comes from the preset. */
  readonly preset: NonNullable<ScanRequest['preset']>;
  /** Number of threads. 0 means one less than the number of cores. */
  readonly workers: number;
  /** Memory limit of a scan in MB. 0 means that only the index's limit of 4 GB applies. */
  readonly memoryMB: number;
  /** Maximum number of files to read from folders that are not on disk. */
  readonly maxVirtualFiles: number;
  /** When to update the findings automatically. */
  readonly run: 'onType' | 'onSave' | 'manual';
  readonly scanOnStartup: 'always' | 'ifIndexed' | 'never';
  readonly diagnostics: DiagnosticSettings;
  readonly editor: EditorSettings;
  readonly statusBar: boolean;
  /** True if the paste widget offers to open an existing copy of the pasted text. */
  readonly offerExistingCopy: boolean;
  /** True to reveal the view when a window opens. */
  readonly showViewOnStartup: boolean;
  /** True to reveal the active editor's copy or file in the tree. */
  readonly followEditor: boolean;
}

export function readSettings(): Settings {
  const read = readerIn(undefined);
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
      // Copy the object: VS Code returns a proxy, which cannot be sent to a thread.
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
    workers: read('workers'),
    memoryMB: Math.floor(bytesOf(read('memory')) / 2 ** 20),
    maxVirtualFiles: read('maxVirtualFiles'),
    run: read('run'),
    scanOnStartup: read('scanOnStartup'),
    diagnostics: {
      severities: readSeverities(read),
      severitiesInFolders: Object.fromEntries(
        // In a window without a workspace file, the settings of the only folder are those of the window.
        vscode.workspace.workspaceFile === undefined
          ? []
          : folders.map(({ uri }) => [uri.toString(), readSeverities(readerIn(uri))]),
      ),
      range: read('diagnostics.range'),
      files: read('diagnostics.files'),
      maxPerFile: read('diagnostics.maxPerFile'),
      max: read('diagnostics.max'),
    },
    editor: {
      marks: read('editor.marks'),
      show: { ...read<EditorSettings['show']>('editor.show') },
      inconsistentEdits: read('editor.inconsistentEdits'),
    },
    statusBar: read('statusBar.enable'),
    offerExistingCopy: read('offerExistingCopy'),
    showViewOnStartup: read('showViewOnStartup'),
    followEditor: read('view.followEditor'),
  };
}

type Reader = <Value>(name: string) => Value;

/**
 * Returns a function that reads a setting under its current and older names.
 *
 * @param folder  folder whose settings to read; `undefined` for those of the window
 */
function readerIn(folder: vscode.Uri | undefined): Reader {
  const configuration = vscode.workspace.getConfiguration('kindred', folder);
  const set = inspected(folder);
  const moved = movedValues([set?.defaultValue, set?.globalValue, set?.workspaceValue, set?.workspaceFolderValue]);
  return <Value>(name: string) => (moved.get(name) ?? configuration.get(name)) as Value;
}

/**
 * Returns the settings of each scope as nested objects. Reads all settings in one call, because each call iterates over
 * all languages.
 */
export function inspected(folder: vscode.Uri | undefined): ReturnType<typeof inspect> {
  return inspect(vscode.workspace.getConfiguration(undefined, folder));
}

function inspect(configuration: vscode.WorkspaceConfiguration) {
  return configuration.inspect<object>('kindred');
}

function readSeverities(read: Reader): Severities {
  // Copy the object, because VS Code returns a proxy.
  return { ...read<Severities>('diagnostics.severities') };
}

/**
 * Converts a size such as "500k" or "1.5 MB" to bytes, with the syntax of configuration files. Returns NaN if the value
 * is invalid.
 */
export function bytesOf(size: unknown): number {
  if (typeof size === 'number') return size;
  const [, amount, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([kmg]?)b?\s*$/i.exec(String(size)) ?? [];
  return Math.round(Number(amount) * 1024 ** ' kmg'.indexOf(unit.toLowerCase()));
}

/** Name of the setting for the folder of the organization's index. */
export const organisationSetting = 'kindred.organisation.index';

/**
 * Returns the folder of the organization's index; `undefined` if not set. Reads only the user settings, because a
 * workspace must not determine which folder is read.
 */
export function readOrganisationFolder(): string | undefined {
  const user = inspected(undefined)?.globalValue;
  const read = (name: string): unknown => movedValues([user]).get(name) ?? valueAt(user, name);
  const value = read('organisation.index');
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Names of the dials: the options that a preset sets. */
const dialNames = Object.keys({
  maxDistance: true,
  minSimilarity: true,
  minTokens: true,
  minLines: true,
  'prose.maxDistance': true,
  'prose.minSimilarity': true,
  'prose.minWords': true,
} satisfies Readonly<Record<DialName, true>>) as DialName[];

/** Returns the dials that are not set in any scope. */
function readUnsetDials(): DialName[] {
  const set = inspected(undefined);
  const names = [set?.globalValue, set?.workspaceValue, set?.workspaceFolderValue].flatMap((values) =>
    entriesOf('', values).map(([name]) => name),
  );
  return dialNames.filter((name) => !names.includes(name));
}

/**
 * Effect of a changed setting: `found` changes the findings; `shown` changes only the display; `later` has no immediate
 * effect.
 */
export type SettingEffect = 'found' | 'shown' | 'later';

export function changedSettings(before: Settings, after: Settings): ReadonlyMap<string, SettingEffect> {
  const [old, now] = [before, after].map((settings) => new Map(entriesOf('', settings)));
  const names = [...now!]
    .filter(([name, value]) => old!.get(name) !== value && !name.startsWith('preset.dials'))
    .map(([name]) => name);
  return new Map(
    names.map((name) => [
      `kindred.${otherNames[name] ?? name.replace(/^options\./, '').replace(/severitiesInFolders\..*\./, 'severities.')}`,
      effectOf(name),
    ]),
  );
}

/** Flattens nested objects to pairs of a dotted name and a value. */
function entriesOf(prefix: string, value: unknown): [name: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[prefix, value]];
  return Object.entries(value).flatMap(([key, inner]) => entriesOf(prefix === '' ? key : `${prefix}.${key}`, inner));
}

const otherNames: Readonly<Record<string, string>> = {
  memoryMB: 'memory',
  'preset.name': 'preset',
  statusBar: 'statusBar.enable',
  followEditor: 'view.followEditor',
};

function effectOf(name: string): SettingEffect {
  // Limits cause files to be skipped, so they affect the findings.
  const isFound = name.startsWith('options.') || ['preset.name', 'memoryMB', 'maxVirtualFiles'].includes(name);
  if (isFound) return 'found';
  return /^(diagnostics|editor)\./.test(name) || name === 'statusBar' ? 'shown' : 'later';
}

/** Returns the diagnostic settings in effect. If marks are turned off, there are no diagnostics. */
export function shownDiagnostics({
  diagnostics,
  editor,
}: Pick<Settings, 'diagnostics' | 'editor'>): DiagnosticSettings {
  if (editor.marks) return diagnostics;
  const off: Severities = {
    source: 'off',
    text: 'off',
    tests: 'off',
    examples: 'off',
    data: 'off',
    boilerplate: 'off',
  };
  return { ...diagnostics, severities: off, severitiesInFolders: {} };
}

/** Returns a folder's settings about which files to compare, and about their categories. */
export function readSources(folder: vscode.Uri): SourceOptions {
  const read = readerIn(folder);
  return {
    include: globs(read('include')),
    exclude: globs(read('exclude')),
    gitignore: read('gitignore'),
    maxFileSizeBytes: bytesOf(read('maxFileSize')),
    generated: read('generated'),
    // Ignore values that are not lists, and unknown categories. VS Code reports them in the settings editor.
    categories: Object.fromEntries(
      Object.entries(read<object | undefined>('categories') ?? {}).map(([name, value]) => [name, globs(value)]),
    ),
    // The last override that matches a file wins. Overrides with globs come last, because they apply to fewer files.
    overrides: [...scopedMinimums(folder), ...plainOverrides(read('overrides'))],
  };
}

/** Minimums that can be set per folder or language. */
const scopedNames = ['minTokens', 'minLines', 'minSimilarity'] as const;

/** Returns overrides for the minimums of a folder and its languages that differ from those of the window. */
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

/** Returns an unvalidated value as plain objects. The worker validates them. */
function plainOverrides(value: unknown): SourceOptions['overrides'] {
  return Array.isArray(value) ? (JSON.parse(JSON.stringify(value)) as SourceOptions['overrides']) : [];
}

/** Returns an unvalidated value as a list of globs. */
function globs(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((glob) => typeof glob === 'string') : [];
}
