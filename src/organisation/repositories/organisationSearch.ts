/**
 * Search in an organization's index for long-running programs, such as a server. Opens the index for the first
 * query, and again after a failed one. Errors are returned as a sentence and never thrown.
 */
import path from 'node:path';
import { lexiconForLanguage, lexiconForPath, unnamedLexicon } from '../../core/engine/languages/lexicon.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import { fallbackLexicon } from '../../core/engine/languages/lexicons/fallback.ts';
import type {
  OrganisationAnswer,
  OrganisationSource,
  SimilarPassages,
  SimilarQuery,
} from '../../core/engine/similar/findSimilar.ts';
import { DatabaseError } from '../database/databaseError.ts';
import { databaseVariable } from '../database/databaseUrls.ts';
import { cancellable } from '../database/server.ts';
import { prefixOf, type Repository } from './catalogue.ts';
import type { OrganisationIndex } from './organisationIndex.ts';
import { repositoryOf } from './rollUps.ts';

export interface OrganisationQuestion {
  readonly text: string;
  /** Name of its file, or any name of its language; empty if unknown. */
  readonly path: string;
  /** Language identifier of VS Code; used if the name does not determine the language. */
  readonly languageId: string;
  /** Origin of the text, which is excluded from the results: an absolute path, and lines from 1, inclusive. */
  readonly origin?: Place;
  readonly minSimilarity?: number;
  /** Maximum number of passages. */
  readonly most: number;
}

export interface Place {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** User-facing names of the settings for the address and the password, for messages. */
export interface SettingNames {
  readonly address: string;
  readonly password: string;
}

/** Names on a server, which has no option `--database`. */
const inEnvironment: SettingNames = { address: databaseVariable, password: databaseVariable };

/**
 * Opens a search.
 *
 * @param addresses  server addresses, separated by commas
 */
export type OpenSearch = (addresses: string, setting: SettingNames) => Pick<OrganisationSearch, 'find' | 'close'>;

export class OrganisationSearch {
  readonly #open: () => Promise<OrganisationIndex>;
  readonly #scanThread: URL;
  readonly #setting: SettingNames;
  #index: Promise<OrganisationIndex> | undefined;

  /**
   * @param open        opens the index; may reject with DatabaseError
   * @param scanThread  see `methodOf`
   */
  constructor(open: () => Promise<OrganisationIndex>, scanThread: URL, setting = inEnvironment) {
    this.#open = open;
    this.#scanThread = scanThread;
    this.#setting = setting;
  }

  /** @param signal  cancels the search, in the database too; the result is then meaningless */
  async find(question: OrganisationQuestion, signal?: AbortSignal): Promise<OrganisationAnswer> {
    let opened: Promise<OrganisationIndex> | undefined;
    try {
      // Concurrent queries may wait for it as well.
      opened = this.#index ??= this.#open();
      const index = await opened;
      const answer = (): Promise<OrganisationAnswer> => ask(index, this.#scanThread, question);
      return await (signal === undefined ? answer() : cancellable(signal, answer));
    } catch (error) {
      if (signal?.aborted === true) return { problem: 'The search was cancelled.' };
      // A concurrent query may have reopened it.
      if (opened === this.#index) await this.close();
      if (error instanceof DatabaseError) return { problem: namingSetting(error.message, this.#setting) };
      throw error;
    }
  }

  /** Closes the connections. A later query opens them again. */
  async close(): Promise<void> {
    const opened = this.#index;
    this.#index = undefined;
    await opened?.then(
      (index) => index.close(),
      () => undefined,
    );
  }
}

/** Replaces the command line's options in a message with the user's settings. */
function namingSetting(message: string, { address, password }: SettingNames): string {
  return message
    .replace(`--database, in ${databaseVariable} or`, `${password} or`)
    .replace(`into ${databaseVariable} or`, `into ${password} or`)
    .replaceAll('--database', address)
    .replaceAll(databaseVariable, address);
}

async function ask(
  index: OrganisationIndex,
  scanThread: URL,
  question: OrganisationQuestion,
): Promise<OrganisationAnswer> {
  const started = performance.now();
  const { text, minSimilarity, most, origin } = question;
  const repositories = await index.repositories();
  const query: SimilarQuery = {
    ...(minSimilarity === undefined ? {} : { minSimilarity }),
    origin: origin && placeInRepository(origin, repositories),
    most,
  };
  const wanted = { bytes: Buffer.from(text), lexicon: lexiconOf(question) };
  const similar = await index.find(scanThread, wanted, query);
  const sumOf = (count: (repository: Repository) => number): number =>
    repositories.reduce((sum, repository) => sum + count(repository), 0);
  return {
    similar,
    elapsedMs: performance.now() - started,
    repositories: repositories.length,
    sources: sourcesOf(similar, repositories),
    files: sumOf(({ files }) => files),
    lines: sumOf(({ lines }) => lines),
    generation: sumOf(({ generation }) => generation),
  };
}

function sourcesOf({ passages }: SimilarPassages, repositories: readonly Repository[]): OrganisationSource[] {
  const named = new Set(passages.map(({ passage }) => repositoryOf(passage.path)));
  return repositories
    .filter(({ name }) => named.has(name))
    .map(({ name, commit, origin }) => ({ name, commit, origin }));
}

/** Returns the path of a place in the index, if it is inside the source folder of a repository. */
export function placeInRepository(
  { file, startLine, endLine }: Place,
  repositories: readonly Repository[],
): SimilarQuery['origin'] {
  const home = repositories.find(({ origin }) => origin !== undefined && file.startsWith(origin + path.sep));
  if (home === undefined) return undefined;
  const own = path.relative(home.origin!, file).replaceAll(path.sep, '/');
  return { path: prefixOf(home) + own, startLine, endLine };
}

function lexiconOf({ path: name, languageId }: OrganisationQuestion): Lexicon {
  const ofName = lexiconForPath(name);
  return ofName === fallbackLexicon ? (lexiconForLanguage(languageId) ?? unnamedLexicon()) : ofName;
}
