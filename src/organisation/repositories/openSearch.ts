/** Search for long-running programs: a separate bundle, loaded for the first query. */
import { checkedFolder } from '../folder/indexPlace.ts';
import { openIndex } from './organisationIndex.ts';
import { type OpenSearch, OrganisationSearch } from './organisationSearch.ts';

/** Path of the script that indexes files, beside this bundle. The index must have been made by the same script. */
const scanThread = new URL('./scanThread.js', import.meta.url);

export const openSearch: OpenSearch = (folder, setting) =>
  new OrganisationSearch(() => openIndex(checkedFolder(folder, setting), 'read', process.env), scanThread, setting);
