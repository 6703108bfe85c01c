/**
 * Finds the names that code declares or assigns: variables, parameters, functions, and types. There is no parser. The
 * tokens around a name decide, for the syntax of many languages.
 */
import { setOf } from '../../core/collections/lists.ts';
import { declares } from './reservedWords.ts';
import { memberSigns } from './tokens.ts';
import type { Word } from './words.ts';

/** Languages in which the type of a variable precedes its name. */
const typeFirst = setOf('apex c cpp csharp cuda-cpp d dart glsl groovy java objective-c objective-cpp vala');
/** Languages in which `name(…) {` begins a method. In others, it may be a call or a condition with a block. */
const withMethodsByShape = setOf(
  'apex c cpp csharp cuda-cpp d dart glsl java javascript javascriptreact svelte typescript typescriptreact vala vue',
);
/** Languages with loops without parentheses: `for a, b in c`. */
const withBareLoops = setOf('crystal gdscript julia lua nim python ruby rust swift');
/** Languages in which `=>` may also separate a key from its value. */
const withMapArrows = setOf('crystal elixir perl php ruby scala');
const opening = new Set('([{');
const closing = new Set(')]}');
/** Words that precede an expression. Such a word does not declare the name after it. */
const beforeValues = setOf(
  'return new throw else in of case await yield typeof not and or import from instanceof is delete goto package using ' +
    'sizeof co_await co_return assert do if while switch extends implements',
);
const beforeConditions = setOf('if while for foreach switch catch elif unless until match when with using lock');
const assigning = setOf('= := += -= *= /= %= |= &= ^= ||= ??= **= <- ++ --');

/** Returns true if the token at an index is a member of the value or type before it. */
export function isMember(tokens: readonly Word[], at: number): boolean {
  // A private member in JavaScript follows its own sign: `this.#name`.
  const sign = tokens[at - 1]?.text === '#' ? tokens[at - 2] : tokens[at - 1];
  if (sign === undefined || !memberSigns.has(sign.text)) return false;
  // An arrow surrounded by spaces precedes a return type.
  return sign.text !== '->' || sign.end === tokens[at]?.start;
}

/** Returns true if a token is a member of an object other than `this`. */
export function isOfOther(tokens: readonly Word[], at: number): boolean {
  const object = tokens[at - 1]?.text === '#' ? at - 3 : at - 2;
  return isMember(tokens, at) && !/^(?:this|self|\$this|cls)$/.test(tokens[object]?.text ?? '');
}

/** Returns true if the token at an index is the target of an assignment. */
export function isAssigned(tokens: readonly Word[], at: number): boolean {
  const before = tokens[at - 1]?.text ?? '';
  return assigning.has(tokens[at + 1]?.text ?? '') || before === '++' || before === '--';
}

/** Returns the index of the matching bracket for each bracket. Unmatched brackets have no entry. */
export function bracketPairs(tokens: readonly Word[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { text }] of tokens.entries()) {
    if (opening.has(text)) open.push(at);
    else if (closing.has(text)) {
      const from = open.pop();
      if (from === undefined) continue;
      pairs.set(from, at);
      pairs.set(at, from);
    }
  }
  return pairs;
}

/** Code, for the functions below. Their other arguments are indices of its tokens. */
interface Code {
  readonly tokens: readonly Word[];
  /** See `bracketPairs`. */
  readonly pairs: ReadonlyMap<number, number>;
  readonly language: string;
}

/**
 * Returns the names that code declares or assigns.
 *
 * @param language  VS Code id of the language
 */
export function declaredNames(tokens: readonly Word[], language = ''): ReadonlySet<string> {
  const code = { tokens, pairs: bracketPairs(tokens), language };
  const names = new Set<string>();
  const open: string[] = [];
  for (const [at, { text, kind }] of tokens.entries()) {
    for (const name of kind === 'name' ? namesAt(code, at, open) : namesAfter(code, at)) names.add(name);
    if (opening.has(text)) open.push(text);
    else if (closing.has(text)) open.pop();
  }
  return names;
}

/**
 * Returns the name at an index if it is declared there, and the targets of an assignment that begins with it.
 *
 * @param open  brackets around the name, outermost first
 */
function namesAt(code: Code, at: number, open: readonly string[]): readonly string[] {
  const text = textAt(code, at);
  // For example `this.name = …`.
  if (isMember(code.tokens, at)) return textAt(code, at + 1) === '=' && !isOfOther(code.tokens, at) ? [text] : [];
  // For example `a, b = b, a`.
  const isInList = beginsStatement(code, at) && textAt(code, at + 1) === ',' && open.at(-1) !== '(';
  return [...(isInList ? targetsFrom(code, at) : []), ...(isDeclared(code, at, open) ? [text] : [])];
}

/** Returns the names that are declared after the bracket or keyword at an index. */
function namesAfter(code: Code, at: number): readonly string[] {
  const text = textAt(code, at);
  const end = code.pairs.get(at) ?? at;
  if (text === '(' && isHead(code, at)) return parametersIn(code, at + 1, end);
  if (opening.has(text)) return isPattern(code, at) ? namesIn(code, at + 1, end) : [];
  if (text === 'lambda') return parametersIn(code, at + 1, nextOf(code, ':', at));
  if (text === 'for' && withBareLoops.has(code.language)) return namesIn(code, at + 1, nextOf(code, 'in', at));
  const beginsBlock = text === '|' && /^(?:do|[{(,=]|move)$/.test(textAt(code, at - 1));
  return beginsBlock ? parametersIn(code, at + 1, nextOf(code, '|', at)) : [];
}

function isDeclared(code: Code, at: number, open: readonly string[]): boolean {
  const { language } = code;
  const [text, before, next] = [textAt(code, at), textAt(code, at - 1), textAt(code, at + 1)];
  // The exception is a pattern, as in `if let Some(x)`.
  if (declares(before) || /^(?:mut|auto|my|our|local|sub)$/.test(before))
    return before !== 'let' || !/^(?:\(|::)$/.test(next);
  if (language === 'php' && text.startsWith('$')) return text !== '$this';
  if (before === 'as') return !/^\p{Lu}/u.test(text);
  if (next === '=>') return !withMapArrows.has(language);
  if (next === '(' && (isMethodOfGo(code, at) || (beginsStatement(code, at) && isHead(code, at + 1)))) return true;
  if (isAssigned(code.tokens, at)) return open.at(-1) !== '(' || isFirstInFor(code, at);
  // For example `name: type = value`.
  if (language === 'python' && next === ':' && open.length === 0) return beginsLine(code, at);
  return (/^(?:in|of|:)$/.test(next) && isFirstInFor(code, at)) || (typeFirst.has(language) && isTyped(code, at));
}

function textAt({ tokens }: Code, at: number): string {
  return tokens[at]?.text ?? '';
}

function isName({ tokens }: Code, at: number): boolean {
  return tokens[at]?.kind === 'name';
}

function beginsLine({ tokens }: Code, at: number): boolean {
  return tokens[at - 1]?.line !== tokens[at]?.line;
}

function beginsStatement(code: Code, at: number): boolean {
  return beginsLine(code, at) || /^[;{}]$/.test(textAt(code, at - 1));
}

/** Returns the index of the next token with a text, in this line or the next one; `at` if there is none. */
function nextOf({ tokens }: Code, text: string, at: number): number {
  for (let i = at + 1; i < tokens.length && tokens[i]!.line <= tokens[at]!.line + 1; i++)
    if (tokens[i]!.text === text) return i;
  return at;
}

/** Returns the names among the tokens [from, to), except for members and keys. */
function namesIn(code: Code, from: number, to: number): string[] {
  return code.tokens.slice(from, to).flatMap(({ text, kind }, i) => {
    const at = from + i;
    return kind === 'name' && !isMember(code.tokens, at) && textAt(code, at + 1) !== ':' ? [text] : [];
  });
}

/** Returns the names in the list from an index on, if an assignment follows the list. */
function targetsFrom(code: Code, at: number): string[] {
  let last = at;
  while (isName(code, last) && textAt(code, last + 1) === ',') last += 2;
  return isName(code, last) && /^:?=$/.test(textAt(code, last + 1)) ? namesIn(code, at, last + 1) : [];
}

/** Returns the names of the parameters in [from, to). */
function parametersIn(code: Code, from: number, to: number): string[] {
  const names: string[] = [];
  let start = from;
  for (let i = from; i <= to; i++) {
    if (i < to && opening.has(textAt(code, i))) {
      const end = code.pairs.get(i) ?? i;
      // A destructured parameter.
      if (i === start && !typeFirst.has(code.language)) names.push(...namesIn(code, i + 1, end));
      i = end;
    } else if (i === to || textAt(code, i) === ',') {
      names.push(...nameOfParameter(code, start, i));
      start = i + 1;
    }
  }
  return names;
}

/** Returns the first name of a parameter or, if the language puts types first, the last one before its default. */
function nameOfParameter(code: Code, from: number, to: number): string[] {
  const isTypeFirst = typeFirst.has(code.language);
  let end = from;
  while (end < to && textAt(code, end) !== '=' && (isTypeFirst || textAt(code, end) !== ':')) end++;
  const names = code.tokens.slice(from, end).flatMap(({ text, kind }) => (kind === 'name' ? [text] : []));
  return isTypeFirst ? names.slice(-1) : names.slice(0, 1);
}

/** True for a destructuring pattern, as in `const { a, b } = …` or `catch (error)`. */
function isPattern(code: Code, at: number): boolean {
  const before = textAt(code, at - 1);
  return /^(?:const|let|local|my|val|var)$/.test(before) || (before === 'catch' && !typeFirst.has(code.language));
}

function isFirstInFor({ tokens }: Code, at: number): boolean {
  const before = tokens.slice(Math.max(0, at - 5), at).reverse();
  return before.find(({ text }) => /^(?:for(?:each)?|[;{}=]|in|of)$/.test(text))?.text.startsWith('for') === true;
}

/** True if the bracket at an index opens the parameter list of a function. */
function isHead(code: Code, at: number): boolean {
  const end = code.pairs.get(at);
  if (end === undefined) return false;
  const before = textAt(code, at - 1);
  if (beforeConditions.has(before)) return false;
  if (/^(?:function|func|fn|fun|constructor|init)$/.test(before) || isMethodOfGo(code, at - 1)) return true;
  const isNamed = isName(code, at - 1);
  if (isNamed && /^(?:function|func|fn|fun|def|defp|sub|proc|macro|\*)$/.test(textAt(code, at - 2))) return true;
  const next = textAt(code, end + 1);
  if (next === '=>') return true;
  if (!withMethodsByShape.has(code.language) || (!isNamed && before !== '>')) return false;
  if (next === '{' || next === 'throws') return true;
  if (next !== ':' && next !== '->') return false;
  // For example `name(a: A): B {`.
  const returned = code.tokens.slice(end + 2, end + 24).find(({ text }) => /^(?:\{|=>|[;=)])$/.test(text));
  return returned?.text === '{' || returned?.text === '=>';
}

/** True for the name of a method in Go: `func (receiver Type) Name(a int)`. */
function isMethodOfGo(code: Code, at: number): boolean {
  return code.language === 'go' && isName(code, at) && textAt(code, (code.pairs.get(at - 1) ?? at) - 1) === 'func';
}

/** True if a type precedes the name: `int a`, `List<A> a`, `A* a`, `A[] a`. */
function isTyped(code: Code, at: number): boolean {
  if (!/^(?:[=;,):[({]|in)$/.test(textAt(code, at + 1)) || beginsLine(code, at)) return false;
  let i = at - 1;
  const hasSign = /^[*&>\]?]$/.test(textAt(code, i));
  while (/^[*&?]$/.test(textAt(code, i))) i--;
  if (textAt(code, i) === ']') i = (code.pairs.get(i) ?? i) - 1;
  if (textAt(code, i) === '>') {
    while (i > 0 && /^[\p{L}\p{N}_>,.?:*&]+$/u.test(textAt(code, i))) i--;
    if (textAt(code, i) === '<') i--;
  }
  const isType = /^[\p{L}_]/u.test(textAt(code, i)) && !beforeValues.has(textAt(code, i));
  if (!isType || !hasSign) return isType;
  // `a * b;` is a product unless it begins a statement or a parameter.
  return beginsLine(code, i) || /^(?:[;{}(,:]|::|const|static|final|struct|unsigned)$/.test(textAt(code, i - 1));
}
