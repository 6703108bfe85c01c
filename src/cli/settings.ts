/**
 * The options in force: defaults, below the configuration file, below the command line. What is out of range is told
 * under the name that the person used, and where.
 */
import path from 'node:path';
import { languageIds } from '../engine/languages/lexicon.ts';
import { checkOptions, defaultOptions, type Options } from '../engine/options.ts';
import { configuredOptions } from '../indexer/configuredOptions.ts';
import { type Boundaries, problemsOfBoundaries } from '../io/boundaries.ts';
import {
  type Configuration,
  findConfiguration,
  keyOf,
  nameFirst,
  problemInConfiguration,
  readConfiguration,
} from '../io/configuration.ts';
import { checkSourceOptions, defaultSourceOptions, type SourceOptions } from '../io/sources.ts';
import type { Problem, ScanArguments } from './scanArguments.ts';

export interface Settings {
  readonly type: 'settings';
  readonly options: Options;
  readonly sources: SourceOptions;
  /** Parts of the tree, for `kindred check --boundaries`; empty without any. */
  readonly boundaries: Boundaries;
}

/** The settings for a scan of `root`, or what is wrong with them. */
export function readSettings(
  given: Pick<ScanArguments, 'configuration' | 'options' | 'sources'> & Partial<Pick<ScanArguments, 'preset'>>,
  root: string,
): Settings | Problem {
  const sources = defaultSourceOptions;
  let settings: Settings = { type: 'settings', options: defaultOptions, sources, boundaries: {} };
  const file = given.configuration ?? findConfiguration(root);
  if (file !== undefined) {
    const shownAs = given.configuration ?? path.basename(file);
    const configuration = readConfiguration(file, shownAs);
    if ('problem' in configuration) return { type: 'problem', problem: configuration.problem };
    // A preset stands for defaults: what the file sets for itself wins over that of the command line, too.
    settings = change(settings, { ...configuration, ...(given.preset && { preset: given.preset }) });
    settings = { ...settings, boundaries: configuration.boundaries ?? {} };
    const [problem] = problemsOf(settings);
    if (problem) return { type: 'problem', problem: problemInConfiguration(problem, configuration).problem };
  } else if (given.preset) settings = change(settings, { preset: given.preset, options: {}, sources: {} });
  settings = change(settings, { options: given.options, sources: given.sources });
  const [problem] = problemsOf(settings);
  return problem ? { type: 'problem', problem: onCommandLine(problem) } : settings;
}

/** The settings in the form of a configuration file. */
export function describeSettings({ options, sources }: Settings): Record<string, unknown> {
  const { maxDistance: k, prose, ...others } = options;
  const { maxDistance: proseDistance, enabled, ...proseOthers } = prose;
  const { maxFileSizeBytes: maxFileSize, overrides, ...sourceOthers } = sources;
  return {
    ...{ k, ...others, prose: { enabled, k: proseDistance, ...proseOthers }, ...sourceOthers, maxFileSize },
    // Reports of trees without any are as they were.
    ...(overrides.length > 0 && { overrides }),
  };
}

function change(settings: Settings, changes: Pick<Configuration, 'preset' | 'options' | 'sources'>): Settings {
  return {
    ...settings,
    options: configuredOptions(settings.options, changes),
    sources: { ...settings.sources, ...changes.sources },
  };
}

/** A problem names its option first: "prose.maxDistance must be …", "include: …". */
function problemsOf({ options, sources, boundaries }: Settings): string[] {
  return [...checkOptions(options), ...checkSourceOptions(sources, languageIds), ...problemsOfBoundaries(boundaries)];
}

function onCommandLine(problem: string): string {
  return problem.replace(nameFirst, (name) => {
    if (name.startsWith('overrides.')) return name.replace(/^overrides\.(\d+)/, '--override');
    if (name.split('.')[0] === 'categories') return name.replace('categories', '--category').replace('.', ' ');
    const [option = '', kind] = name.startsWith('weights.') ? name.split('.') : [keyOf(name).replace('.', '-')];
    const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return kind ? `${flag} ${kind}` : flag;
  });
}
