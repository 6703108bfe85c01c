/** The index of an organisation, which `KINDRED_DATABASE` names. The client of PostgreSQL is loaded with the first question. */
import { existsSync } from 'node:fs';
import type { OpenSearch } from '../../organisation/organisationSearch.ts';
import type { Access, OrganisationFound, OrganisationWanted } from '../../tools/access.ts';
import type { Folders } from '../folders.ts';

export interface Organisation {
  readonly find: NonNullable<Access['findInOrganisation']>;
  readonly close: () => Promise<void>;
}

/** Undefined where no database is named; and in the extension, which has no client of one. */
export function openOrganisation(folders: Folders, environment: NodeJS.ProcessEnv): Organisation | undefined {
  // An address that the bundler does not follow.
  const bundle = new URL('./org.js', import.meta.url);
  if ((environment['KINDRED_DATABASE'] ?? '').trim() === '' || !existsSync(bundle)) return undefined;
  let search: Promise<ReturnType<OpenSearch>> | undefined;
  const open = async (): Promise<ReturnType<OpenSearch>> =>
    ((await import(bundle.href)) as { readonly openSearch: OpenSearch }).openSearch(environment);
  return {
    find: async ({ origin, ...wanted }: OrganisationWanted): Promise<OrganisationFound> => {
      const file = origin && folders.realFileOf(origin.path);
      search ??= open();
      return (await search).find({
        ...wanted,
        ...(origin && file !== undefined ? { origin: { ...origin, file } } : {}),
      });
    },
    close: async () => (await search)?.close(),
  };
}
