/**
 * Lint rule that rejects comments, and texts of `@param` and `@returns`, that begin with a word such as "Whether".
 * Comments should begin with a noun phrase ("The lines …") or, for a function, with a verb ("Returns …").
 */

const tag = /^@(?:param|returns?|throws)\b/;

/** Opening words to avoid. They begin a clause that replaces a noun. */
export const avoidedOpenings = ['what', 'whether', 'who', 'of', 'those', 'how', 'that'];

/**
 * @typedef {import('estree').SourceLocation} Location
 * @typedef {{ type: string; value: string; range?: [number, number]; loc?: Location | null }} Comment
 */

/**
 * Groups the comments of a text in order. Line comments on consecutive lines are one comment.
 *
 * @param {string} text  text of the file
 * @param {readonly Comment[]} comments  all comments of the file, in order, with their ranges
 * @returns {Comment[][]}
 */
export function joinLineComments(text, comments) {
  /** @type {Comment[][]} */
  const joined = [];
  for (const comment of comments) {
    const previous = joined.at(-1)?.at(-1);
    const between = previous && text.slice(previous.range?.[1], comment.range?.[0]);
    const continues = previous?.type === 'Line' && comment.type === 'Line' && /^\r?\n[ \t]*$/.test(between ?? '');
    // A line comment after code ends on its line.
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
 * Returns the text of a comment without comment markers, one string per line.
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
 * Returns the first word of a comment's text and of each tag's text, in lower case. Directives have none.
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
