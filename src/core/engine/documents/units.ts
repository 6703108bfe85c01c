/**
 * Units of documents: functions, methods, classes, and top-level blocks. The kernel finds them when a document is
 * indexed (src/core/kernel/documents/units.ts).
 */
import { elementSignsBytes } from '../../kernel/documents/elementsLayout.ts';
import * as layout from '../../kernel/documents/unitLayout.ts';
import type { Kernel } from '../kernel.ts';
import type { Lexicon } from '../languages/lexicalRules.ts';
import { tokenOf } from '../languages/tokenKind.ts';
import type { LexedArrays } from '../languages/blanklessWords.ts';
import { align8 } from './documents.ts';

/** Returns the kernel's code for how blocks of a language end: by indentation, by brackets, by words, or by tags. */
export function formOfBlocks({ id, imports, markup, rules }: Lexicon): number {
  if (markup === true) return layout.elementBlocks;
  if (indentedLanguages.has(id)) return layout.indentedBlocks;
  if (endedLanguages.has(id)) return layout.endedBlocks;
  if (rules.some(({ open }) => open === '</')) return layout.scriptStatements;
  return imports?.semicolons === true ? layout.semicolonStatements : layout.lineStatements;
}

/** Returns the form of the blocks of a language, with the flag for its lines that begin with an operator. */
export function flaggedFormOf(lexicon: Lexicon): number {
  return formOfBlocks(lexicon) | (operatorLanguages.has(lexicon.id) ? layout.operatorLines : 0);
}

/**
 * Languages with blocks in braces in which no statement begins with an operator, except for those that may be prefixes.
 * In YAML, a document begins with `---`; in style sheets, a rule may begin with a dot.
 */
const operatorLanguages: ReadonlySet<string> = new Set([
  ...['apex', 'c', 'cpp', 'csharp', 'd', 'dart', 'glsl', 'go', 'groovy', 'haxe', 'java', 'javascript', 'kotlin'],
  ...['objective-c', 'php', 'rust', 'scala', 'solidity', 'swift', 'typescript', 'vala', 'zig'],
]);

const indentedLanguages: ReadonlySet<string> = new Set(['python', 'nim', 'gdscript', 'coffeescript']);
const endedLanguages: ReadonlySet<string> = new Set(['ruby', 'crystal', 'lua', 'julia', 'elixir']);

/** Words with the same syntactic role: keywords, operators, and punctuation, each list separated by spaces. */
type WordsOfRole = readonly [role: number, keywords: string, signs?: string, punctuation?: string];

const wordsOfRoles: readonly WordsOfRole[] = [
  [layout.openRole, '', '<element', '( ['],
  [layout.closeRole, '', 'element>', ') ]'],
  [layout.openBlockRole, '', '', '{'],
  [layout.closeBlockRole, '', '', '}'],
  [layout.semicolonRole, '', '', ';'],
  [layout.commaRole, '', '', ','],
  [layout.joinRole, 'extends implements throws where', '.', '.'],
  [layout.controlRole, 'if for foreach while switch do try using lock match select unless until guard defer when loop'],
  [layout.clauseRole, 'else elif elsif elseif except catch finally rescue ensure'],
  [layout.headRole, 'synchronized'],
  [layout.classRole, 'class interface namespace trait impl module extension protocol object defmodule mod'],
  [layout.structRole, 'struct enum union record'],
  [layout.functionRole, 'function func fun fn def sub proc method defp defmacro'],
  [layout.assignRole, '', '= :='],
  [layout.arrowRole, '', '=>'],
  [layout.decoratorRole, '', '@'],
  [layout.directiveRole, '', '#'],
  [layout.prefixRole, '', '* ~ < <- - ! + & && $ :: ..'],
  [layout.suffixRole, '', '> >> >>> ? !!'],
  [layout.stepRole, '', '++ --'],
  [layout.templateRole, 'template'],
  [layout.newRole, 'new'],
  [layout.endRole, 'end', '/>'],
  [layout.closeTagRole, '', '</'],
  [layout.caseRole, 'case'],
  [layout.colonRole, '', ':', ':'],
  [layout.modifierRole, 'async export default local public private protected static abstract'],
];

/** Finds the units of a text after lexing. */
export class UnitFinder {
  readonly #kernel: Kernel;
  readonly #grow: (bytes: number) => number;
  readonly #words: number;

  /** @param grow  returns the address of at least the given number of bytes, aligned to 16 bytes */
  constructor(kernel: Kernel, grow: (bytes: number) => number) {
    this.#kernel = kernel;
    this.#grow = grow;
    this.#words = writeUnitWords(kernel);
  }

  /**
   * Returns the address and number of the units. They are valid until the next call.
   *
   * @param form   see `formOfBlocks`; `undefined` for a text without units
   * @param marks  true to also mark the lines at which units and statements begin (places.ts)
   */
  find(
    { tokens, starts, lines, tokenCount, lineCount }: LexedArrays,
    form: number | undefined,
    marks: boolean,
  ): { readonly address: number; readonly count: number } {
    if (form === undefined) return { address: 0, count: 0 };
    const { exports } = this.#kernel;
    const scratchBytes = align8(exports.unitScratchBytes());
    const room = Math.ceil(tokenCount / 4);
    const scratch = this.#grow(scratchBytes + room * layout.unitBytes);
    const address = scratch + scratchBytes;
    const places = [lines, lineCount, starts] as const;
    const way = [form, marks, this.#words] as const;
    const count = exports.findUnits(tokens, tokenCount, ...places, ...way, scratch, address, room);
    return { address, count };
  }
}

/** Tokens of the first and the last sign of an element of JSX, which are brackets. No text contains them. */
export const elementBrackets = ['<element', 'element>'].map((sign) => tokenOf(sign, 'operator'));

/** Fields of `ElementSigns` in the kernel. */
const elementSigns = [
  ...['<', '>', '/', '</', '<>'].map((sign) => tokenOf(sign, 'operator')),
  ...elementBrackets,
  tokenOf('template', 'identifier'),
  ...['>>', '>>>'].map((sign) => tokenOf(sign, 'operator')),
];

/** Writes the table of words for the kernel, and the signs of elements after it. Returns the address of the table. */
function writeUnitWords(kernel: Kernel): number {
  const slots = 1 << layout.unitWordSlotBits;
  const address = kernel.allocate(slots * layout.unitWordBytes + elementSignsBytes);
  const words = kernel.words.subarray(address >>> 2, (address + slots * layout.unitWordBytes) >>> 2);
  words.fill(0);
  kernel.words.set(elementSigns, (address + slots * layout.unitWordBytes) >>> 2);
  for (const [role, keywords, signs = '', punctuation = ''] of wordsOfRoles) {
    for (const [list, kind] of [
      [keywords, 'keyword'],
      [signs, 'operator'],
      [punctuation, 'punctuation'],
    ] as const) {
      for (const word of list.split(' ').filter((it) => it !== '')) {
        const token = tokenOf(word, kind);
        let slot = Math.imul(token, golden) >>> (32 - layout.unitWordSlotBits);
        while (words[2 * slot] !== 0 && words[2 * slot] !== token) slot = (slot + 1) & (slots - 1);
        if (words[2 * slot] === 0) words.set([token, role], 2 * slot);
      }
    }
  }
  return address;
}

/** Factor of a multiplicative hash: 2³² divided by the golden ratio, as in the kernel. */
const golden = 0x9e3779b1;
