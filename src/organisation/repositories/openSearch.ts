/** Search for long-running programs: a separate bundle with the PostgreSQL client, loaded for the first query. */
import { databaseUrls } from '../database/databaseUrls.ts';
import { type OpenSearch, OrganisationSearch } from './organisationSearch.ts';

/** Path of the script that indexes files, beside this bundle. The index must have been made by the same script. */
const scanThread = new URL('./scanThread.js', import.meta.url);

export const openSearch: OpenSearch = (addresses, setting) =>
  new OrganisationSearch(() => databaseUrls([], addresses), scanThread, setting);
