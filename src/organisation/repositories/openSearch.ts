/** Opens a search for long-running programs. It is a separate bundle that is loaded for the first query. */
import { checkedFolder } from '../folder/indexPlace.ts';
import { openIndex } from './organisationIndex.ts';
import { OrganisationSearch, type SearchFactory } from './organisationSearch.ts';

/** URL of the script that tokenizes files, beside this bundle. The index must have been built with the same script. */
const scanThread = new URL('./scanThread.js', import.meta.url);

export const openSearch: SearchFactory = (folder, setting) =>
  new OrganisationSearch(() => openIndex(checkedFolder(folder, setting), 'read', process.env), scanThread, setting);
