/**
 * Searches an organization's index, for long-running programs such as a server. Opens the index for the first query,
 * and reopens it after a query has failed. Returns errors as sentences; never throws.
 */
import path from 'node:path';
import { sum } from '../../core/collections/lists.ts';
import { lexiconForLanguage, lexiconForPath, unnamedLexicon } from '../../core/engine/languages/allLexicons.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import { fallbackLexicon } from '../../core/engine/languages/lexicons/fallback.ts';
import type { OrganisationAnswer, SimilarQuery } from '../../core/engine/similar/findSimilar.ts';
import { CancellationError, type Cancellation } from '../folder/cancellation.ts';
import { IndexError } from '../folder/indexError.ts';
import type { RepositoryState } from '../folder/indexFolder.ts';
import { indexVariable } from '../folder/indexPlace.ts';
import { prefixOf } from './folderContents.ts';
import type { OrganisationIndex } from './organisationIndex.ts';
import { repositoryOf } from './rollUps.ts';

export interface OrganisationQuestion {
  readonly text: string;
  /** File name of the text, or any file name with the same language's extension; empty if unknown. */
  readonly path: string;
  /** VS Code language identifier, used if the file name does not determine the language. */
  readonly languageId: string;
  /**
   * Place from which the text was copied; the search omits this place. The path is absolute; lines count from 1, and
   * the last one is included.
   */
  readonly origin?: Place | undefined;
  readonly minSimilarity?: number | undefined;
  readonly limit: number;
}

export interface Place {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * Creates a search.
 *
 * @param folder   path of the index, as the user entered it
 * @param setting  name of the setting that contains the path, for messages
 */
export type SearchFactory = (folder: string, setting: string) => Pick<OrganisationSearch, 'find' | 'close'>;

export class OrganisationSearch {
  readonly #open: () => OrganisationIndex;
  readonly #scanThread: URL;
  readonly #setting: string;
  #index: OrganisationIndex | undefined;

  /**
   * @param open        opens the index; may throw IndexError
   * @param scanThread  see `methodOf`
   * @param setting     see `SearchFactory`
   */
  constructor(open: () => OrganisationIndex, scanThread: URL, setting: string = indexVariable) {
    this.#open = open;
    this.#scanThread = scanThread;
    this.#setting = setting;
  }

  async find(question: OrganisationQuestion, signal?: AbortSignal): Promise<OrganisationAnswer> {
    let index: OrganisationIndex | undefined;
    try {
      // Concurrent queries share one open index.
      index = this.#index ??= this.#open();
      const cancellation = { cancelled: () => signal?.aborted === true };
      return await answerQuestion(index, this.#scanThread, question, cancellation);
    } catch (error) {
      if (error instanceof CancellationError) return { problem: 'The search was cancelled.' };
      // If a concurrent query has already reopened the index, keep the new one open.
      if (index === this.#index) await this.close();
      if (error instanceof IndexError) return { problem: namingSetting(error.message, this.#setting) };
      throw error;
    }
  }

  /** Closes the index. The next query reopens it. */
  async close(): Promise<void> {
    const index = this.#index;
    this.#index = undefined;
    await index?.close();
  }
}

/**
 * Replaces the name of the command-line option in a message with the name of the user's setting. Leaves the option
 * unchanged inside commands.
 */
function namingSetting(message: string, setting: string): string {
  return message.replace(/--index(?! FOLDER)/g, setting).replaceAll(indexVariable, setting);
}

async function answerQuestion(
  index: OrganisationIndex,
  scanThread: URL,
  question: OrganisationQuestion,
  cancellation: Cancellation,
): Promise<OrganisationAnswer> {
  const started = performance.now();
  const { text, minSimilarity, limit, origin } = question;
  const queryIn = (repositories: readonly RepositoryState[]): SimilarQuery => ({
    minSimilarity,
    origin: origin && placeInRepository(origin, repositories),
    limit,
  });
  const searchedText = { bytes: Buffer.from(text), lexicon: lexiconOf(question) };
  const { similar, repositories } = await index.find(scanThread, searchedText, queryIn, cancellation);
  const named = new Set(similar.passages.map(({ passage }) => repositoryOf(passage.path)));
  const sources = repositories.filter(({ name }) => named.has(name));
  return {
    similar,
    elapsedMs: performance.now() - started,
    repositories: repositories.length,
    sources: sources.map(({ name, commit, origin }) => ({ name, commit, origin })),
    files: sum(repositories.map(({ files }) => files)),
    lines: sum(repositories.map(({ lines }) => lines)),
    generation: sum(repositories.map(({ generation }) => generation)),
  };
}

/**
 * Returns the path in the index for a place on disk; `undefined` if the place is not inside a repository's source
 * folder.
 */
export function placeInRepository(
  { file, startLine, endLine }: Place,
  repositories: readonly RepositoryState[],
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
