/**
 * Weighted vocabularies: measures how informative each feature of a collection is. A feature that all documents have
 * ("the", a closing brace, a license header) does not distinguish them, but a rare feature does. The weight is the
 * inverse document frequency (Spärck Jones 1972), rounded to integers so that simhash stays exact.
 *
 *   in all documents        1
 *   in half of them         2
 *   in a quarter            3
 *   in one of 1,024        11
 */
import { checkIterable } from '../core/methods/checkArgument.ts';

/**
 * Returns the weight of each feature: 1 + log₂(documents / documents with the feature), rounded.
 *
 * @param documents  the features of each document; repetitions within a document do not matter
 * @returns          a map from features to integers from 1, in the order of first occurrence; empty for no documents
 * @throws TypeError  if `documents` or one of its elements is not iterable
 * @example
 * ```js
 * vocabularyWeights([['the', 'cat'], ['the', 'dog']]); // new Map([['the', 1], ['cat', 2], ['dog', 2]])
 * ```
 */
export function vocabularyWeights<Feature>(
  // The array type is stated because otherwise the compiler would not infer `Feature` from literals.
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
