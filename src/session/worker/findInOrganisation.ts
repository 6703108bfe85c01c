/**
 * Find Similar in an index of many repositories. Its bundle with the PostgreSQL client is loaded for the first query.
 * The database stays open until a query names another one.
 */
import { fileLexicons } from '../../core/engine/languages/lexicon.ts';
import type { OrganisationAnswer } from '../../core/engine/similar/findSimilar.ts';
import type { FindInOrganisationParams } from '../protocol/calls.ts';
import type { OpenSearch, SettingNames } from '../../organisation/repositories/organisationSearch.ts';
import { problemOfLanguage } from './languages.ts';

type Search = ReturnType<OpenSearch>;

let opened:
  { readonly addresses: string; readonly setting: SettingNames; readonly search: Promise<Search> } | undefined;

/** Never rejects: an error becomes a problem in the answer. */
export async function findInOrganisation(
  { addresses, setting, isLanguageNamed, ...question }: FindInOrganisationParams,
  signal: AbortSignal,
): Promise<OrganisationAnswer> {
  const { path, languageId } = question;
  const problem = isLanguageNamed ? problemOfLanguage(path, languageId, fileLexicons([])) : undefined;
  if (problem !== undefined) return { problem };
  try {
    const search = await searchAt(addresses, setting);
    return await search.find(question, signal);
  } catch (error) {
    return { problem: String(error) };
  }
}

function searchAt(addresses: string, setting: SettingNames): Promise<Search> {
  if (opened?.addresses !== addresses || opened.setting.address !== setting.address) {
    // Pending queries of the previous database finish first, because its connections are closed only when idle.
    void opened?.search.then((search) => search.close()).catch(() => undefined);
    opened = { addresses, setting, search: open(addresses, setting) };
    opened.search.catch(() => (opened = undefined));
  }
  return opened.search;
}

async function open(addresses: string, setting: SettingNames): Promise<Search> {
  // An address that the bundler does not follow.
  const bundle = new URL('./orgSearch.js', import.meta.url);
  return ((await import(bundle.href)) as { readonly openSearch: OpenSearch }).openSearch(addresses, setting);
}
