// Lets Prettier read AssemblyScript: TypeScript, but for decorators of functions, which only AssemblyScript has. They are
// made comments before the parser sees them and decorators again when they are printed, each on the line of its function.
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';

const astFormat = 'assemblyscript-estree';
/** What the comment of a decorator begins with. No other comment does. */
const mark = '@decorator ';
/** A decorator, first on its line, with the white behind it. */
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
      const { value } = path.node;
      return value.startsWith(mark) ? value.slice(mark.length) : (printer.printComment?.(path, options) ?? '');
    },
  },
};
