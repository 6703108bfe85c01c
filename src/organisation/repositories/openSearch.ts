/** Search for long-running programs: a separate bundle with the PostgreSQL client, loaded for the first query. */
import { databaseFolder, databaseUrls } from '../database/databaseUrls.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { openFolder } from './inFolder/indexInFolder.ts';
import { indexInDatabase, type OrganisationIndex } from './organisationIndex.ts';
import { type OpenSearch, OrganisationSearch } from './organisationSearch.ts';

/** Path of the script that indexes files, beside this bundle. The index must have been made by the same script. */
const scanThread = new URL('./scanThread.js', import.meta.url);

/** Interactive users do not wait longer. */
const patience = { connectTimeoutMs: 5_000, statementTimeoutMs: 20_000 };

export const openSearch: OpenSearch = (addresses, setting) =>
  new OrganisationSearch(() => openIndex(addresses), scanThread, setting);

async function openIndex(addresses: string): Promise<OrganisationIndex> {
  const folder = databaseFolder([], addresses);
  if (folder !== undefined) return openFolder(folder, 'read', process.env);
  return indexInDatabase(await openDatabase(databaseUrls([], addresses), 'read', patience));
}
