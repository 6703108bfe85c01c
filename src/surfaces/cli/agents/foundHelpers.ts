/**
 * Keeps the helpers whose copies `kindred find FILE#name` finds. If an agent searches for a helper, it must find the
 * copies that the list states. A scan finds some copies by comparing complete functions, which a search for one text
 * does not do.
 */
import path from 'node:path';
import type { Passage } from '../../../core/engine/report/report.ts';
import type { ScannedTree } from '../../../review/check/scannedTree.ts';
import { findIn, queryOf, readTextToFind, type TextToFind } from '../runFind.ts';
import type { CopiedHelper, Helper } from './copiedHelpers.ts';

const maxHelpers = 10;
/** Maximum number of passages to search for. A function with more copies is certainly found. */
const maxPassages = 50;

/**
 * Returns the first helpers whose copies are found, in the same order. Their number of copies is what the search finds.
 * Returns `undefined` if interrupted.
 */
export async function foundHelpers(
  { listing: { root }, request, monitor }: ScannedTree,
  helpers: readonly CopiedHelper[],
): Promise<readonly Helper[] | undefined> {
  const named = helpers.flatMap((helper) => {
    const searchedText = readTextToFind({
      place: `${path.join(root, helper.path)}#${helper.name}`,
      language: undefined,
      maxDistance: undefined,
      minSimilarity: undefined,
    });
    // Several declarations may have this name, so check that the search begins with the helper.
    const isIts = !('problem' in searchedText) && searchedText.origin?.startLine === helper.startLine;
    return isIts ? [{ helper, searchedText }] : [];
  });
  if (named.length === 0) return [];
  const limits = { maxDistance: undefined, minSimilarity: undefined, limit: maxPassages };
  const queryFor = (one: TextToFind): ReturnType<typeof queryOf> => queryOf(limits, one, root);
  const texts = named.map(({ searchedText }) => searchedText);
  const answer = await findIn({ ...request, whenCancelled: 'stop' }, texts, queryFor, {
    ...monitor,
    onProgress: () => undefined,
  });
  if (answer === undefined) return undefined;
  if ('problem' in answer) return [];
  return named
    .flatMap(({ helper: { name, signature, path: file, about, copies } }, at): Helper[] => {
      const { passages, total } = answer.found[at]!.similar;
      const copy = passages.find(({ passage }) => copies.some((one) => overlaps(one, passage)))?.passage;
      return copy ? [{ name, signature, path: file, about: about ?? sentenceAbout(copy, total) }] : [];
    })
    .slice(0, maxHelpers);
}

/** @param total  number of copies, including this one */
function sentenceAbout({ path: file }: Passage, total: number): string {
  const more = total === 2 ? '1 more place' : `${total - 1} more places`;
  return total === 1 ? `A copy is in \`${file}\`.` : `Copies are in \`${file}\` and ${more}.`;
}

function overlaps(one: Passage, other: Passage): boolean {
  return one.path === other.path && one.startLine <= other.endLine && other.startLine <= one.endLine;
}
