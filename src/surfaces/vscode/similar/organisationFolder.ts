/**
 * Folder of the organization's index: from the user setting, or else from the command line's environment variable.
 * Neither can be set in a workspace, so opening a folder never determines the index.
 */
import { inBrowser } from '../inBrowser.ts';
import { readOrganisationFolder } from '../settings.ts';

/** Environment variable that the command line also reads. */
const variable = 'KINDRED_DATABASE';
export const folderSetting = 'kindred.organisation.database';

export interface OrganisationFolder {
  readonly folder: string;
  /** Name of the setting, for messages. */
  readonly setting: string;
}

/** Returns `undefined` if neither is set. */
export function organisationFolder(): OrganisationFolder | undefined {
  const written = readOrganisationFolder();
  if (written !== '') return { folder: written, setting: folderSetting };
  const inherited = inBrowser ? '' : (process.env[variable] ?? '').trim();
  return inherited === '' ? undefined : { folder: inherited, setting: variable };
}
