/**
 * Look-ups in an organisation's index, for a program that goes on asking, such as a server: the database is opened with the
 * first question, and again after one that it did not answer. What is wrong is told in a sentence, and nothing is thrown.
 */
import path from 'node:path';
import { lexiconForLanguage, lexiconForPath, unnamedLexicon } from '../engine/languages/lexicon.ts';
import type { Lexicon } from '../engine/languages/lexicalRules.ts';
import { fallbackLexicon } from '../engine/languages/lexicons/fallback.ts';
import type {
  OrganisationAnswer,
  OrganisationSource,
  SimilarPassages,
  SimilarQuery,
} from '../engine/similar/findSimilar.ts';
import { DatabaseError } from '../database/databaseError.ts';
import { databaseVariable } from '../database/databaseUrls.ts';
import { type Database, openDatabase } from '../database/openDatabase.ts';
import { cancellable } from '../database/server.ts';
import { prefixOf, readRepositories, type Repository } from './catalogue.ts';
import { findSimilarIn } from './findSimilarIn.ts';
import { repositoryOf } from './rollUps.ts';

/** A text to look for. */
export interface OrganisationQuestion {
  readonly text: string;
  /** The name of its file, or of one of its language; empty when there is none. */
  readonly path: string;
  /** An identifier of VS Code: counts where the name says nothing. */
  readonly languageId: string;
  /** Where it stands, which is no answer: a file, absolute, and lines from 1, inclusive. */
  readonly origin?: Place;
  readonly minSimilarity?: number;
  /** How many passages are wanted at most. */
  readonly most: number;
}

export interface Place {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** What a person calls the places where the address and the password stand, for messages. */
export interface SettingNames {
  readonly address: string;
  readonly password: string;
}

/** As a server has it, which has no `--database`. */
const inEnvironment: SettingNames = { address: databaseVariable, password: databaseVariable };

/**
 * What a program has of it.
 *
 * @param addresses  of the servers, with commas between them
 */
export type OpenSearch = (addresses: string, setting: SettingNames) => Pick<OrganisationSearch, 'find' | 'close'>;

/** Nobody waits longer. */
const patience = { connectTimeoutMs: 5_000, statementTimeoutMs: 20_000 };

export class OrganisationSearch {
  readonly #urls: () => readonly string[];
  readonly #scanThread: URL;
  readonly #setting: SettingNames;
  #database: Promise<Database> | undefined;

  /**
   * @param urls        the addresses of the servers; it may throw DatabaseError
   * @param scanThread  see `methodOf`
   */
  constructor(urls: () => readonly string[], scanThread: URL, setting = inEnvironment) {
    this.#urls = urls;
    this.#scanThread = scanThread;
    this.#setting = setting;
  }

  /** @param signal  ends the search, in the database too; the answer is then for nobody */
  async find(question: OrganisationQuestion, signal?: AbortSignal): Promise<OrganisationAnswer> {
    let opened: Promise<Database> | undefined;
    try {
      // Others may wait for it as well.
      opened = this.#database ??= openDatabase(this.#urls(), 'read', patience);
      const database = await opened;
      const answer = (): Promise<OrganisationAnswer> => ask(database, this.#scanThread, question);
      return await (signal === undefined ? answer() : cancellable(signal, answer));
    } catch (error) {
      if (signal?.aborted === true) return { problem: 'The search was cancelled.' };
      // Another question may have opened it again.
      if (opened === this.#database) await this.close();
      if (error instanceof DatabaseError) return { problem: namingSetting(error.message, this.#setting) };
      throw error;
    }
  }

  /** Closes the connections; a further question opens them again. */
  async close(): Promise<void> {
    const opened = this.#database;
    this.#database = undefined;
    await opened?.then(
      (database) => database.close(),
      () => undefined,
    );
  }
}

/** A message of the command line with the settings that somebody has in the place of its own. */
function namingSetting(message: string, { address, password }: SettingNames): string {
  return message
    .replace(`--database, in ${databaseVariable} or`, `${password} or`)
    .replace(`into ${databaseVariable} or`, `into ${password} or`)
    .replaceAll('--database', address)
    .replaceAll(databaseVariable, address);
}

async function ask(database: Database, scanThread: URL, question: OrganisationQuestion): Promise<OrganisationAnswer> {
  const started = performance.now();
  const { text, minSimilarity, most, origin } = question;
  const repositories = await readRepositories(database.home);
  const query: SimilarQuery = {
    ...(minSimilarity === undefined ? {} : { minSimilarity }),
    origin: origin && placeInRepository(origin, repositories),
    most,
  };
  const wanted = { bytes: Buffer.from(text), lexicon: lexiconOf(question) };
  const similar = await findSimilarIn(database, scanThread, wanted, query);
  const sumOf = (count: (repository: Repository) => number): number =>
    repositories.reduce((sum, repository) => sum + count(repository), 0);
  return {
    ...{ similar, elapsedMs: performance.now() - started, repositories: repositories.length },
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

/** What a place is called in the index, when it lies in a folder that a repository was stored from. */
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
