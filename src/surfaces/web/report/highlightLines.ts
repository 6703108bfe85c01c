/** Syntax highlighting that returns each line of a text separately. */
import highlight from 'highlight.js/lib/common';

/** Maximum number of characters to highlight. Highlighting more would block the page. */
const maxCharacters = 200_000;

/** Returns the lines of a text as HTML. The text is escaped; the only elements are those of the highlighter. */
export function highlightLines(text: string, path: string): string[] {
  const language = languageOf(path);
  if (language === undefined || text.length > maxCharacters) return text.split('\n').map(escaped);
  return divide(highlight.highlight(text, { language, ignoreIllegals: true }).value);
}

/** Languages of highlight.js for file extensions that it does not recognize. */
const others: Readonly<Record<string, string>> = {
  mts: 'typescript',
  cts: 'typescript',
  vue: 'xml',
  svelte: 'xml',
  markdown: 'markdown',
  ipynb: 'json',
  h: 'cpp',
  dockerfile: 'bash',
};

function languageOf(path: string): string | undefined {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const name = others[ending] ?? ending;
  return highlight.getLanguage(name) === undefined ? undefined : name;
}

/** Splits HTML into lines. Closes elements before a line break and opens them again after it. */
function divide(markup: string): string[] {
  const open: string[] = [];
  return markup.split('\n').map((line) => {
    const before = open.join('');
    for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
      if (tag === '</span>') open.pop();
      else open.push(tag);
    }
    return `${before}${line}${'</span>'.repeat(open.length)}`;
  });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
