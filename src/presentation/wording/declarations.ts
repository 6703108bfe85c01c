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
    const head = headOf(lines, at, line.replace(modifiers, '')).replace(/\s*(?:=>\s*)?[{:]$/, '');
    const signature = head.length <= maxSignature ? head : `${head.slice(0, maxSignature - 1)}…`;
    return [{ name, signature, startLine: at + 1, endLine: end }];
  });
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
