/** `kindred explain A:10-42 B:7-39`: explains how similar two passages are, and why. */
import { existsSync } from 'node:fs';
import { explainPassages, type PassageExplanation, type PassageText } from '../../core/engine/explainPassages.ts';
import type { ExplainedFeature } from '../../core/methods/explain.ts';
import type { Options } from '../../core/engine/options.ts';
import { readSource } from '../../scan/io/readSource.ts';
import type { Problem } from './scanArguments.ts';
import { percent } from './quantities.ts';
import { printable } from '../../presentation/wording/printable.ts';

/**
 * A place as the user enters it: "src/a.ts:10-42", "src/a.ts:10", or "src/a.ts". A place may contain columns, as in
 * JSON reports: "src/a.ts:10:5-42:3".
 */
export interface Place {
  readonly file: string;
  readonly lines: Ends | undefined;
  readonly columns: Ends | undefined;
}

interface Ends {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a place. If the entire text is the name of an existing file, does not look for a range of lines at its end.
 */
export function parsePlace(text: string): Place {
  const whole = { file: text, lines: undefined, columns: undefined };
  if (existsSync(text)) return whole;
  const precise = /^(.+):(\d+):(\d+)-(\d+):(\d+)$/.exec(text);
  if (precise) {
    const [, file = '', startLine, startColumn, endLine, endColumn] = precise;
    const endsOf = (start = '', end = ''): Ends => ({ start: Number(start), end: Number(end) });
    return { file, lines: endsOf(startLine, endLine), columns: endsOf(startColumn, endColumn) };
  }
  const [, file = '', start = '', end = start] = /^(.+):(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  return file === '' ? whole : { file, lines: { start: Number(start), end: Number(end) }, columns: undefined };
}

/** Compares two passages. Returns the explanation, or an error message about one of the places. */
export function explainPlaces(
  places: readonly [Place, Place],
  options: Options,
  most: number,
): PassageExplanation | Problem {
  const passages: PassageText[] = [];
  for (const place of places) {
    const passage = readPlace(place);
    if ('problem' in passage) return passage;
    passages.push(passage);
  }
  const [a, b] = passages as [PassageText, PassageText];
  const decode = (utf8: Uint8Array): string => Buffer.from(utf8).toString('utf8');
  const explanation = explainPassages(a, b, options, { most, decode });
  for (const [at, { path, startLine, endLine, tokens, totalLines }] of [explanation.a, explanation.b].entries()) {
    if (startLine > totalLines) {
      return problem(`${path} has only ${totalLines} lines; line ${startLine} does not exist.`);
    }
    if (tokens === 0) {
      const lines = places[at]?.lines ? ` in lines ${startLine}-${endLine}` : '';
      return problem(`${path} has nothing to compare${lines}; ${ignored(options)}.`);
    }
  }
  return explanation;
}

function ignored({ readComments }: Options): string {
  return readComments === 'asText'
    ? 'whitespace is ignored'
    : 'whitespace is ignored, and so are comments without --read-comments asText';
}

function readPlace({ file, lines, columns }: Place): PassageText | Problem {
  if (!existsSync(file)) return problem(`there is no file ${file}; check the path.`);
  if (lines && (lines.start < 1 || lines.end < lines.start)) {
    return problem(
      `${file}:${lines.start}-${lines.end} is not a valid range of lines; lines count from 1, and the end must not precede the start.`,
    );
  }
  if (lines && columns) {
    const isBackwards = lines.start === lines.end && columns.end <= columns.start;
    if (columns.start < 1 || columns.end < 1 || isBackwards) {
      return problem(
        `${file}:${lines.start}:${columns.start}-${lines.end}:${columns.end} is not a valid range; columns count from 1, and the end must be after the start.`,
      );
    }
  }
  const source = readSource({ file, path: file }, { maxFileSizeBytes: 2 ** 30, generated: true }, (size) =>
    Buffer.alloc(size),
  );
  if ('skipped' in source) return problem(`${file} cannot be compared: ${source.skipped.reason}.`);
  return { path: file, text: source.bytes, ...(lines ? { lines } : {}), ...(columns ? { columns } : {}) };
}

function problem(words: string): Problem {
  return { type: 'problem', problem: words };
}

export function renderExplanation(explanation: PassageExplanation, options: Options): string {
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
    row('similarity', percent(explanation.similarity), 'of the tokens are identical in both, in the same order'),
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
