/** Gives tools access to an organization's index. The worker thread runs the queries, as in the extension. */
import type { Access } from '../../tools/access.ts';
import type { Workspace } from '../workspace.ts';

export interface OrganisationPlace {
  /** Path of the index; `undefined` if there is none. */
  readonly folder: string | undefined;
  /** Name of the setting that contains the path, for messages. */
  readonly setting: string;
}

/** Returns `undefined` if no index was specified. */
export function openOrganisation(
  workspace: Pick<Workspace, 'folders' | 'findInOrganisation'>,
  { folder, setting }: OrganisationPlace,
): Access['findInOrganisation'] {
  if (folder === undefined) return undefined;
  return ({ origin, ...search }) => {
    const file = origin && workspace.folders.realFileOf(origin.path);
    return workspace.findInOrganisation({
      ...search,
      folder,
      setting,
      ...(origin && file !== undefined ? { origin: { ...origin, file } } : {}),
    });
  };
}
