/**
 * The configuration files of the folders, laid over the settings of the editor: what a project decides for itself holds
 * for everybody, on the command line too.
 */
import path from 'node:path';
import { checkOptions } from '../engine/options.ts';
import {
  changeOptions,
  type Configuration,
  configurationNames,
  findConfiguration,
  readConfiguration,
} from '../io/configuration.ts';
import { checkSourceOptions } from '../io/sources.ts';
import type { Root, ScanRequest } from '../protocol/messages.ts';

/** Whether a path of a report is that of a configuration file. */
export function isConfiguration(name: string): boolean {
  return configurationNames.includes(path.posix.basename(name));
}

/**
 * The request as the configuration files want it, or what is wrong, a sentence each. Each folder decides what of it is
 * read. All are compared with the same options: those of the first folder that has a file.
 */
export function configure(request: ScanRequest): ScanRequest | { readonly problems: readonly string[] } {
  const problems = problemsOf(request);
  if (problems.length > 0) return { problems };
  let configured = request;
  let isFirst = true;
  for (const [place, root] of request.roots.entries()) {
    const file = findConfiguration(root.folder);
    if (file === undefined) continue;
    const name = root.prefix + path.basename(file);
    const configuration = readConfiguration(file, name);
    if ('problem' in configuration) return { problems: [configuration.problem] };
    configured = change(configured, place, configuration, isFirst);
    // The settings were in order: what is wrong now, the file has brought in.
    const wrong = problemsOf(configured).map((problem) => `${name}: ${problem}`);
    if (wrong.length > 0) return { problems: wrong };
    isFirst = false;
  }
  return configured;
}

function change(request: ScanRequest, place: number, configuration: Configuration, withOptions: boolean): ScanRequest {
  const roots = request.roots.map((root, other): Root =>
    other === place ? { ...root, sources: { ...root.sources, ...configuration.sources } } : root,
  );
  return withOptions
    ? { ...request, roots, options: changeOptions(request.options, configuration.options) }
    : { ...request, roots };
}

/** Each sentence once: folders often share their settings. */
function problemsOf({ options, roots }: ScanRequest): string[] {
  const problems = [...checkOptions(options), ...roots.flatMap(({ sources }) => checkSourceOptions(sources))];
  return [...new Set(problems)];
}
