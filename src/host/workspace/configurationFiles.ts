/** The files that have the settings of a project, by their names. */
import path from 'node:path';
import type { configurationNames as namesThatAreRead } from '../../io/configuration.ts';

/** A folder has its settings in the first of these that it has; a new file gets the first name. Other names do not compile. */
export const configurationNames: typeof namesThatAreRead = ['.kindredrc.jsonc', '.kindredrc.json'];

/** Whether a path of a report is that of a configuration file, which decides whether and how all others are compared. */
export function isConfiguration(name: string): boolean {
  return configurationNames.some((known) => known === path.posix.basename(name));
}
