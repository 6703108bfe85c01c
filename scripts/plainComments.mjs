/**
 * Rule of the linter: rejects comments, and texts of `@param` and `@returns`, that begin with a word such as "Whether".
 * A comment names the thing with a noun ("The lines …") or says what a function does with a verb ("Returns …").
 */

const tag = /^@(?:param|returns?|throws)\b/;

/** The opening words to avoid: they begin a clause that stands in for a noun. */
export const avoidedOpenings = ['what', 'whether', 'who', 'of', 'those', 'how', 'that'];

/**
 * @typedef {{ type: string; value: string; range?: [number, number]; loc?: import('estree').SourceLocation | null }} Comment
 */

/**
 * The comments of a text, in order. Line comments on consecutive lines are one comment.
 *
 * @param {string} text  of the whole file
 * @param {readonly Comment[]} comments  all of the file, in order, with their ranges
 * @returns {Comment[][]}
 */
export function joinLineComments(text, comments) {
  /** @type {Comment[][]} */
  const joined = [];
  for (const comment of comments) {
    const previous = joined.at(-1)?.at(-1);
    const between = previous && text.slice(previous.range?.[1], comment.range?.[0]);
    const continues = previous?.type === 'Line' && comment.type === 'Line' && /^\r?\n[ \t]*$/.test(between ?? '');
    // A line comment beside code ends on its line.
    if (continues && joined.at(-1)?.length === 1 && isBesideCode(text, previous)) joined.push([comment]);
    else if (continues) joined.at(-1)?.push(comment);
    else joined.push([comment]);
  }
  return joined;
}

/**
 * @param {string} text
 * @param {Comment} comment
 */
function isBesideCode(text, comment) {
  const start = comment.range?.[0] ?? 0;
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() !== '';
}

/**
 * The text of a comment without its marks, one string for each of its lines.
 *
 * @param {readonly Comment[]} comment
 * @returns {string[]}
 */
export function linesOf(comment) {
  return comment
    .flatMap(({ value }) => value.split('\n'))
    .map((line) => line.replace(/^\s*\*?\s?/, '').trimEnd())
    .filter((line, index, { length }) => line !== '' || (index > 0 && index < length - 1));
}

/**
 * The opening words of a comment, in lower case: of its text, and of the text of each tag. Directives have none.
 *
 * @param {readonly string[]} lines
 * @returns {string[]}
 */
export function openingWords(lines) {
  const texts = lines.filter((line, index) => index === 0 || tag.test(line)).map(withoutTag);
  return texts.flatMap((text) => /^[\p{L}]+/u.exec(text)?.[0].toLowerCase() ?? []);
}

/** @param {string} line */
function withoutTag(line) {
  return line
    .replace(/^@(?:returns?|throws)\s+(?:\{.*?\}\s+)?/, '')
    .replace(/^@param\s+(?:\{.*?\}\s+)?\S+\s+(?:-\s+)?/, '');
}

/** @type {import('eslint').Rule.RuleModule} */
export const plainComments = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      opening: 'Begin with a noun ("The lines …", "True if …") or a verb ("Returns …"), not with "{{word}}".',
    },
  },
  create: ({ sourceCode, report }) => ({
    Program() {
      const comments = /** @type {Comment[]} */ (sourceCode.getAllComments());
      for (const joined of joinLineComments(sourceCode.text, comments)) {
        const word = openingWords(linesOf(joined)).find((opening) => avoidedOpenings.includes(opening));
        const loc = joined[0]?.loc;
        if (word && loc) report({ loc, messageId: 'opening', data: { word } });
      }
    },
  }),
};
