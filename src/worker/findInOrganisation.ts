/**
 * Find similar in an index of many repositories. Its bundle, which has the client of PostgreSQL, is loaded with the first
 * question; the database stays open for further ones, until another one is asked.
 */
import type {
  FindInOrganisationRequest,
  FoundInOrganisationResponse,
  LeaveOrganisationRequest,
} from '../protocol/messages.ts';
import type { OpenSearch, SettingNames } from '../organisation/organisationSearch.ts';

type Search = ReturnType<OpenSearch>;

let opened:
  { readonly addresses: string; readonly setting: SettingNames; readonly search: Promise<Search> } | undefined;

/** What ends the searches that are under way, by the ids of their requests. */
const waitedFor = new Map<number, AbortController>();

/** Never throws: a mistake of ours is told as one. */
export async function findInOrganisation({
  id,
  addresses,
  setting,
  ...question
}: FindInOrganisationRequest): Promise<FoundInOrganisationResponse> {
  const controller = new AbortController();
  waitedFor.set(id, controller);
  try {
    const search = await searchAt(addresses, setting);
    return { type: 'foundInOrganisation', id, answer: await search.find(question, controller.signal) };
  } catch (error) {
    return { type: 'foundInOrganisation', id, answer: { problem: String(error) } };
  } finally {
    waitedFor.delete(id);
  }
}

export function leaveOrganisation({ id }: LeaveOrganisationRequest): void {
  waitedFor.get(id)?.abort();
}

function searchAt(addresses: string, setting: SettingNames): Promise<Search> {
  if (opened?.addresses !== addresses || opened.setting.address !== setting.address) {
    // Whoever still asks the one before has its answer first: its connections end when none is lent.
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
