/**
 * Finds the functions that were copied most often. They are listed for agents, which should call them instead of
 * copying them.
 */
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import { lexiconForPath } from '../../../core/engine/languages/allLexicons.ts';
import { judgeText } from '../../../core/engine/rows/category.ts';
import { type Declaration, declarationsIn } from '../../../presentation/wording/declarations.ts';
import { hasOwnName, isCallable } from '../../../presentation/wording/callable.ts';
import { comment } from '../../../presentation/wording/tellingLine.ts';

export interface Helper {
  /** Name of the function. For a static method, begins with that of its class. */
  readonly name: string;
  readonly signature: string;
  /** Path of the copy that other code should call. */
  readonly path: string;
  /** First sentence of the function's comment; if there is none, a sentence about its copies. */
  readonly about: string;
}

const maxHelpers = 10;
/** Maximum number of functions from one group. Otherwise, one long run of copied functions would fill the list. */
const maxOfGroup = 3;
/**
 * Minimum similarity of the copies; the same as for notes of `kindred hook`. Less similar code is often just a pattern.
 */
const leastAlike = 0.7;
/** Minimum share of a function's lines that the passage must contain. */
const leastCovered = 0.8;
/** Minimum number of lines of a function. Replacing a shorter function by a call is not worthwhile. */
const minLines = 5;
const maxSentence = 160;

/**
 * Returns the copied functions, most copies first. Copies with the same function name count before copies with
 * different names.
 */
export function copiedHelpers(
  groups: readonly Group[],
  linesOf: (path: string) => readonly string[] | undefined,
): readonly Helper[] {
  const copied = groups
    .filter(({ kind, category, similarity }) => kind === 'code' && category === 'source' && similarity >= leastAlike)
    .flatMap(({ id, passages, tokens }) => {
      const copies = passages.map((passage) => functionsIn(passage, linesOf(passage.path) ?? []));
      const best = bestCopy(passages, copies);
      return best === undefined ? [] : [{ id, tokens, passages, copies, best, named: countNamed(copies) }];
    })
    .sort(
      (a, b) =>
        b.named - a.named || b.passages.length - a.passages.length || b.tokens - a.tokens || (a.id < b.id ? -1 : 1),
    );
  const helpers: Helper[] = [];
  const listed = new Set<string>();
  for (const { passages, copies, best } of copied) {
    const { path } = passages[best]!;
    let ofGroup = 0;
    for (const one of copies[best]!.filter(({ isCallable: canCall }) => canCall)) {
      const name = qualifiedName(one, linesOf(path)!, lexiconForPath(path).id);
      if (ofGroup === maxOfGroup || listed.has(name) || listed.has(keyOf(path, one))) continue;
      ofGroup++;
      listed.add(name);
      const signature = one.signature.replaceAll(/\(\s+/g, '(');
      const about = sentenceAbove(linesOf(path)!, one) ?? sentenceAbout(passages, best);
      helpers.push({ name, signature, path, about });
      if (helpers.length === maxHelpers) return helpers;
    }
    for (const [i, functions] of copies.entries()) {
      for (const one of functions) listed.add(keyOf(passages[i]!.path, one));
    }
  }
  return helpers;
}

interface CopiedFunction extends Declaration {
  /** True if other files can call the function. */
  readonly isCallable: boolean;
}

/** Returns the functions that a passage contains, longest first. Omits functions nested in another one. */
function functionsIn({ path, startLine, endLine }: Passage, lines: readonly string[]): CopiedFunction[] {
  const language = lexiconForPath(path).id;
  const covered = declarationsIn(lines).filter((one) => {
    const common = Math.min(one.endLine, endLine) - Math.max(one.startLine, startLine) + 1;
    const length = one.endLine - one.startLine + 1;
    return length >= minLines && common >= leastCovered * length && isHelper(one);
  });
  return covered
    .filter((one) => !covered.some((outer) => outer.startLine < one.startLine && outer.endLine >= one.endLine))
    .map((one) => ({ ...one, isCallable: isCallable({ ...one, path, language }, lines) }))
    .sort((a, b) => b.endLine - b.startLine - (a.endLine - a.startLine));
}

/** Matches an assigned value that is not a function, such as `const rows = await ask(…`. */
const assignedValue =
  /^(?:(?:const|let|var|val|local|my)\s+)?[\p{L}_$][\p{L}\p{N}_$.]*\s*(?::[^=]*)?:?=\s*(?!async\b|function\b|func\b|fn\b|lambda\b|[(<]|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)/u;
const typeWord = /^(?:class|interface|struct|enum|union|trait|module|namespace|object|record|type)\b/;

/** Returns true for functions; false for types, tests, tables, and functions that a framework requires. */
function isHelper({ name, signature }: Declaration): boolean {
  const isFunction = signature.includes('(') || signature.startsWith('def ');
  return hasOwnName({ name }) && isFunction && !typeWord.test(signature) && !assignedValue.test(signature);
}

/** Languages in which a static member follows its class after `::`. */
const withColons = new Set(['php', 'cpp']);

/** Returns the name with which other files call a function: that of a static method begins with its class. */
function qualifiedName(one: Declaration, lines: readonly string[], language: string): string {
  const types = declarationsIn(lines).filter(
    (outer) => typeWord.test(outer.signature) && outer.startLine < one.startLine && outer.endLine >= one.endLine,
  );
  return [...types.map(({ name }) => name), one.name].join(withColons.has(language) ? '::' : '.');
}

/**
 * Returns the index of the copy to call: the copy in a source file that has the most functions that other files can
 * call. If several have the same number, returns the first. Returns `undefined` if there is none.
 */
function bestCopy(passages: readonly Passage[], copies: readonly (readonly CopiedFunction[])[]): number | undefined {
  const counts = copies.map((functions, i) =>
    isSource(passages[i]!.path) ? functions.filter((one) => one.isCallable).length : 0,
  );
  const most = Math.max(...counts);
  return most === 0 ? undefined : counts.indexOf(most);
}

/** Returns false for tests, examples, texts, and other files that source code should not call. */
function isSource(path: string): boolean {
  const { prose } = lexiconForPath(path);
  return judgeText(path, { prose, data: false, generated: false }).category === 'source';
}

/** Returns the number of copies that contain the most frequent function name; 0 if all function names are different. */
function countNamed(copies: readonly (readonly CopiedFunction[])[]): number {
  const counts = new Map<string, number>();
  for (const functions of copies) {
    for (const name of new Set(functions.map((one) => one.name))) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  return most > 1 ? most : 0;
}

function keyOf(path: string, { startLine }: Declaration): string {
  return `${path}:${startLine}`;
}

/** Returns the first sentence of the comment above a function, or of its docstring. */
function sentenceAbove(lines: readonly string[], { startLine }: Declaration): string | undefined {
  const above: string[] = [];
  for (let i = startLine - 2; i >= 0; i--) {
    const line = lines[i]!.trim();
    const isDecorator = above.length === 0 && /^(?:@|#\[|\[)/.test(line);
    if (isDecorator) continue;
    if (!comment.test(line) && !line.startsWith('*') && line !== '#') break;
    above.unshift(line);
  }
  const inside = lines.slice(startLine, startLine + 3).map((line) => line.trim());
  const docstring = inside.findIndex((line) => /^[rRuU]?(?:"""|''')/.test(line));
  return firstSentence(docstring < 0 ? above : inside.slice(docstring));
}

/** Matches comments that do not describe the function: instructions for tools, doctests, and file headers. */
const noDescription = /^(?:>>>|eslint|prettier|@|ts-|noqa|pylint|type:|todo|fixme|copyright|spdx|license|region\b|!)/i;

function firstSentence(comments: readonly string[]): string | undefined {
  const words = comments
    .map((line) => line.replace(/^(?:\/\*+!?|\*+\/|\/\/[/!]*|#+|--+|;+|<!--|\*|[rRuU]?(?:"""|'''))\s*/, ''))
    .map((line) => line.replace(/\s*(?:\*+\/|-->|"""|''')\s*$/, '').trim());
  const end = words.findIndex((line, i) => noDescription.test(line) || (line === '' && i > 0 && words[i - 1] !== ''));
  const text = words
    .slice(0, end < 0 ? undefined : end)
    .join(' ')
    .trim();
  const sentence = /^.*?[.!?](?=\s|$)/u.exec(text)?.[0] ?? text;
  if (!/\p{L}{2}.*\s/u.test(sentence)) return undefined;
  const short = sentence.length <= maxSentence ? sentence : `${sentence.slice(0, maxSentence - 1).trimEnd()}…`;
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}

function sentenceAbout(passages: readonly Passage[], best: number): string {
  const others = passages.filter((_, i) => i !== best);
  const { path } = others.find((one) => one.path !== passages[best]!.path) ?? others[0]!;
  const more = others.length - 1;
  const places = more === 1 ? '1 more place' : `${more} more places`;
  return more === 0 ? `A copy is in \`${path}\`.` : `Copies are in \`${path}\` and ${places}.`;
}
