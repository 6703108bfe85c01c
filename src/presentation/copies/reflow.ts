/** Reformats prose to one sentence per line, so that a comparison does not show different line breaks as changes. */

/** A line of the reformatted text: a sentence, or an unchanged line of the original. */
export interface ReflowedLine {
  readonly text: string;
  /** Index of the original line on which this line begins. */
  readonly line: number;
}

/** Lines that are never joined with others: headings, rules, table rows, quotes, comments, tags, and directives. */
const standsAlone = /^\s*(?:[#>|=~:<@%\\]|([-*_])\1{2,}\s*$|\/\/|\[[^\]]+\]:|\.\.\s|import\s.*\sfrom\s+['"])/;
/** First line of a list item. The following lines may continue the item. */
const item = /^\s*(?:[-*+]|\d+[.)])\s/;
/** Indented code. It cannot follow a paragraph directly. */
const indented = /^(?: {4}|\t)/;
const fence = /^\s*(`{3,}|~{3,})/;
const frontMatter = /^(-{3}|\+{3})\s*$/;
/** First line of an HTML comment that does not end on this line. Such comments often contain data. */
const commentStart = /^\s*<!--(?!.*-->)/;
const commentEnd = '-->';

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/**
 * End of a segment after which a sentence can begin: a space, or the end of a sentence in a script without spaces.
 * Markup may follow a mark without a space, as in "*(done!)*:". A number may follow an abbreviation, as in "e.g. 400".
 */
const sentenceEnd = /(?:(?<!\b(?:e\.g|i\.e|cf|vs)\.)\s|[。！？｡]\p{P}*)$/iu;

/**
 * Joins the lines of each paragraph and list item, and starts a new line after each sentence. Keeps all other lines,
 * including fenced code, front matter, and HTML comments.
 *
 * @param above  lines of the file before `lines`; they may open a fence
 */
export function reflow(lines: readonly string[], above: readonly string[] = []): ReflowedLine[] {
  const reflowed: ReflowedLine[] = [];
  let paragraph: ReflowedLine[] = [];
  let open: string | undefined;
  for (const [line, text] of above.entries()) open = openAfter(text, open, line === 0);
  const end = (): void => {
    reflowed.push(...sentencesOf(paragraph));
    paragraph = [];
  };
  for (const [line, text] of lines.entries()) {
    const before = open;
    open = openAfter(text, before, above.length + line === 0);
    const isCode = (before ?? open) !== undefined || (paragraph.length === 0 && indented.test(text));
    const isKept = isCode || text.trim() === '' || standsAlone.test(text);
    if (isKept || item.test(text)) end();
    (isKept ? reflowed : paragraph).push({ text, line });
  }
  end();
  return reflowed;
}

/**
 * If fenced code, front matter, or a comment is still open after a line, returns the beginning of the mark that closes
 * it; otherwise `undefined`.
 *
 * @param open     result for the line before
 * @param isFirst  true for the first line of a file, where front matter begins
 */
function openAfter(text: string, open: string | undefined, isFirst: boolean): string | undefined {
  const marks = fence.exec(text)?.[1];
  if (open === commentEnd) return text.includes(commentEnd) ? undefined : open;
  if (open === undefined && commentStart.test(text)) return commentEnd;
  if (open === undefined) return marks ?? (isFirst ? frontMatter.exec(text)?.[1] : undefined);
  const closing = marks ?? frontMatter.exec(text)?.[1];
  return closing?.startsWith(open) === true ? undefined : open;
}

function sentencesOf(paragraph: readonly ReflowedLine[]): ReflowedLine[] {
  /** Offset of each original line in the joined text. */
  const offsets: number[] = [];
  let joined = '';
  for (const [place, { text }] of paragraph.entries()) {
    offsets.push(joined.length);
    joined += place === 0 ? text.trimEnd() : ` ${text.trim()}`;
  }
  return segmentsOf(joined).map(({ segment, index }, place) => {
    const begins = index + segment.length - segment.trimStart().length;
    const line = offsets.filter((offset) => offset <= begins).length - 1;
    return { text: place === 0 ? segment.trimEnd() : segment.trim(), line: paragraph[line]!.line };
  });
}

/** Returns the sentences of a text, with their offsets. */
function segmentsOf(text: string): { readonly segment: string; readonly index: number }[] {
  const segments: { segment: string; readonly index: number }[] = [];
  for (const { segment, index } of segmenter.segment(text)) {
    const last = segments.at(-1);
    if (last === undefined || sentenceEnd.test(last.segment)) segments.push({ segment, index });
    else last.segment += segment;
  }
  return segments;
}
