/** Opens an organization's index named by `KINDRED_DATABASE`. The worker thread queries it, as in the extension. */
import type { Access } from '../../tools/access.ts';
import type { Workspace } from '../workspace.ts';

const databaseVariable = 'KINDRED_DATABASE';

/** Returns `undefined` if no database is named. */
export function openOrganisation(
  workspace: Pick<Workspace, 'folders' | 'findInOrganisation'>,
  environment: NodeJS.ProcessEnv,
): Access['findInOrganisation'] {
  const addresses = (environment[databaseVariable] ?? '').trim();
  if (addresses === '') return undefined;
  return ({ origin, ...wanted }) => {
    const file = origin && workspace.folders.realFileOf(origin.path);
    return workspace.findInOrganisation({
      ...wanted,
      addresses,
      setting: { address: databaseVariable, password: databaseVariable },
      ...(origin && file !== undefined ? { origin: { ...origin, file } } : {}),
    });
  };
}
