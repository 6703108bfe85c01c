/** Look-ups for programs that go on asking: a bundle of its own with the client of PostgreSQL, loaded with the first question. */
import { databaseUrls } from '../database/databaseUrls.ts';
import { type OpenSearch, OrganisationSearch } from './organisationSearch.ts';

/** The script that indexes files, beside the bundle of this one: what it would make must be what is stored. */
const scanThread = new URL('./scanThread.js', import.meta.url);

export const openSearch: OpenSearch = (addresses, setting) =>
  new OrganisationSearch(() => databaseUrls([], addresses), scanThread, setting);
