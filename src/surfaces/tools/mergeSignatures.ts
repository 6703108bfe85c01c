/**
 * Signatures for merged copies. If the copies are declarations, adds parameters to their signatures. If they are
 * statements, creates the signature of a new function.
 */
import { setOf } from '../../core/collections/lists.ts';
import type { Template } from '../../presentation/copies/antiUnify.ts';
import { bracketPairs, isMember } from '../../presentation/copies/declaredNames.ts';
import type { Parameter } from '../../presentation/copies/parameters.ts';
import { functionName } from '../../presentation/copies/proposedNames.ts';
import { textWithParameters } from '../../presentation/copies/shownTemplate.ts';
import type { Word } from '../../presentation/copies/words.ts';
import { type Declaration, declarationsIn } from '../../presentation/wording/declarations.ts';
import { type CopyInFile, signatureOfStatements, unpairedIn } from './mergeStatements.ts';

export interface Signatures {
  /** All parameters, except those that replace the names of the declarations. */
  readonly parameters: readonly Parameter[];
  readonly signatures: readonly string[];
  /** New names of the declarations, by their names in the first copy. */
  readonly names: ReadonlyMap<string, string>;
  /** Reasons why the copies cannot become functions, each with the index of a token in the first copy. */
  readonly obstacles: readonly {
    readonly kind: 'statements' | 'blocks' | 'returns' | 'results' | 'parameters' | 'types';
    readonly at: number;
  }[];
}

/** Signature of a declaration. All fields are token indices in the first copy. */
interface Head {
  readonly name: number;
  /** `start`: first token after the modifiers. `end`: token after the signature. */
  readonly start: number;
  readonly end: number;
  /** Token after the end of the body. */
  readonly bodyEnd: number;
  /** Parentheses around the parameters. `undefined` if the declaration is not a function. */
  readonly open: number | undefined;
  readonly close: number | undefined;
}

const modifiers = setOf(
  'abstract default export extern final inline internal open override private protected pub public readonly sealed static virtual',
);
const genericLanguages = setOf('typescript typescriptreact java csharp kotlin swift rust go cpp cuda-cpp scala dart d');
/** Languages in which statements are only inside functions. */
const withoutScripts = setOf('c cpp csharp cuda-cpp go java kotlin objective-c objective-cpp rust swift zig');
/** Languages in which a type parameter cannot be used as a value, as in `new T()` and `T.class`. */
const withoutTypeValues = setOf('java kotlin go c objective-c');
/** Languages that do not enforce types, so copies that differ only in a type annotation need no parameter for it. */
const dynamicLanguages = setOf('python php ruby javascript javascriptreact');
const typeWords = setOf('class enum extension impl interface module namespace object record struct trait type union');
const withoutParameters = setOf('enum interface trait type');

/**
 * Returns the signatures of the merged functions. Returns `undefined` if the copies are tables or other declarations
 * outside of functions, in a language that has statements only inside functions.
 */
export function signaturesOf(
  template: Template,
  proposed: readonly Parameter[],
  copies: readonly CopyInFile[],
  language: string,
): Signatures | undefined {
  const tokens = template.copies[0]!;
  const { own, around } = declarationsOf(copies[0]!, tokens);
  const heads = own.flatMap((declaration) => headOf(template, declaration, copies[0]!, language) ?? []);
  if (heads.length === 0 && around === undefined && tokens[0]?.start === 0 && withoutScripts.has(language))
    return undefined;
  if (heads.length === 0 || heads.length < own.length) {
    const others = copies.slice(1, maxNamedCopies).map((copy) => declarationsOf(copy, []).around);
    return signatureOfStatements(template, proposed, { copies, around: [around, ...others], language });
  }
  const parameters = proposed.filter(({ holes }) => !holes.every((hole) => heads.some((head) => isNameOf(head, hole))));
  const names = new Map(
    heads.map((head) => {
      const ofCopies = copies.map((_, copy) => nameIn(template, head, copy));
      const name = functionName(ofCopies, { noun: parameters[0]?.name, language });
      const isTaken = parameters.some((parameter) => parameter.name === name);
      const isInText = name !== ofCopies[0]! && tokens.some(({ text }) => text === name);
      return [ofCopies[0]!, isTaken || isInText ? ofCopies[0]! : name];
    }),
  );
  const obstacles: Signatures['obstacles'][number][] = [];
  const unpaired = unpairedIn(tokens);
  if (unpaired >= 0) obstacles.push({ kind: 'blocks', at: unpaired });
  for (const { start, end } of parameters.flatMap(({ holes }) => holes)) {
    if (!heads.some((head) => start >= head.start && end <= head.bodyEnd))
      obstacles.push({ kind: 'statements', at: start });
  }
  const signatures = heads.map((head) => {
    const inside = parameters.filter(({ holes }) =>
      holes.some(({ start }) => start >= head.start && start < head.bodyEnd),
    );
    const added = inside.filter((parameter) => !isTypeOnly(template, parameter, language) && !isIn(parameter, head));
    const isType = tokens.slice(head.start, head.name).some(({ text }) => withoutParameters.has(text));
    const types = inside.filter((parameter) => isTypeOnly(template, parameter, language));
    const receiverEnd = language === 'go' ? (bracketPairs(tokens).get(head.start + 1) ?? 0) : 0;
    // A method in Go has no type parameters except those of its receiver.
    const isOfMethod = receiverEnd > 0 && receiverEnd < head.name;
    const hasOtherType =
      isOfMethod && types.some(({ holes }) => !holes.some(({ start }) => start > head.start && start < receiverEnd));
    const needsType = added.some(({ kind }) => kind === 'type') && withoutTypeValues.has(language);
    if ((isType && added.length > 0) || needsType || hasOtherType) obstacles.push({ kind: 'types', at: head.name });
    return signatureOf(template, head, { parameters, added, types, names, language });
  });
  return { parameters, signatures, names, obstacles };
}

/** Number of copies whose enclosing functions are looked up to derive a name. More copies rarely add information. */
const maxNamedCopies = 8;
/** Number of lines before and after a copy to search for the function around it. Scanning them takes 20 ms. */
const linesAround = 1500;

/**
 * Returns the outermost declarations in a copy, and the function around the copy. Returns no declarations if they are
 * not most of the copy, because the copy is then merged as statements.
 */
function declarationsOf(
  { lines, startLine, endLine }: CopyInFile,
  tokens: readonly Word[],
): {
  readonly own: readonly Declaration[];
  readonly around: Declaration | undefined;
} {
  const from = Math.max(0, startLine - 1 - linesAround);
  const near = declarationsIn(lines.slice(from, endLine + linesAround));
  const all = near.map((one) => ({ ...one, startLine: one.startLine + from, endLine: one.endLine + from }));
  const around = all
    .filter((one) => one.startLine < startLine && one.endLine >= startLine && one.signature.includes('('))
    .at(-1);
  const own: Declaration[] = [];
  for (const one of all) {
    const isInside = one.startLine >= startLine && one.endLine <= endLine;
    if (isInside && one.startLine > (own.at(-1)?.endLine ?? 0)) own.push(one);
  }
  // If less than two thirds of the tokens are in these declarations, treat the copy as statements.
  const inOwn = tokens.filter(({ line }) =>
    own.some((one) => line + startLine >= one.startLine && line + startLine <= one.endLine),
  );
  return { own: inOwn.length * 3 >= tokens.length * 2 ? own : [], around };
}

/**
 * Returns the signature of a declaration. Returns `undefined` if its name is not a token, as with the title of a test,
 * or if it is a variable among statements.
 */
function headOf(
  { copies }: Template,
  declaration: Declaration,
  { startLine }: CopyInFile,
  language: string,
): Head | undefined {
  const tokens = copies[0]!;
  const first = tokens.findIndex(({ line }) => line >= declaration.startLine - startLine);
  const last = /[\p{L}_$][\p{L}\p{N}_$]*[?!]?$/u.exec(declaration.name)?.[0].replace(/[?!]$/, '');
  if (first < 0 || last === undefined || /\s/.test(declaration.name)) return undefined;
  const name = tokens.findIndex(({ text }, at) => at >= first && text === last);
  if (name < 0) return undefined;
  let start = first;
  while (start < name && (modifiers.has(tokens[start]!.text) || isAnnotation(start))) start++;
  const isOfType = tokens.slice(start, name).some(({ text }) => typeWords.has(text));
  const open = isOfType ? undefined : parametersAfter(tokens, name);
  const close = open === undefined ? undefined : bracketPairs(tokens).get(open);
  const bodyEnd = tokens.filter(({ line }) => line <= declaration.endLine - startLine).length;
  const isAll = first === 0 && bodyEnd === tokens.length;
  if (close === undefined && !isOfType && !isAll) return undefined;
  if (isCallWithBlock(tokens, { name, start, language })) return undefined;
  const end =
    close === undefined
      ? endOfLine(tokens, name + 1, (at) => endsHead(at))
      : endOfResult(tokens, close + 1, (at) => endsHead(at));
  return { name, start, end, bodyEnd, open, close };

  function endsHead(at: number): boolean {
    const { text } = tokens[at]!;
    const isEnd = /^(?:\{|=>|;)$/.test(text);
    return isEnd || (text === '=' && close !== undefined) || (text === ':' && language === 'python');
  }

  function isAnnotation(at: number): boolean {
    return tokens[at]!.text === '@' || tokens[at - 1]?.text === '@';
  }
}

/**
 * True for a call with a block that only looks like a declaration: with a function as its argument, or of a macro in C,
 * where a function has a type before its name.
 */
function isCallWithBlock(
  tokens: readonly Word[],
  { name, start, language }: { readonly name: number; readonly start: number; readonly language: string },
): boolean {
  return (isMember(tokens, name) && tokens[name - 2]?.text === ')') || (language === 'c' && start === name);
}

/** Returns the index of the first token from `at` on that ends a signature or begins a line. */
function endOfLine(tokens: readonly Word[], at: number, endsHead: (at: number) => boolean): number {
  let end = at;
  while (end < tokens.length && tokens[end]!.line === tokens[end - 1]!.line && !endsHead(end)) end++;
  return end;
}

/** Same as `endOfLine`, after the parameters of a function. The type of the result may span several lines. */
function endOfResult(tokens: readonly Word[], at: number, endsHead: (at: number) => boolean): number {
  const pairs = bracketPairs(tokens);
  // Number of open type arguments, as in `Promise<{ … }>`.
  let depth = 0;
  for (let end = at; end < tokens.length; end++) {
    const { text, line } = tokens[end]!;
    const before = tokens[end - 1]!;
    const isType = depth > 0 || (text === '{' && /^[:|&]$/.test(before.text));
    if (!isType && (line !== before.line || endsHead(end))) return end;
    if (text === '<') depth++;
    else if (text === '>') depth--;
    else if (text === '{') end = pairs.get(end) ?? end;
  }
  return tokens.length;
}

/** Returns the index of a function's first parenthesis: name(…), name<T>(…), name = async (…), name = function (…). */
function parametersAfter(tokens: readonly Word[], name: number): number | undefined {
  const textAt = (at: number): string => tokens[at]?.text ?? '';
  let at = name + 1;
  if (textAt(at) === '<') while (at < tokens.length && !/^[(;{]$/.test(textAt(at))) at++;
  if (/^:?=$|^:$/.test(textAt(at))) {
    const value = at + 1;
    at = value;
    while (/^(?:async|function|func|fn|\*)$/.test(textAt(at)) || textAt(at - 1) === 'function') at++;
    if (at === value + (textAt(value) === 'async' ? 1 : 0) && !hasArrow(at)) return undefined;
  }
  return textAt(at) === '(' ? at : undefined;

  function hasArrow(open: number): boolean {
    const close = bracketPairs(tokens).get(open);
    return close !== undefined && tokens.slice(close, close + 12).some(({ text }) => text === '=>');
  }
}

function isNameOf({ name }: Head, { start, end }: { readonly start: number; readonly end: number }): boolean {
  return start === name && end === name + 1;
}

/** Returns the name of a declaration in one of the copies. */
function nameIn({ copies, holes, renamed }: Template, { name }: Head, copy: number): string {
  const hole = holes.find(({ start, end }) => start <= name && name < end);
  const { text } = copies[0]![name]!;
  if (hole === undefined) return renamed[copy]!.get(text) ?? text;
  return (
    copies[copy]!.slice(hole.fillings[copy]!.start, hole.fillings[copy]!.end).find(({ kind }) => kind === 'name')
      ?.text ?? text
  );
}

interface HeadContext {
  readonly parameters: readonly Parameter[];
  /** Parameters to add to those that the declaration already has. */
  readonly added: readonly Parameter[];
  readonly types: readonly Parameter[];
  readonly names: ReadonlyMap<string, string>;
  readonly language: string;
}

function signatureOf(
  template: Template,
  head: Head,
  { parameters, added, types, names, language }: HeadContext,
): string {
  const tokens = template.copies[0]!;
  const part = (from: number, to: number): string => {
    if (to <= from) return '';
    const range = { from: tokens[from]!.start, to: tokens[to - 1]!.end, names, mark: (name: string) => name };
    return textWithParameters(template, parameters, range).replaceAll(/\s+/g, ' ');
  };
  // In Go, a method has no type parameters except those of its receiver.
  const isMethodOfGo = language === 'go' && tokens[head.start + 1]?.text === '(';
  const isImplicit = isMethodOfGo || dynamicLanguages.has(language);
  const generics = isImplicit ? '' : types.map(({ name }) => name).join(', ');
  const hasGenerics = tokens[head.name + 1]?.text === '<';
  const generic =
    generics === '' ? '' : hasGenerics ? `<${generics}, ` : language === 'go' ? `[${generics}]` : `<${generics}>`;
  const rest = head.name + (generics !== '' && hasGenerics ? 2 : 1);
  const before = part(head.start, head.name + 1) + generic;
  const list = added.map(({ name }) => name).join(', ');
  if (head.open === undefined || head.close === undefined) {
    const after = part(rest, head.end);
    return `${before}${list === '' ? '' : `(${list})`}${/^[=:(]/.test(after) || after === '' ? '' : ` ${after}`}`;
  }
  const own = part(head.open + 1, head.close)
    .trim()
    .replace(/,$/, '');
  const all = withParameters(own, list);
  const between = part(rest, head.open);
  const isClose = tokens[head.close]!.end === tokens[head.close + 1]?.start;
  const after = part(head.close + 1, head.end);
  const spaced = /^[=:]/.test(between) ? ` ${between} ` : between;
  return `${before}${spaced}(${all})${after === '' || isClose ? after : ` ${after}`}`;
}

/** Matches a parameter that must come last: with a default value, optional, or for all other arguments. */
const lastParameter = /^(?:\.\.\.|\*|&)|^[\p{L}_$][\p{L}\p{N}_$]*\?|=(?![=>])/u;

/** Adds parameters to a list, before those that must come last. */
function withParameters(own: string, added: string): string {
  if (added === '' || own === '') return own + added;
  const parts: string[] = [''];
  let depth = 0;
  for (const sign of own) {
    if (/[([{<]/.test(sign)) depth++;
    else if (/[)\]}>]/.test(sign)) depth--;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  const all = parts.map((part) => part.trim());
  const last = all.findIndex((part) => lastParameter.test(part));
  all.splice(last < 0 ? all.length : last, 0, added);
  return all.join(', ');
}

/** Returns true if a parameter occurs only inside the parentheses of a signature. */
function isIn({ holes }: Parameter, { open = 0, close = 0 }: Head): boolean {
  return holes.every(({ start, end }) => start > open && end <= close);
}

/**
 * Returns true if a parameter is a type, occurs only in type annotations, and needs no value: the language has type
 * parameters or does not check types.
 */
function isTypeOnly({ copies }: Template, { kind, holes }: Parameter, language: string): boolean {
  if (kind !== 'type') return false;
  const textAt = (at: number): string => copies[0]![at]?.text ?? '';
  if (dynamicLanguages.has(language)) {
    return holes.every(({ start, end }) => /^(?:->|:|\||\[)$/.test(textAt(start - 1)) && !/^[.(]$/.test(textAt(end)));
  }
  if (!genericLanguages.has(language)) return false;
  return holes.every(
    ({ start, end }) => !/^(?:new|instanceof|throw)$/.test(textAt(start - 1)) && !/^(?:[.(]|::)$/.test(textAt(end)),
  );
}
