/**
 * Determines the options in effect: the configuration file overrides the defaults, and the command line overrides both.
 * Error messages name the option as the user wrote it, and the file or command line that contains it.
 */
import path from 'node:path';
import { languageIds } from '../../core/engine/languages/allLexicons.ts';
import { checkOptions, defaultOptions, type Options } from '../../core/engine/options.ts';
import { configuredOptions } from '../../scan/indexer/configuredOptions.ts';
import { type Boundaries, problemsOfBoundaries } from '../../scan/io/boundaries.ts';
import { type Configuration, nameFirst, problemInConfiguration } from '../../scan/io/configuration.ts';
import { findConfiguration, readConfiguration } from '../../scan/io/readConfiguration.ts';
import { checkSourceOptions } from '../../scan/io/checkSourceOptions.ts';
import { defaultSourceOptions, type SourceOptions } from '../../scan/io/sources.ts';
import type { Problem, ScanArguments } from './scanArguments.ts';

export interface Settings {
  readonly type: 'settings';
  readonly options: Options;
  readonly sources: SourceOptions;
  /** Named parts of the tree for `kindred check --boundaries`; may be empty. */
  readonly boundaries: Boundaries;
}

/** Returns the settings for scanning `root`, or an error message. */
export function readSettings(
  scanArguments: Pick<ScanArguments, 'configuration' | 'options' | 'sources'> & Partial<Pick<ScanArguments, 'preset'>>,
  root: string,
): Settings | Problem {
  const sources = defaultSourceOptions;
  let settings: Settings = { type: 'settings', options: defaultOptions, sources, boundaries: {} };
  const file = scanArguments.configuration ?? findConfiguration(root);
  if (file !== undefined) {
    const shownAs = scanArguments.configuration ?? path.basename(file);
    const configuration = readConfiguration(file, shownAs);
    if ('problem' in configuration) return { type: 'problem', problem: configuration.problem };
    // A preset replaces the defaults, so the configuration file overrides it, even if the preset is on the command
    // line.
    settings = change(settings, { ...configuration, ...(scanArguments.preset && { preset: scanArguments.preset }) });
    settings = { ...settings, boundaries: configuration.boundaries ?? {} };
    const [problem] = problemsOf(settings);
    if (problem) return { type: 'problem', problem: problemInConfiguration(problem, configuration).problem };
  } else if (scanArguments.preset)
    settings = change(settings, { preset: scanArguments.preset, options: {}, sources: {} });
  settings = change(settings, { options: scanArguments.options, sources: scanArguments.sources });
  const [problem] = problemsOf(settings);
  return problem ? { type: 'problem', problem: onCommandLine(problem) } : settings;
}

/** Returns the settings with the keys of a configuration file. */
export function describeSettings({ options, sources }: Settings): Record<string, unknown> {
  const { maxDistance: k, prose, ...others } = options;
  const { maxDistance: proseDistance, enabled, ...proseOthers } = prose;
  const { maxFileSizeBytes: maxFileSize, overrides, ...sourceOthers } = sources;
  return {
    k,
    ...others,
    prose: { enabled, k: proseDistance, ...proseOthers },
    ...sourceOthers,
    maxFileSize,
    // Omit an empty list, so that reports without overrides did not change when overrides were introduced.
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

/** Validates the settings. Each message begins with the option: "prose.maxDistance must be …", "include: …". */
function problemsOf({ options, sources, boundaries }: Settings): string[] {
  return [...checkOptions(options), ...checkSourceOptions(sources, languageIds), ...problemsOfBoundaries(boundaries)];
}

function onCommandLine(problem: string): string {
  return problem.replace(nameFirst, (name) => {
    if (name.startsWith('overrides.')) return name.replace(/^overrides\.(\d+)/, '--override');
    if (name.split('.')[0] === 'categories') return name.replace('categories', '--category').replace('.', ' ');
    const [option = '', kind] = name.startsWith('weights.') ? name.split('.') : [name.replace('.', '-')];
    const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return kind ? `${flag} ${kind}` : flag;
  });
}
