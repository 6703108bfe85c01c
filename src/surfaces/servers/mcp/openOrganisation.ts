/** Opens an organization's index. The worker thread queries it, as in the extension. */
import type { Access } from '../../tools/access.ts';
import type { Workspace } from '../workspace.ts';

export interface OrganisationPlace {
  /** Folder of the index. */
  readonly folder: string | undefined;
  /** Name of the setting, for messages. */
  readonly setting: string;
}

/** Returns `undefined` without a folder. */
export function openOrganisation(
  workspace: Pick<Workspace, 'folders' | 'findInOrganisation'>,
  { folder, setting }: OrganisationPlace,
): Access['findInOrganisation'] {
  if (folder === undefined) return undefined;
  return ({ origin, ...wanted }) => {
    const file = origin && workspace.folders.realFileOf(origin.path);
    return workspace.findInOrganisation({
      ...wanted,
      folder,
      setting,
      ...(origin && file !== undefined ? { origin: { ...origin, file } } : {}),
    });
  };
}
