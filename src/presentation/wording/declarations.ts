/**
 * Declarations of a file: their names, heads, and lines. It does not parse. A declaration ends where its indentation
 * ends, which works in any indented language.
 */
import { commentsApart, headOf, indentOf, nameAt } from './passageName.ts';
import { modifiers } from './tellingLine.ts';

export interface Declaration {
  readonly name: string;
  /** First lines up to the bracket of the body, as one line. */
  readonly signature: string;
  /** First line, from 1. */
  readonly startLine: number;
  /** Last line, inclusive. */
  readonly endLine: number;
}

/** Longer signatures are truncated. */
const maxSignature = 120;

/** Returns the declarations of a file by ascending first line, with those inside others. */
export function declarationsIn(lines: readonly string[]): Declaration[] {
  const trimmed = lines.map((line) => line.trim());
  const isCode = commentsApart(trimmed);
  return trimmed.flatMap((line, at): Declaration[] => {
    if (line === '' || !isCode(at)) return [];
    const name = nameAt(lines, at, line, 0);
    const end = endOfBlock(lines, at);
    // A declaration of one line is a name, not a text to copy.
    if (name === undefined || end === at + 1) return [];
    const head = headOf(lines, at, line.replace(modifiers, '')).replace(/\s*(?:=>\s*)?[{:]$/, '');
    const signature = head.length <= maxSignature ? head : `${head.slice(0, maxSignature - 1)}…`;
    return [{ name, signature, startLine: at + 1, endLine: end }];
  });
}

/** Returns the line after the last one of the block that begins at a line. */
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
