/**
 * Implements Find Similar in an index of many repositories. Its code is in a bundle that is loaded for the first query.
 * The index stays open until a query needs a different index.
 */
import { fileLexicons } from '../../core/engine/languages/allLexicons.ts';
import type { OrganisationAnswer } from '../../core/engine/similar/findSimilar.ts';
import type { FindInOrganisationParams } from '../protocol/calls.ts';
import type { SearchFactory } from '../../organisation/repositories/organisationSearch.ts';
import { problemOfLanguage } from './languages.ts';

type Search = ReturnType<SearchFactory>;

let opened: { readonly folder: string; readonly setting: string; readonly search: Promise<Search> } | undefined;

/** Searches the index. Never rejects: after an error, the answer contains the problem. */
export async function findInOrganisation(
  { folder, setting, requiresLanguage, ...question }: FindInOrganisationParams,
  signal: AbortSignal,
): Promise<OrganisationAnswer> {
  const { path, languageId } = question;
  const problem = requiresLanguage ? problemOfLanguage(path, languageId, fileLexicons([])) : undefined;
  if (problem !== undefined) return { problem };
  try {
    const search = await searchAt(folder, setting);
    return await search.find(question, signal);
  } catch (error) {
    return { problem: String(error) };
  }
}

function searchAt(folder: string, setting: string): Promise<Search> {
  if (opened?.folder !== folder || opened.setting !== setting) {
    void opened?.search.then((search) => search.close()).catch(() => undefined);
    opened = { folder, setting, search: open(folder, setting) };
    opened.search.catch(() => (opened = undefined));
  }
  return opened.search;
}

async function open(folder: string, setting: string): Promise<Search> {
  // Compute the URL, so that the bundler does not include the file.
  const bundle = new URL('./orgSearch.js', import.meta.url);
  return ((await import(bundle.href)) as { readonly openSearch: SearchFactory }).openSearch(folder, setting);
}
