/**
 * Folder of the organization's index: the setting, or else the environment variable of the command line. Neither of
 * them is in a workspace or a project's file, so an opened folder cannot choose the index.
 */
import { inBrowser } from '../inBrowser.ts';
import { readOrganisationFolder } from '../settings.ts';

/** Also set in the terminal, for the command line. */
const variable = 'KINDRED_DATABASE';
export const folderSetting = 'kindred.organisation.database';

export interface OrganisationFolder {
  readonly folder: string;
  /** Name of the setting, for messages. */
  readonly setting: string;
}

/** Returns `undefined` if no folder is set. */
export function organisationFolder(): OrganisationFolder | undefined {
  const written = readOrganisationFolder();
  if (written !== '') return { folder: written, setting: folderSetting };
  const inherited = inBrowser ? '' : (process.env[variable] ?? '').trim();
  return inherited === '' ? undefined : { folder: inherited, setting: variable };
}
