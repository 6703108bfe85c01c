/** Names of configuration and baseline files. */
import type { configurationNames as namesThatAreRead } from '../../scan/io/configuration.ts';
import type { baselineFileName } from '../../scan/io/fileNames.ts';

/**
 * Names of the configuration file. A folder uses the first one that exists, and a new file gets the first name. The
 * type makes sure that the list is the same as in `scan`.
 */
export const configurationNames: typeof namesThatAreRead = ['.kindredrc.jsonc', '.kindredrc.json'];

/** Name of the baseline file of a folder. `kindred check` has the same default. */
export const baselineName: typeof baselineFileName = '.kindred-baseline.jsonc';

/** Returns true if the path in a report is that of a configuration file, which affects the scope and options of a scan. */
export function isConfiguration(name: string): boolean {
  return configurationNames.some((known) => name === known || name.endsWith(`/${known}`));
}
