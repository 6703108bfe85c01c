/**
 * Weighted vocabularies: how much each feature of a collection tells. One that occurs in every document ("the", a closing
 * brace, the line of a licence) tells nothing about which document this is; one that occurs in few tells much. The measure
 * is the inverse document frequency (Spärck Jones 1972), in whole numbers so that simhash stays exact.
 *
 *   in all documents        1
 *   in half of them         2
 *   in a quarter            3
 *   in one of 1,024        11
 */
import { checkIterable } from './checkArgument.ts';

/**
 * The weight of each feature that occurs: 1 + log₂(documents / documents it occurs in), rounded.
 *
 * @param documents  the features of each document; repetitions within a document do not matter
 * @returns          from feature to a whole number from 1, in the order of first occurrence; empty for no documents
 * @throws TypeError  when `documents`, or one of them, is not iterable
 * @example
 * ```js
 * vocabularyWeights([['the', 'cat'], ['the', 'dog']]); // Map { 'the' => 1, 'cat' => 2, 'dog' => 2 }
 * ```
 */
export function vocabularyWeights<Feature>(
  // The compiler infers `Feature` from literals only when arrays are named as well.
  documents: Iterable<readonly Feature[] | Iterable<Feature>>,
): Map<Feature, number> {
  checkIterable('documents', documents);
  const frequencies = new Map<Feature, number>();
  let count = 0;
  for (const document of documents) {
    checkIterable('documents: each', document);
    count++;
    for (const feature of new Set(document)) frequencies.set(feature, (frequencies.get(feature) ?? 0) + 1);
  }
  return new Map(
    [...frequencies].map(([feature, frequency]) => [feature, Math.round(1 + Math.log2(count / frequency))]),
  );
}
