/** Finds the functions in a copied passage, and their documentation. */
import type { Passage } from '../../core/engine/report/report.ts';
import { hasOwnName, isCallable } from './callable.ts';
import { type Declaration, declarationsIn, hasBody } from './declarations.ts';
import { indentOf } from './passageName.ts';
import { comment } from './tellingLine.ts';

export interface CopiedFunction extends Declaration {
  /** True if other files can call the function. */
  readonly isCallable: boolean;
}

/** Minimum share of a function's lines that the passage must contain. */
const minCovered = 0.8;
/** Minimum number of lines of a function. Replacing a shorter function by a call is not worthwhile. */
const minLines = 5;
const maxSentence = 160;

/**
 * Returns the functions that a passage contains, longest first. Omits functions nested in other functions.
 *
 * @param lines     lines of the passage's file
 * @param language  VS Code id of its language
 * @param declared  declarations of the file, if they are known
 */
export function copiedFunctions(
  { path, startLine, endLine }: Passage,
  lines: readonly string[],
  language: string,
  declared: readonly Declaration[] = declarationsIn(lines),
): CopiedFunction[] {
  const covered = declared.filter((one) => {
    const common = Math.min(one.endLine, endLine) - Math.max(one.startLine, startLine) + 1;
    const length = one.endLine - one.startLine + 1;
    return length >= minLines && common >= minCovered * length && isHelper(one);
  });
  return covered
    .filter((one) => !covered.some((outer) => outer.startLine < one.startLine && outer.endLine >= one.endLine))
    .map((one) => ({ ...one, isCallable: isCallable({ ...one, path, language }, lines) }))
    .sort((a, b) => b.endLine - b.startLine - (a.endLine - a.startLine));
}

/** Matches an assigned value that is not a function, such as `const rows = await ask(…`. */
const assignedValue =
  /^(?:(?:const|let|var|val|local|my)\s+)?[\p{L}_$][\p{L}\p{N}_$.]*\s*(?::[^=]*)?:?=\s*(?!\s|async\b|function\b|func\b|fn\b|lambda\b|[(<]|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)/u;
/** Matches the initializers of a constructor in C++, whose first call is not the name of a function. */
const initializers = /\)\s*:\s*[\p{L}_][\p{L}\p{N}_:]*\(/u;
/** Matches the signature of a type. */
export const typeWord = /^(?:class|interface|struct|enum|union|trait|module|namespace|object|record|type)\b/;

/** Returns true for functions; false for types, tests, tables, and functions that a framework requires. */
function isHelper({ name, signature }: Declaration): boolean {
  const isFunction = signature.includes('(') || signature.startsWith('def ');
  const isOther = [typeWord, assignedValue, initializers].some((pattern) => pattern.test(signature));
  return hasOwnName({ name }) && isFunction && !isOther;
}

/**
 * Returns the first sentence of the comment above a function, or of its docstring. If there is none, returns that of
 * the overload signature directly above.
 */
export function sentenceAbove(lines: readonly string[], one: Declaration): string | undefined {
  const sentence = sentenceAt(lines, one);
  if (sentence !== undefined) return sentence;
  const startLine = startOfOverload(lines, one);
  return startLine === undefined ? undefined : sentenceAbove(lines, { ...one, startLine });
}

/** Maximum number of lines of an overload signature. */
const maxOverload = 20;

/** Returns the first line of the overload signature that ends directly above a function, if there is one. */
function startOfOverload(lines: readonly string[], { name, startLine }: Declaration): number | undefined {
  const endLine = startLine - 1;
  for (let start = endLine; start > Math.max(0, endLine - maxOverload); start--) {
    const line = lines[start - 1]!;
    if (line.trim() === '') return undefined;
    const words = line.split(/[(<]/)[0]!.split(/\s/);
    const isHead = indentOf(line) === indentOf(lines[startLine - 1]!) && words.at(-1) === name;
    if (isHead) return hasBody({ startLine: start, endLine }, lines) ? undefined : start;
  }
  return undefined;
}

function sentenceAt(lines: readonly string[], { startLine }: Pick<Declaration, 'startLine'>): string | undefined {
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
const noDescription =
  /^(?:>>>|eslint|prettier|clang-format|@|ts-|noqa|pylint|type:|todo|fixme|copyright|spdx|license|region\b|!)/i;

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
