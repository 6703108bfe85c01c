/** Names of configuration and baseline files. */
import type { configurationNames as namesThatAreRead } from '../../scan/io/configuration.ts';
import type { baselineFileName } from '../../scan/io/fileNames.ts';

/**
 * Names of the configuration file. A folder uses the first one that exists, and a new file gets the first name. The
 * type ensures that the list is the same as in `scan`.
 */
export const configurationNames: typeof namesThatAreRead = ['.kindredrc.jsonc', '.kindredrc.json'];

/** Name of the baseline file of a folder. `kindred check` has the same default. */
export const baselineName: typeof baselineFileName = '.kindred-baseline.jsonc';

/**
 * Returns true if a report path is that of a configuration file. Such a file affects the options of a scan, and the
 * files that it includes.
 */
export function isConfiguration(name: string): boolean {
  return configurationNames.some((known) => name === known || name.endsWith(`/${known}`));
}
