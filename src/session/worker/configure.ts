/**
 * Applies the configuration files of the folders to a request with the settings of the editor. Configuration files
 * apply to everyone who works on the project, and on the command line, too.
 */
import { dialNames, presetNames, withPreset } from '../../core/engine/dials.ts';
import { languageIds } from '../../core/engine/languages/allLexicons.ts';
import { checkOptions, notOneOf } from '../../core/engine/options.ts';
import { configuredOptions } from '../../scan/indexer/configuredOptions.ts';
import { checkSourceOptions } from '../../scan/io/checkSourceOptions.ts';
import { type Configuration, parseConfiguration, problemInConfiguration } from '../../scan/io/configuration.ts';
import { configurationNames } from '../../scan/io/fileNames.ts';
import type { DecidedDials, RejectedResponse, Root, ScanRequest } from '../protocol/messages.ts';
import type { Disk, FoundConfiguration } from './disk.ts';
import type { VirtualFiles } from './virtualFiles.ts';

/** Name to use for configuration files in messages. */
export const configurationName = configurationNames[0];

/** Access to folders on disk, and to folders that only the host can read. */
export interface Folders {
  readonly disk: Disk | undefined;
  readonly elsewhere: VirtualFiles;
}

/** A scan request to which configuration files have been applied, and the values that they set. */
export interface ConfiguredScan extends ScanRequest {
  readonly decided?: DecidedDials | undefined;
}

/**
 * Applies the configuration files to a request. Returns an error message for each problem. A folder's file determines
 * which files of the folder are read. For all other options, the first folder with a configuration file decides for all
 * folders.
 */
export async function configure(
  request: ScanRequest,
  { disk, elsewhere }: Folders,
): Promise<ConfiguredScan | Pick<RejectedResponse, 'problems' | 'place'>> {
  const problems = [...problemsOfPreset(request), ...problemsOf(request)];
  if (problems.length > 0) return { problems };
  let configured: ConfiguredScan = turnedTo(request);
  let isFirst = true;
  for (const [place, root] of request.roots.entries()) {
    const found = await findIn(root, { disk, elsewhere });
    if (found === undefined) continue;
    const { name, configuration } = found;
    if ('problem' in configuration) {
      return { problems: [configuration.problem], place: { path: name, line: configuration.line } };
    }
    configured = change(configured, place, configuration, isFirst);
    if (isFirst) configured = { ...configured, decided: decidedBy(name, configuration) };
    // The settings alone are valid, so the configuration file has caused the problem.
    const wrong = problemsOf(configured).map((problem) => problemInConfiguration(problem, configuration));
    const [first] = wrong;
    if (first) return { problems: wrong.map(({ problem }) => problem), place: { path: name, line: first.line } };
    isFirst = false;
  }
  return configured;
}

async function findIn(root: Root, { disk, elsewhere }: Folders): Promise<FoundConfiguration | undefined> {
  if ('uri' in root) {
    const found = await elsewhere.firstOf(root, configurationNames);
    if (found === undefined) return undefined;
    const name = root.prefix + found.name;
    return { name, configuration: parseConfiguration(found.text, name) };
  }
  return disk?.configurationIn(root);
}

function change(request: ScanRequest, place: number, configuration: Configuration, withOptions: boolean): ScanRequest {
  const roots = request.roots.map((root, other): Root =>
    other === place ? { ...root, sources: { ...root.sources, ...configuration.sources } } : root,
  );
  return withOptions
    ? { ...request, roots, options: configuredOptions(request.options, configuration) }
    : { ...request, roots };
}

/** Returns the dials that a configuration file sets. */
function decidedBy(path: string, { preset, options }: Configuration): DecidedDials {
  const setNames = new Set([...Object.keys(options), ...Object.keys(options.prose ?? {}).map((key) => `prose.${key}`)]);
  return { path, names: dialNames.filter((name) => preset !== undefined || setNames.has(name)) };
}

/** Returns the request after applying its preset to the dials that the user has not set. */
function turnedTo({ preset, ...request }: ScanRequest): ScanRequest {
  return preset ? { ...request, options: withPreset(request.options, preset.name, preset.dials) } : request;
}

function problemsOfPreset({ preset }: ScanRequest): string[] {
  if (preset === undefined || presetNames.includes(preset.name)) return [];
  return [notOneOf('preset', presetNames, preset.name)];
}

/** Returns the problems of a request, each only once, because folders often share their settings. */
function problemsOf({ options, roots, languages }: ScanRequest): string[] {
  const languageNames = [...languageIds, ...languages.map(({ id }) => id)];
  const problems = [
    ...checkOptions(options),
    ...roots.flatMap(({ sources }) => checkSourceOptions(sources, languageNames)),
  ];
  return [...new Set(problems)];
}
