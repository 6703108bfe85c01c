/** `kindred explain A:10-42 B:7-39`: explains how similar two passages are, and why. */
import { explainPassages, type PassageExplanation, type PassageText } from '../../core/engine/explainPassages.ts';
import type { ExplainedFeature } from '../../core/methods/explain.ts';
import type { Options } from '../../core/engine/options.ts';
import { type Place, readPlace } from './readPlace.ts';
import type { Problem } from './scanArguments.ts';
import { percent } from './quantities.ts';
import { printable } from '../../presentation/wording/printable.ts';
import { lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import { alignCopies, canAlign, renamedIn } from '../../presentation/copies/renaming.ts';
import { declarationsIn } from '../../presentation/wording/declarations.ts';
import { differing } from '../hook/noteText.ts';
import { differenceOf, type NamedText } from '../hook/unitDifference.ts';

/** Measures of two passages, and sentences about their differences. */
export type PlaceExplanation = PassageExplanation & { readonly sentences: readonly string[] };

/** Compares two passages. Returns the explanation, or an error message about one of the places. */
export function explainPlaces(
  places: readonly [Place, Place],
  options: Options,
  limit: number,
): PlaceExplanation | Problem {
  const passages: PassageText[] = [];
  for (const place of places) {
    const text = readPlace(place);
    if ('problem' in text) return text;
    const { file, lines, columns } = place;
    passages.push({ path: file, text, lines, columns });
  }
  const [a, b] = passages as [PassageText, PassageText];
  const decode = (utf8: Uint8Array): string => Buffer.from(utf8).toString('utf8');
  const explanation = explainPassages(a, b, options, { limit, decode });
  for (const [at, { path, startLine, endLine, tokens, totalLines }] of [explanation.a, explanation.b].entries()) {
    if (startLine > totalLines) {
      return problem(`${path} has only ${totalLines} lines; line ${startLine} does not exist.`);
    }
    if (tokens === 0) {
      const lines = places[at]?.lines ? ` in lines ${startLine}-${endLine}` : '';
      return problem(`${path} has nothing to compare${lines}; ${ignored(options)}.`);
    }
  }
  const [left, right] = [explanation.a, explanation.b].map(({ path, startLine, endLine }, at) => ({
    path,
    lines: decode(passages[at]!.text)
      .split(/\r\n|\n|\r/)
      .slice(startLine - 1, endLine),
  }));
  return { ...explanation, sentences: explainInWords(left!, right!) };
}

function ignored({ readComments }: Options): string {
  return readComments === 'asText'
    ? 'whitespace is ignored'
    : 'whitespace is ignored, and so are comments without --read-comments asText';
}

function problem(words: string): Problem {
  return { type: 'problem', problem: words };
}

export function renderExplanation(explanation: PlaceExplanation, options: Options): string {
  const { a, b } = explanation;
  const [nameA, nameB] = [a, b].map(({ path, startLine, endLine }) => printable(`${path}:${startLine}-${endLine}`)) as [
    string,
    string,
  ];
  const row = (name: string, value: string, words: string): string =>
    `${name.padEnd(22)}${value.padStart(5)}  ${words}`;
  return [
    ...[
      [nameA, a],
      [nameB, b],
    ].map(([name, passage]) => `${name as string}  ${(passage as { tokens: number }).tokens} tokens`),
    '',
    ...(explanation.sentences.length === 0 ? [] : [...explanation.sentences, '']),
    row('same tokens', percent(explanation.sameTokens), 'of the tokens are identical in both, in the same order'),
    row('', '', 'the similarity of a scan or search also counts consistently renamed names'),
    row(
      'resemblance',
      percent(explanation.resemblance),
      `of the distinct shingles (${explanation.shingleSize} tokens) occur in both`,
    ),
    row('containment', percent(explanation.containmentOfA), `of the shingles in ${nameA} also occur in ${nameB}`),
    row('', percent(explanation.containmentOfB), `of the shingles in ${nameB} also occur in ${nameA}`),
    row(
      'weighted resemblance',
      percent(explanation.weightedResemblance),
      'of the total weight of the shingles is in both',
    ),
    row('distance', String(explanation.distance), `of 64 bits differ: ${explanation.fingerprints.join(' and ')}`),
    ...(explanation.distance > options.maxDistance && explanation.sentences[0] === onlyNames
      ? [row('', '', 'renamed names change a fingerprint; a scan finds renamed copies by the form of their code, too')]
      : []),
    row(
      'closest windows',
      windows(explanation),
      `a scan considers pairs of windows up to ${options.maxDistance} bits (code) or ${options.prose.maxDistance} bits (prose) apart`,
    ),
    '',
    ...features('Shared features, by weight (first, second):', explanation.shared),
    '',
    ...features('Differing features, by weight (first, second):', explanation.differing),
    '',
  ].join('\n');
}

function windows({ windowDistance }: PassageExplanation): string {
  return windowDistance === 64 ? 'none' : String(windowDistance);
}

function features(title: string, list: readonly ExplainedFeature[]): string[] {
  if (list.length === 0) return [title, '   nothing'];
  const number = (weight: number): string => weight.toFixed(2).padStart(8);
  return [
    title,
    ...list.map(({ tokens, weightInA, weightInB }) => {
      const text = tokens.map((token) => (token.length > 40 ? `${token.slice(0, 39)}…` : token)).join(' ');
      return `${number(weightInA)}${number(weightInB)}   ${printable(text)}`;
    }),
  ];
}

interface ComparedLines {
  readonly path: string;
  readonly lines: readonly string[];
}

/** Sentence about passages that differ only in names. */
const onlyNames = 'The code is equal except for names.';

const maxNames = 8;
/** Below this similarity, the passages differ in too many places to list any. */
const listsParts = 0.6;

/**
 * Returns sentences about two passages: the share of corresponding tokens, what differs, and which names were renamed.
 * Returns none for prose, for passages in different languages, and for very long ones.
 */
function explainInWords(a: ComparedLines, b: ComparedLines): readonly string[] {
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
