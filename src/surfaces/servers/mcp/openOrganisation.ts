/**
 * Opens the index of an organization that `KINDRED_DATABASE` names. As in the extension, the worker thread queries it.
 */
import type { Access } from '../../tools/access.ts';
import type { Workspace } from '../workspace.ts';

const databaseVariable = 'KINDRED_DATABASE';

/** Returns `undefined` if no index is named. */
export function openOrganisation(
  workspace: Pick<Workspace, 'folders' | 'findInOrganisation'>,
  environment: NodeJS.ProcessEnv,
): Access['findInOrganisation'] {
  const folder = (environment[databaseVariable] ?? '').trim();
  if (folder === '') return undefined;
  return ({ origin, ...wanted }) => {
    const file = origin && workspace.folders.realFileOf(origin.path);
    return workspace.findInOrganisation({
      ...wanted,
      folder,
      setting: databaseVariable,
      ...(origin && file !== undefined ? { origin: { ...origin, file } } : {}),
    });
  };
}
