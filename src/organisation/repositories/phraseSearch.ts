/**
 * Finds the lines of an index that have a phrase in common with a text in another language. As in a scan, a phrase of
 * more than a few lines is an idiom, which links none. Only the lines of current documents count, so the documents of
 * each content are counted.
 */
import { append } from '../../core/collections/lists.ts';
import { phraseNumber } from '../../core/engine/seeds/phrases.ts';
import { maxLinesOfPhrase, phraseShift } from '../../core/kernel/seeds/phrasesLayout.ts';
import { phraseView } from './blocks.ts';
import type { NamedContents } from './documentNames.ts';
import type { ListReader } from './fingerprintLists.ts';
import type { SearchedLists } from './mergedLists.ts';
import { languageOfKey, type Window } from './windows.ts';

interface TextPhrase extends Pick<Window, 'high' | 'low'> {
  /** Languages of the lines of the text that have it: several if the text quotes code. */
  readonly languages: number[];
}

interface StoredLine {
  readonly content: number;
  readonly language: number;
}

export class PhraseSearch {
  readonly #phrases = new Map<number, TextPhrase>();
  /** Lines with each phrase that may link lines. */
  readonly #lines = new Map<number, StoredLine[]>();
  readonly #documents: NamedContents;

  /**
   * If the index has no other language than the text, nothing is read.
   *
   * @param lines  lines of the text
   * @param lists  all lists of the index
   */
  constructor(lines: readonly Window[], lists: readonly SearchedLists[], documents: NamedContents) {
    this.#documents = documents;
    const languages = new Set(lists.flatMap((searched) => searched.lists.flatMap((list) => list.languages ?? [])));
    for (const { high, low } of lines) {
      const own = languageOfKey(low);
      if (![...languages].some((language) => language !== own)) continue;
      const phrase = phraseNumber(high, low);
      const earlier = this.#phrases.get(phrase);
      if (earlier) earlier.languages.push(own);
      else this.#phrases.set(phrase, { high, low, languages: [own] });
    }
  }

  /** Adds the lines in a file of lists that have a phrase of the text. */
  read(reader: ListReader, { lists, numberOf }: SearchedLists): void {
    const list = lists.find(({ view }) => view === phraseView);
    if (list === undefined) return;
    for (const [phrase, { high, low }] of this.#phrases) {
      const languages: number[] = [];
      let first = 0;
      reader.forEachNear(list, high, 32, (otherHigh, otherLow, place) => {
        if (otherHigh !== high || otherLow >>> phraseShift !== low >>> phraseShift) return;
        // Lines with the same phrase are adjacent.
        if (languages.push(languageOfKey(otherLow)) === 1) first = place;
      });
      if (languages.length === 0) continue;
      const contents = reader.contents(list, first, first + languages.length);
      for (const [i, language] of languages.entries()) {
        const content = numberOf(contents[i]!);
        if (content !== undefined) append(this.#lines, phrase, { content, language });
      }
      // In a large index, an idiom has millions of lines, so do not keep them.
      if (areMany(this.#lines.get(phrase) ?? [], this.#documents)) {
        this.#phrases.delete(phrase);
        this.#lines.delete(phrase);
      }
    }
  }

  /**
   * Returns the phrases that link lines, as numbers, and the number of lines with such a phrase for each content that
   * has some. Precondition: all lists were read.
   */
  linked(): { readonly phrases: ReadonlySet<number>; readonly contents: ReadonlyMap<number, number> } {
    const phrases = new Set<number>();
    const contents = new Map<number, number>();
    for (const [phrase, lines] of this.#lines) {
      const { languages } = this.#phrases.get(phrase)!;
      const others = lines.filter(({ language }) => languages.some((own) => own !== language));
      if (others.length === 0) continue;
      phrases.add(phrase);
      for (const { content } of others) contents.set(content, (contents.get(content) ?? 0) + 1);
    }
    return { phrases, contents };
  }
}

function areMany(lines: readonly StoredLine[], documents: NamedContents): boolean {
  let count = 0;
  return lines.some(({ content }) => (count += documents.count(content)) > maxLinesOfPhrase);
}
