/** The files that have the settings of a project, and what it ignores, by their names. */
import path from 'node:path';
import type { configurationNames as namesThatAreRead } from '../../io/configuration.ts';
import type { baselineFileName } from '../../io/fileNames.ts';

/** A folder has its settings in the first of these that it has; a new file gets the first name. Other names do not compile. */
export const configurationNames: typeof namesThatAreRead = ['.kindredrc.jsonc', '.kindredrc.json'];

/** The baseline of a folder, by the name that `kindred check` knows it by. */
export const baselineName: typeof baselineFileName = '.kindred-baseline.jsonc';

/** Whether a path of a report is that of a configuration file, which decides whether and how all others are compared. */
export function isConfiguration(name: string): boolean {
  return configurationNames.some((known) => known === path.posix.basename(name));
}
