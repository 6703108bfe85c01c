/**
 * Finds the declarations in a file: their names, signatures, and lines. No parser is needed: a declaration ends where
 * its indentation ends. So this works for any language with indented code.
 */
import { commentsApart, headOf, indentOf, nameAt } from './passageName.ts';
import { modifiers } from './tellingLine.ts';

export interface Declaration {
  readonly name: string;
  /** The first lines of the declaration, joined to one line, up to the bracket that opens the body. */
  readonly signature: string;
  /** First line, counted from 1. */
  readonly startLine: number;
  /** Last line, counted from 1, inclusive. */
  readonly endLine: number;
}

/** Maximum length of a signature in characters. Longer ones are truncated. */
const maxSignature = 120;

/** Returns the declarations of a file, including nested ones, by ascending first line. */
export function declarationsIn(lines: readonly string[]): Declaration[] {
  const trimmed = lines.map((line) => line.trim());
  const isCode = commentsApart(trimmed);
  return trimmed.flatMap((line, at): Declaration[] => {
    if (line === '' || !isCode(at)) return [];
    const name = nameAt(lines, at, line, 0);
    const end = endOfBlock(lines, at);
    // A declaration on a single line is not worth reusing.
    if (name === undefined || end === at + 1) return [];
    const bare = line.replace(modifiers, '');
    const head = fullHead(lines, at, headOf(lines, at, bare), end).replace(/\s*(?:=>\s*)?[{:]$/, '');
    const signature = head.length <= maxSignature ? head : `${head.slice(0, maxSignature - 1)}…`;
    return [{ name, signature, startLine: at + 1, endLine: end }];
  });
}

/**
 * Returns true if a declaration has a body. Overload signatures, abstract methods, and prototypes have none.
 *
 * @param lines  lines of the declaration's file
 */
export function hasBody(
  { startLine, endLine }: Pick<Declaration, 'startLine' | 'endLine'>,
  lines: readonly string[],
): boolean {
  const text = lines.slice(startLine - 1, endLine).join('\n');
  const isAssigned = /(?<![=!<>])=(?![=>])/.test(text);
  return isAssigned || !/;\s*$/.test(text) || endOfHead(text) < text.trimEnd().length - 1;
}

/** Returns a name without the names of classes before it. */
export function lastName({ name }: Pick<Declaration, 'name'>): string {
  return name.slice(name.search(/[^.:#]+$/));
}

/** Maximum number of declarations to list in an error message. */
const maxNames = 20;

/**
 * Returns the only declaration with a name. If there is none or more than one, returns an error message that lists what
 * there is.
 *
 * @param file  name of the file, as the user has written it
 */
export function declarationNamed(
  file: string,
  lines: readonly string[],
  name: string,
): Declaration | { readonly problem: string } {
  const named = declarationsNamed(lines, name);
  const [only] = named;
  if (only === undefined) return { problem: `${file} has no declaration ${name}; ${namesLike(name, lines)}.` };
  if (named.length === 1) return only;
  const places = named.map(({ startLine, endLine }) => `${startLine}-${endLine}`).join(', ');
  return { problem: `${file} has ${named.length} declarations ${name}; specify the lines of one: ${places}.` };
}

/** Returns a clause with the names of a file's declarations. Those that resemble a name come first. */
function namesLike(name: string, lines: readonly string[]): string {
  const last = name.slice(name.search(/[^.:#]*$/)).toLowerCase();
  const unlikeness = (other: string): number => {
    const lower = other.toLowerCase();
    return lower.includes(last) ? 0 : lower.startsWith(last.slice(0, 4)) ? 1 : 2;
  };
  const names = [...new Set(declarationsIn(lines).map((one) => one.name))];
  names.sort((a, b) => unlikeness(a) - unlikeness(b));
  const more = names.length > maxNames ? `, and ${names.length - maxNames} more` : '';
  return names.length === 0 ? 'specify its lines' : `it has ${names.slice(0, maxNames).join(', ')}${more}`;
}

/** Returns the declarations with a name, such as `parseDay`, `Calendar.parseDay`, or `Calendar::parseDay`. */
function declarationsNamed(lines: readonly string[], name: string): Declaration[] {
  const all = declarationsIn(lines);
  const [, around = '', last = name] = /^(.+?)(?:\.|::|#)([^.:#]+)$/.exec(name) ?? [];
  const isNamed = (one: Declaration, wantedName: string): boolean =>
    one.name === wantedName ||
    (/[.:#]/.test(one.name.at(-1 - wantedName.length) ?? '') && one.name.endsWith(wantedName));
  const isAround = (outer: Declaration, one: Declaration): boolean =>
    outer.startLine < one.startLine && outer.endLine >= one.endLine && isNamed(outer, around);
  const found = all.filter(
    (one) => isNamed(one, name) || (around !== '' && isNamed(one, last) && all.some((outer) => isAround(outer, one))),
  );
  // Overload signatures do not count if there is a body.
  const withBody = found.filter((one) => hasBody(one, lines));
  return withBody.length > 0 ? withBody : found;
}

/** Matches a head up to a parameter that is taken apart: `const Item = ({`. */
const destructured = /(?:=\s*(?:async\s*)?|\bfunction\s+[\p{L}_$][\p{L}\p{N}_$]*)\(\s*\{$/u;

/**
 * Returns a head, extended to the bracket that opens the body if the head ends with another bracket, as in
 * `Promise<{` and `const Item = ({`, or before a type of the result on the next line.
 */
function fullHead(lines: readonly string[], at: number, head: string, end: number): string {
  const isBeforeType = /\):$/.test(head) && lines[at + 1]?.trim().startsWith('{') === true;
  if (!isBeforeType && !/[<:|&]\s*\{$/.test(head) && !destructured.test(head)) return head;
  const text = lines.slice(at, end).join('\n').trimStart().replace(modifiers, '');
  return text.slice(0, endOfHead(text) + 1).replaceAll(/\s+/g, ' ');
}

/**
 * Returns the index of the bracket that opens the body of a declaration, or of the semicolon that ends a declaration
 * without a body. Returns the index of the last character if there is neither.
 */
function endOfHead(text: string): number {
  let depth = 0;
  let before = '';
  for (const { 0: sign, index } of text.matchAll(/\/\/.*|\/\*[^]*?\*\/|"[^"\n]*"|'[^'\n]*'|`[^`]*`|=>|->|[^\s]/g)) {
    if (/^\/[/*]/.test(sign)) continue;
    if (depth === 0 && (sign === ';' || (sign === '{' && !/[:|&<,]/.test(before)))) return index;
    if (/^[({[<]$/.test(sign)) depth++;
    else if (/^[)}\]>]$/.test(sign)) depth--;
    before = sign;
  }
  return text.trimEnd().length - 1;
}

/** Returns the index of the line after the block that begins at a line. */
function endOfBlock(lines: readonly string[], at: number): number {
  const indent = indentOf(lines[at]!);
  let end = at + 1;
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i]!.trim();
    if (line === '') continue;
    const depth = indentOf(lines[i]!);
    const continues = depth > indent || (depth === indent && /^(?:[)\]}{]|end\b|else\b|catch\b|finally\b)/.test(line));
    if (!continues) break;
    end = i + 1;
    if (depth === indent && /^(?:\}|end\b)[;,)]*$/.test(line)) break;
  }
  return end;
}
