/** The configuration file of a chosen folder or archive (.kindredrc.jsonc), as on the command line. */
import { languageIds } from '../../../core/engine/languages/allLexicons.ts';
import { checkOptions, defaultOptions, type Options } from '../../../core/engine/options.ts';
import { withPreset } from '../../../core/engine/dials.ts';
import {
  changeOptions,
  type Configuration,
  parseConfiguration,
  problemInConfiguration,
} from '../../../scan/io/configuration.ts';
import { configurationNames } from '../../../scan/io/fileNames.ts';
import type { FileTree } from '../../../scan/io/listTree.ts';
import { checkSourceOptions } from '../../../scan/io/checkSourceOptions.ts';
import { defaultSourceOptions, type SourceOptions } from '../../../scan/io/sources.ts';

export interface Project {
  /** Name of the configuration file; `undefined` if there is none and the defaults apply. */
  readonly file: string | undefined;
  readonly sources: SourceOptions;
  readonly options: Options;
  /** Keys of the configuration that this page does not support. */
  readonly unused: readonly string[];
}

/** Reads the configuration of a tree. Returns an error message if it is invalid. */
export async function projectOf({ readText }: Pick<FileTree, 'readText'>): Promise<Project | string> {
  for (const name of configurationNames) {
    const text = await readText(name);
    if (text === '') continue;
    const configuration = parseConfiguration(text, name);
    return 'problem' in configuration ? configuration.problem : configured(name, configuration);
  }
  return { file: undefined, sources: defaultSourceOptions, options: defaultOptions, unused: [] };
}

function configured(file: string, configuration: Configuration): Project | string {
  const { preset, options: changes, boundaries } = configuration;
  const options = changeOptions(preset === undefined ? defaultOptions : withPreset(defaultOptions, preset), changes);
  const sources = { ...defaultSourceOptions, ...configuration.sources };
  const [problem] = [...checkOptions(options), ...checkSourceOptions(sources, languageIds)];
  if (problem !== undefined) return problemInConfiguration(problem, configuration).problem;
  const unused = [
    ...(Object.keys(sources.categories).length > 0 ? ['categories'] : []),
    ...(sources.overrides.length > 0 ? ['overrides'] : []),
    ...(boundaries === undefined ? [] : ['boundaries']),
  ];
  return { file, sources, options, unused };
}
