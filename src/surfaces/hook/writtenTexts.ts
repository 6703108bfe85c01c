/** Finds the declarations that an agent has just written, which the hook then searches for. */
import { declarationsIn } from '../../presentation/wording/declarations.ts';
import type { Declaration } from '../../presentation/wording/declarations.ts';
import type { Edit } from './hookEvent.ts';

/** Minimum share of a declaration's lines that are newly written. Below it, the declaration counts as edited. */
const minWritten = 0.7;
/** Maximum number of declarations to search for, longest first. */
const maxTexts = 20;
const minLines = 3;

/**
 * Returns the declarations of a file whose lines the agent has mostly written in these edits.
 *
 * @param content  content of the file after the edits
 */
export function writtenDeclarations(content: string, edits: readonly Edit[]): Declaration[] {
  const written = new Set(edits.flatMap((edit) => writtenLines(content, edit)));
  return declarationsIn(content.split(/\r?\n/))
    .filter(({ startLine, endLine }) => {
      const lines = Array.from({ length: endLine - startLine + 1 }, (_, i) => startLine + i);
      return lines.length >= minLines && lines.filter((line) => written.has(line)).length >= minWritten * lines.length;
    })
    .sort((a, b) => b.endLine - b.startLine - (a.endLine - a.startLine))
    .slice(0, maxTexts);
}

/** Returns the line numbers, from 1, of an edit in the file, without unchanged lines at both of its ends. */
function writtenLines(content: string, { before, after }: Edit): number[] {
  const at = content.indexOf(after);
  if (at < 0) return [];
  const [old, now] = [before.split('\n'), after.split('\n')];
  let kept = 0;
  while (kept < old.length && kept < now.length && old[kept] === now[kept]) kept++;
  let end = 0;
  while (end < old.length - kept && end < now.length - kept && old.at(-1 - end) === now.at(-1 - end)) end++;
  const first = content.slice(0, at).split('\n').length;
  return now.slice(kept, now.length - end).map((_, i) => first + kept + i);
}
