// Lets Prettier format AssemblyScript, which is TypeScript with decorators of functions. The decorators become comments
// before parsing and decorators again in the output, each on the line of its function.
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';

const astFormat = 'assemblyscript-estree';
/** Beginning of a comment that replaces a decorator. No other comment begins with it. */
const mark = '@decorator ';
/** A decorator at the beginning of a line, with the whitespace after it. */
const decorator = /^([ \t]*)(@\w+(?:\([^)\n]*\))?)\s+/gm;

const { typescript: parser } = typescript.parsers;
const { estree: printer } = estree.printers;

export const parsers = {
  assemblyscript: {
    ...parser,
    astFormat,
    /** @param {string} text */
    preprocess: (text) => text.replace(decorator, `$1/*${mark}$2*/ `),
  },
};

export const printers = {
  [astFormat]: {
    ...printer,
    /** @type {NonNullable<import('prettier').Printer['printComment']>} */
    printComment(path, options) {
      const { value } = /** @type {{ value: string }} */ (path.node);
      return value.startsWith(mark) ? value.slice(mark.length) : (printer.printComment?.(path, options) ?? '');
    },
  },
};
