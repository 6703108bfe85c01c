/** Creates the notes in a baseline file, by which reviewers recognize its entries. */
import type { Group, Passage } from '../../core/engine/report/report.ts';
import { passageName } from './passageName.ts';
import { tellingLine } from './tellingLine.ts';

/** Control characters and invisible format characters, which could change how a note is displayed. */
const invisible = /[\p{Cc}\p{Cf}]+/gu;

/**
 * Returns the note for a copy. The note for a whole file contains no lines and no text.
 *
 * @param path   path to mention in the note
 * @param lines  lines of the file, at least up to the end of the passage; empty if not available
 */
export function entryNote(
  { kind }: Pick<Group, 'kind'>,
  { startLine, endLine }: Pick<Passage, 'startLine' | 'endLine'>,
  path: string,
  lines: readonly string[],
): { readonly at: string; readonly name?: string; readonly text?: string } {
  const shownPath = visible(path);
  if (kind === 'file') return { at: shownPath };
  const name = passageName(lines, startLine - 1, endLine, kind, path)?.name;
  const text = tellingLine(lines.slice(startLine - 1, endLine), kind, path);
  return {
    at: `${shownPath}:${startLine === endLine ? startLine : `${startLine}-${endLine}`}`,
    ...(name && { name: visible(name) }),
    ...(text && { text: visible(text) }),
  };
}

function visible(text: string): string {
  return text.replaceAll(invisible, ' ').trim();
}
