/** Creates an edit that inserts comments into the file, so that Kindred ignores a copy. */
import type { Lexicon } from '../../../core/engine/languages/lexicalRules.ts';
import { lexiconForPath } from '../../../core/engine/languages/allLexicons.ts';
import type { Passage } from '../../../core/engine/report/report.ts';

export interface InsertedLine {
  /** Line, counted from 0, above which the comment is inserted. */
  readonly line: number;
  readonly text: string;
}

/**
 * Returns the comments to insert above and below a passage. Returns `undefined` if the language has no comments.
 *
 * @param text  text of the file
 */
export function ignoreEdit(
  { path, startLine, endLine }: Passage,
  text: string,
): readonly [InsertedLine, InsertedLine] | undefined {
  const comment = commentIn(lexiconForPath(path));
  if (comment === undefined) return undefined;
  const lines = text.split(/\r\n|\n|\r/);
  const indentation = /^\s*/.exec(lines[startLine - 1] ?? '')![0];
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  // If the last line has no line break, insert one first.
  const isLast = endLine >= lines.length;
  const [start, stop] = [`kindred-ignore-start state why the copy is intended`, 'kindred-ignore-end'].map(
    (words) => indentation + comment(words),
  );
  return [
    { line: startLine - 1, text: start! + end },
    { line: endLine, text: isLast ? end + stop! : stop! + end },
  ];
}

/** Returns a function that formats a text as a comment of a language; `undefined` if the language has none. */
function commentIn({ rules, prose, markup }: Lexicon): ((words: string) => string) | undefined {
  const isPlain = ({ open, where }: Lexicon['rules'][number]): boolean => where === undefined && /^\S{1,4}$/.test(open);
  const line = rules.find((rule) => rule.type === 'lineComment' && isPlain(rule));
  if (line && !markup) return (words) => `${line.open} ${words}`;
  const block = rules.find((rule) => rule.type === 'blockComment' && isPlain(rule));
  if (block?.type === 'blockComment' && !markup) return (words) => `${block.open} ${words} ${block.close}`;
  const hash = rules.find((rule) => rule.type === 'lineComment');
  if (hash && !markup) return (words) => `${hash.open} ${words}`;
  return prose || markup ? (words) => `<!-- ${words} -->` : undefined;
}
