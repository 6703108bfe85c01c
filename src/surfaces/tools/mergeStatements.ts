/**
 * Creates the signature of a new function for statements that copies share. Its parameters are variables of the
 * function around the statements. It returns the variables that are used later.
 */
import type { Template } from '../../presentation/copies/antiUnify.ts';
import { bracketPairs, declaredNames, isAssigned, isMember } from '../../presentation/copies/declaredNames.ts';
import type { Parameter } from '../../presentation/copies/parameters.ts';
import { commonWords, functionName, inStyleOf, wordsIn } from '../../presentation/copies/proposedNames.ts';
import { tokensOf } from '../../presentation/copies/tokens.ts';
import type { Word } from '../../presentation/copies/words.ts';
import type { Declaration } from '../../presentation/wording/declarations.ts';
import type { Signatures } from './mergeSignatures.ts';

/** A copy: all lines of its file, and its first and last line, counted from 1, inclusive. */
export interface CopyInFile {
  readonly lines: readonly string[];
  readonly startLine: number;
  readonly endLine: number;
}

/** Maximum number of parameters. Calls with more would be unreadable. */
export const maxParameters = 8;
const maxResults = 3;
/** Languages in which a function cannot return several values. */
const withOneResult = new Set(['java', 'c', 'objective-c', 'apex']);

interface Surroundings {
  readonly copies: readonly CopyInFile[];
  /** The function around each of the first copies. */
  readonly around: readonly (Declaration | undefined)[];
  readonly language: string;
}

export function signatureOfStatements(
  template: Template,
  parameters: readonly Parameter[],
  { copies, around, language }: Surroundings,
): Signatures {
  const tokens = template.copies[0]!;
  const { lines, startLine, endLine } = copies[0]!;
  const [own] = around;
  const linesIn = (from: number, to: number): string => (own === undefined ? '' : lines.slice(from, to).join('\n'));
  const before = tokensOf(linesIn((own?.startLine ?? 0) - 1, startLine - 1), language);
  const after = tokensOf(linesIn(endLine, own?.endLine ?? 0), language);
  const { inputs, outputs } = variablesOf(template, parameters, { before, after, language });
  const all = [...inputs.filter((name) => name !== own?.name), ...parameters.map(({ name }) => name)];
  const isAtEnd = own !== undefined && after.every(({ text }) => /^(?:[)}\];]|end)$/.test(text));
  const obstacles = [...obstaclesIn(template, isAtEnd)];
  if (outputs.length > (withOneResult.has(language) ? 1 : maxResults)) obstacles.push({ kind: 'results', at: 0 });
  if (all.length > maxParameters) obstacles.push({ kind: 'parameters', at: 0 });
  const comments = copies.map(
    (copy) => /^\s*(?:\/\/|#|--)\s*(\p{L}[\p{L} ]*)/u.exec(copy.lines[copy.startLine - 1] ?? '')?.[1],
  );
  const name = nameOfStatements({ comments, around: around.map((one) => one?.name ?? ''), outputs, tokens }, language);
  const result = outputs.length === 0 ? '' : ` → ${outputs.join(', ')}`;
  return { parameters, signatures: [`${name}(${all.join(', ')})${result}`], names: new Map(), obstacles };
}

/** Returns the variables that the statements read but do not set first, and those that the code after them reads. */
function variablesOf(
  { text, copies, declared }: Template,
  parameters: readonly Parameter[],
  {
    before,
    after,
    language,
  }: { readonly before: readonly Word[]; readonly after: readonly Word[]; readonly language: string },
): { readonly inputs: readonly string[]; readonly outputs: readonly string[] } {
  const tokens = copies[0]!;
  const declaredBefore = declaredNames(before, language);
  const inHoles = new Set(
    parameters.flatMap(({ holes }) =>
      holes.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)),
    ),
  );
  const pairs = bracketPairs(tokens);
  const isAtTop = (at: number): boolean => isOutsideBlocks({ text, tokens, pairs }, at);
  const places = new Map<string, number[]>();
  for (const [at, { text: name, kind }] of tokens.entries()) {
    if (kind === 'name' && name !== '_' && !inHoles.has(at) && !isMember(tokens, at))
      places.set(name, [...(places.get(name) ?? []), at]);
  }
  const inputs = [...places].flatMap(([name, found]) => (declaredBefore.has(name) && !isSetFirst(found) ? [name] : []));
  const outputs = [...places].flatMap(([name, found]) => {
    if (isDeclaredInLoop(tokens, found[0]!)) return [];
    const isOutside = declaredBefore.has(name)
      ? found.some((at) => isAssigned(tokens, at))
      : declared.has(name) && isAtTop(found[0]!);
    return isOutside && isReadIn(name) ? [name] : [];
  });
  return { inputs, outputs };

  /** Returns true if a variable is set before it is read. */
  function isSetFirst([at = 0, next]: readonly number[]): boolean {
    const isOfLoop = isDeclaredInLoop(tokens, at) || isSetByLoop(tokens, at);
    if (tokens[at + 1]?.text === '=>' || isOfLoop || isInArrowHead(at)) return true;
    const isSet = /^:?=$/.test(tokens[at + 1]?.text ?? '') && isAtTop(at);
    return isSet && (next === undefined || tokens[next]!.line > tokens[at]!.line);
  }

  /** For example `(name) => …`. */
  function isInArrowHead(at: number): boolean {
    for (const [open, close] of pairs) if (open < at && at < close && tokens[close + 1]?.text === '=>') return true;
    return false;
  }

  /** Returns true if the code after the statements reads a variable before setting it. */
  function isReadIn(name: string): boolean {
    const found = after.flatMap((token, at) => (token.text === name && !isMember(after, at) ? [at] : []));
    const [at, next] = found;
    if (at === undefined || /^(?:var|let|const)$/.test(after[at - 1]?.text ?? '') || isDeclaredInLoop(after, at))
      return false;
    const isSet = /^:?=$/.test(after[at + 1]?.text ?? '');
    if (isSetByLoop(after, at)) return false;
    return !isSet || (next !== undefined && after[next]!.line === after[at]!.line);
  }
}

/** Maximum number of tokens between the start of a loop's head and its variable, as in `Entry<Key, Value> entry`. */
const maxLoopHead = 16;

/** True for a variable that a loop declares: `for (int i = …`, `for (const a of …`, `for a in …`. */
function isDeclaredInLoop(tokens: readonly Word[], at: number): boolean {
  if (!/^(?:=|:=|:|in|of|,)$/.test(tokens[at + 1]?.text ?? '')) return false;
  let from = at - 1;
  while (from >= 0 && from > at - maxLoopHead && (tokens[from]!.kind === 'name' || isTypeSign(tokens[from]!.text)))
    from--;
  const isInHead = tokens[from]?.text === '(' && /^for(?:each)?$/.test(tokens[from - 1]?.text ?? '');
  // `for (i = 0; …` sets a variable that was declared before.
  return /^for(?:each)?$/.test(tokens[from]?.text ?? '') || (isInHead && from < at - 1);
}

/** True for a variable that was declared before a loop which sets it: `for (i = 0; …`. */
function isSetByLoop(tokens: readonly Word[], at: number): boolean {
  return tokens[at + 1]?.text === '=' && tokens[at - 1]?.text === '(' && tokens[at - 2]?.text === 'for';
}

function isTypeSign(text: string): boolean {
  return /^(?:[<>[\],.?*&]|::|int|long|short|char|float|double|bool|boolean|byte|auto|const|let|var|final|unsigned|size_t)$/.test(
    text,
  );
}

/** Returns the index of the first unmatched bracket; −1 if there is none. */
export function unpairedIn(tokens: readonly Word[]): number {
  const pairs = bracketPairs(tokens);
  return tokens.findIndex(({ text, kind }, at) => kind === 'fixed' && /^[()[\]{}]$/.test(text) && !pairs.has(at));
}

interface PairedText {
  readonly text: string;
  readonly tokens: readonly Word[];
  readonly pairs: ReadonlyMap<number, number>;
}

/** Returns true if a token is outside of all blocks in the statements. */
function isOutsideBlocks({ text, tokens, pairs }: PairedText, at: number): boolean {
  for (const [open, close] of pairs) if (open < at && at < close) return false;
  const column = ({ start }: Word): number => start - text.lastIndexOf('\n', start);
  let first = at;
  while (first > 0 && tokens[first - 1]!.line === tokens[at]!.line) first--;
  return column(tokens[first]!) <= column(tokens[0]!);
}

/** Yields the reasons why the statements cannot become a function. */
function* obstaclesIn({ text: all, copies }: Template, isAtEnd: boolean): Generator<Signatures['obstacles'][number]> {
  const tokens = copies[0]!;
  const pairs = bracketPairs(tokens);
  const unpaired = unpairedIn(tokens);
  const isPart = /^(?:case|default|else|elif|elsif|except|catch|finally|when|\[|\.|\?\.|,|&&|\|\||<|\{)$/.test(
    tokens[0]?.text ?? '',
  );
  const isArm = tokens.some(
    ({ text, line }, at) => text === '=>' && line === tokens[0]!.line && isOutside(at) && at > 0,
  );
  const isConditional = tokens.some(
    ({ text }, at) =>
      text === '#' && /^(?:if|ifdef|ifndef|else|elif|endif|define|undef)$/.test(tokens[at + 1]?.text ?? ''),
  );
  if (unpaired >= 0 || isPart || isArm || isConditional) yield { kind: 'blocks', at: Math.max(0, unpaired) };
  const lastLine = tokens.at(-1)?.line ?? 0;
  const returned = tokens.findIndex(({ text }, at) => /^(?:return|yield)$/.test(text) && !isInFunction(at));
  // A `return` statement at the end is allowed, and may span several lines.
  const endsWithReturn = tokens.some(
    ({ text }, at) => text === 'return' && isOutsideBlocks({ text: all, tokens, pairs }, at),
  );
  if (returned >= 0 && !isAtEnd && !endsWithReturn) yield { kind: 'returns', at: returned };
  const jump = tokens.findIndex(
    ({ text }, at) => /^(?:break|continue|next)$/.test(text) && tokens[at]!.kind === 'fixed' && !isInLoop(at),
  );
  const leaves = tokens.findIndex(
    ({ text, kind }, at) => kind === 'fixed' && text === 'goto' && !isLabelInside(at + 1),
  );
  if (jump >= 0 && tokens[jump]!.line < lastLine) yield { kind: 'returns', at: jump };
  else if (leaves >= 0) yield { kind: 'returns', at: leaves };

  function isLabelInside(at: number): boolean {
    const label = tokens[at]?.text;
    return tokens.some(({ text }, place) => text === label && tokens[place + 1]?.text === ':');
  }

  function isOutside(at: number): boolean {
    for (const [open, close] of pairs) if (open < at && at < close) return false;
    return true;
  }

  function isInLoop(at: number): boolean {
    return tokens.slice(0, at).some(({ text }) => /^(?:for|foreach|while|do|loop|switch|until|each)$/.test(text));
  }

  /** Returns true if a `return` belongs to a function inside the statements. */
  function isInFunction(at: number): boolean {
    for (const [open, close] of pairs) {
      if (open > at || close < at) continue;
      const head = tokens.slice(Math.max(0, open - 24), open).map(({ text }) => text);
      if (/(?:=>|\bfunction\b[^{}]*\)|\bfunc\b[^{}]*)$/.test(head.join(' '))) return true;
    }
    return false;
  }
}

interface NameSources {
  /** For each copy, the comment at its beginning; `undefined` if there is none. */
  readonly comments: readonly (string | undefined)[];
  /** Names of the functions around the copies. */
  readonly around: readonly string[];
  readonly outputs: readonly string[];
  readonly tokens: readonly Word[];
}

const maxWords = 4;

/** Returns a name for the function: from the comment above, the variables it computes, or the functions around. */
function nameOfStatements({ comments, around, outputs, tokens }: NameSources, language: string): string {
  const names = around.map((name) => /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(name)?.[0] ?? '').filter((name) => name !== '');
  const isSnake =
    names.some((name) => /\p{Ll}_\p{Ll}/u.test(name)) ||
    (!names.some((name) => /\p{Ll}\p{Lu}/u.test(name)) && isSnakeCode(tokens));
  const style = isSnake || language === 'python' ? 'a_b' : 'aB';
  const own = language === 'csharp' ? 'Ab' : style;
  if (comments.every((one) => one !== undefined)) {
    const words = commonWords(comments).filter((word) => !/^(?:a|an|the|its?|this|we|if|now|then)$/i.test(word));
    if (words.length > 1 && words.length <= maxWords) return inStyleOf(words, own);
  }
  if (outputs.length === 1) return inStyleOf(['compute', ...wordsIn(outputs[0]!)], own);
  const common = names.length === 0 ? '' : functionName(names, { noun: undefined, language });
  if (common !== '') return inStyleOf([...wordsIn(common), 'part'], own);
  const called = tokens
    .filter(({ kind }, at) => kind === 'name' && tokens[at + 1]?.text === '(')
    .map(({ text }) => text);
  const longest = called.reduce((best, name) => (wordsIn(name).length > wordsIn(best).length ? name : best), '');
  return longest === '' ? 'shared' : inStyleOf([...wordsIn(longest), 'part'], own);
}

function isSnakeCode(tokens: readonly Word[]): boolean {
  return tokens.some(({ text }) => /^\p{Ll}+_\p{Ll}/u.test(text));
}
