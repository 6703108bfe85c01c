/** Describes in words how two passages of code differ, for the first lines of `kindred explain`. */
import { lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import { alignCopies, canAlign, renamedIn } from '../../presentation/copies/renaming.ts';
import { declarationsIn } from '../../presentation/wording/declarations.ts';
import { printable } from '../../presentation/wording/printable.ts';
import { differing } from '../hook/noteText.ts';
import { differenceOf, type NamedText } from '../hook/unitDifference.ts';
import { percent } from './quantities.ts';

export interface ComparedLines {
  readonly path: string;
  readonly lines: readonly string[];
}

/** Sentence about passages that differ only in names. */
export const onlyNames = 'The code is equal except for names.';

const maxNames = 8;
/** Below this similarity, the passages differ in too many places to list any. */
const listsParts = 0.6;

/**
 * Returns sentences about two passages: the share of corresponding tokens, what differs, and which names were renamed.
 * Returns none for prose, for passages in different languages, and for very long ones.
 */
export function explainInWords(a: ComparedLines, b: ComparedLines): readonly string[] {
  const lexicon = lexiconForPath(a.path);
  const [left, right] = [named(a), named(b)];
  if (lexicon.prose || lexicon !== lexiconForPath(b.path) || !canAlign(left.text, right.text)) return [];
  const { similarity, parts } = differenceOf(left, right, lexicon.id);
  const names = renamedIn(alignCopies(left.text, right.text, lexicon.id)).filter(({ isCertain }) => isCertain);
  const shown = names.slice(0, maxNames).map((one) => `${one.left} → ${one.right}`);
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  const renamed = names.length === 0 ? [] : [`Renamed throughout: ${shown.join(', ')}${more}.`];
  const share = `${percent(similarity)} of the tokens correspond, renamed names included`;
  const sentences =
    parts.length === 0
      ? [names.length === 0 ? 'The code is equal.' : onlyNames, ...renamed]
      : similarity < listsParts
        ? [`${share}; the statements differ in ${parts.length} places.`, ...renamed]
        : [`${share}; it ${differing(parts)}.`, ...renamed];
  return sentences.map(printable);
}

/** Returns the text of the lines, and the name of the declaration that begins there. */
function named({ lines }: ComparedLines): NamedText {
  const declaration = declarationsIn(lines).find(({ startLine }) => startLine === 1);
  return { name: declaration?.name ?? '', text: lines.join('\n') };
}
