/** Names of configuration and baseline files. */
import type { configurationNames as namesThatAreRead } from '../../scan/io/configuration.ts';
import type { baselineFileName } from '../../scan/io/fileNames.ts';

/**
 * A folder uses the first of these files that exists; new files get the first name. The type makes the compiler reject
 * other names.
 */
export const configurationNames: typeof namesThatAreRead = ['.kindredrc.jsonc', '.kindredrc.json'];

/** Baseline of a folder, with the default name of `kindred check`. */
export const baselineName: typeof baselineFileName = '.kindred-baseline.jsonc';

/** True if the path in a report is that of a configuration file, which affects the scope and options of a scan. */
export function isConfiguration(name: string): boolean {
  return configurationNames.some((known) => name === known || name.endsWith(`/${known}`));
}
