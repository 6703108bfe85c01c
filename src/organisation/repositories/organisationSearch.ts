/**
 * Search in an organization's index for long-running programs, such as a server. Opens the index for the first
 * query, and again after a failed one. Errors are returned as a sentence and never thrown.
 */
import path from 'node:path';
import { lexiconForLanguage, lexiconForPath, unnamedLexicon } from '../../core/engine/languages/allLexicons.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import { fallbackLexicon } from '../../core/engine/languages/lexicons/fallback.ts';
import type {
  OrganisationAnswer,
  OrganisationSource,
  SimilarPassages,
  SimilarQuery,
} from '../../core/engine/similar/findSimilar.ts';
import { IndexError } from '../folder/indexError.ts';
import { databaseVariable } from '../folder/indexPlace.ts';
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

/**
 * Opens a search.
 *
 * @param folder   path of the index, as the user wrote it
 * @param setting  name of the setting with the folder, for messages
 */
export type OpenSearch = (folder: string, setting: string) => Pick<OrganisationSearch, 'find' | 'close'>;

export class OrganisationSearch {
  readonly #open: () => OrganisationIndex;
  readonly #scanThread: URL;
  readonly #setting: string;
  #index: OrganisationIndex | undefined;

  /**
   * @param open        opens the index; may throw IndexError
   * @param scanThread  see `methodOf`
   * @param setting     see `OpenSearch`
   */
  constructor(open: () => OrganisationIndex, scanThread: URL, setting: string = databaseVariable) {
    this.#open = open;
    this.#scanThread = scanThread;
    this.#setting = setting;
  }

  async find(question: OrganisationQuestion, signal?: AbortSignal): Promise<OrganisationAnswer> {
    let index: OrganisationIndex | undefined;
    try {
      // Concurrent queries use the same one.
      index = this.#index ??= this.#open();
      return await ask(index, this.#scanThread, question, signal);
    } catch (error) {
      if (signal?.aborted === true) return { problem: 'The search was cancelled.' };
      // A concurrent query may have reopened it.
      if (index === this.#index) await this.close();
      if (error instanceof IndexError) return { problem: namingSetting(error.message, this.#setting) };
      throw error;
    }
  }

  /** Closes the index. A later query opens it again. */
  async close(): Promise<void> {
    const index = this.#index;
    this.#index = undefined;
    await index?.close();
  }
}

/** Replaces the command line's option in a message, except in a command, with the user's setting. */
function namingSetting(message: string, setting: string): string {
  return message.replace(/--database(?! FOLDER)/g, setting).replaceAll(databaseVariable, setting);
}

async function ask(
  index: OrganisationIndex,
  scanThread: URL,
  question: OrganisationQuestion,
  signal: AbortSignal | undefined,
): Promise<OrganisationAnswer> {
  const started = performance.now();
  const { text, minSimilarity, most, origin } = question;
  const repositories = index.repositories();
  const query: SimilarQuery = {
    ...(minSimilarity === undefined ? {} : { minSimilarity }),
    origin: origin && placeInRepository(origin, repositories),
    most,
  };
  const wanted = { bytes: Buffer.from(text), lexicon: lexiconOf(question) };
  const similar = await index.find(scanThread, wanted, query, signal);
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
  const home = repositories.find(({ origin }) => file.startsWith(origin + path.sep));
  if (home === undefined) return undefined;
  const own = path.relative(home.origin, file).replaceAll(path.sep, '/');
  return { path: prefixOf(home) + own, startLine, endLine };
}

function lexiconOf({ path: name, languageId }: OrganisationQuestion): Lexicon {
  const ofName = lexiconForPath(name);
  return ofName === fallbackLexicon ? (lexiconForLanguage(languageId) ?? unnamedLexicon()) : ofName;
}
