/**
 * Finds the names that code declares or assigns: variables, parameters, functions, and types. There is no parser. The
 * tokens around a name decide, for the syntax of many languages.
 */
import { declares } from './reservedWords.ts';
import { memberSigns } from './tokens.ts';
import type { Word } from './words.ts';

/** Languages in which the type of a variable precedes its name. */
const typeFirst = new Set(
  'apex c cpp csharp cuda-cpp d dart glsl groovy java objective-c objective-cpp vala'.split(' '),
);
/** Languages in which `name(…) {` begins a method. In others, it may be a call or a condition with a block. */
const withMethodsByShape = new Set(
  'apex c cpp csharp cuda-cpp d dart glsl java javascript javascriptreact svelte typescript typescriptreact vala vue'.split(
    ' ',
  ),
);
/** Languages with loops without parentheses: `for a, b in c`. */
const withBareLoops = new Set('crystal gdscript julia lua nim python ruby rust swift'.split(' '));
/** Languages in which `=>` may also separate a key from its value. */
const withMapArrows = new Set('crystal elixir perl php ruby scala'.split(' '));
const opening: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const closing = new Set(Object.values(opening));
/** Words that precede an expression. Such a word does not declare the name after it. */
const beforeValues = new Set(
  (
    'return new throw else in of case await yield typeof not and or import from instanceof is delete goto package using ' +
    'sizeof co_await co_return assert do if while switch extends implements'
  ).split(' '),
);
const beforeConditions = new Set(
  'if while for foreach switch catch elif unless until match when with using lock'.split(' '),
);
const assigning = new Set('= := += -= *= /= %= |= &= ^= ||= ??= **= <- ++ --'.split(' '));

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
  for (const [at, { text, kind }] of tokens.entries()) {
    if (kind === 'name') continue;
    if (text in opening) open.push(at);
    else if (closing.has(text)) {
      const from = open.pop();
      if (from === undefined) continue;
      pairs.set(from, at);
      pairs.set(at, from);
    }
  }
  return pairs;
}

/**
 * Returns the names that code declares or assigns.
 *
 * @param language  VS Code id of the language
 */
export function declaredNames(tokens: readonly Word[], language = ''): ReadonlySet<string> {
  const found = new Set<string>();
  const pairs = bracketPairs(tokens);
  const textAt = (at: number): string => tokens[at]?.text ?? '';
  const isName = (at: number): boolean => tokens[at]?.kind === 'name';
  const isTypeFirst = typeFirst.has(language);
  const within: number[] = [];
  for (const [at, { text, kind }] of tokens.entries()) {
    if (kind === 'fixed') {
      addAfter(at);
      if (text in opening) within.push(at);
      else if (closing.has(text)) within.pop();
    } else if (isMember(tokens, at) ? isOwnMember(at) : isDeclared(at, textAt(within.at(-1) ?? -1) === '('))
      found.add(text);
  }
  return found;

  /** Adds the names that are declared after the bracket or keyword at an index. */
  function addAfter(at: number): void {
    const text = textAt(at);
    if (text in opening && isPattern(at)) addNames(at + 1, pairs.get(at) ?? at);
    if (text === '(' && isHead(at)) addParameters(at + 1, pairs.get(at)!);
    else if (text === 'lambda') addParameters(at + 1, nextOf(':', at));
    else if (text === 'for' && withBareLoops.has(language)) addNames(at + 1, nextOf('in', at));
    else if (text === '|' && /^(?:do|[{(,=]|move)$/.test(textAt(at - 1))) addParameters(at + 1, nextOf('|', at));
  }

  /** True for assignments such as `this.name = …`. */
  function isOwnMember(at: number): boolean {
    return textAt(at + 1) === '=' && !isOfOther(tokens, at);
  }

  function isDeclared(at: number, isInCall: boolean): boolean {
    const [text, before, next] = [textAt(at), textAt(at - 1), textAt(at + 1)];
    const isFirst = at === 0 || tokens[at - 1]!.line < tokens[at]!.line || /^[;{}]$/.test(before);
    // For example `a, b = b, a`.
    if (isFirst && next === ',' && !isInCall) addTargets(at);
    // For example `if let Some(x)`.
    if (declares(before) || /^(?:mut|auto|my|our|local|func|sub)$/.test(before))
      return before !== 'let' || !/^(?:\(|::)$/.test(next);
    if (language === 'php' && text.startsWith('$')) return text !== '$this';
    if (before === 'as') return !/^\p{Lu}/u.test(text);
    if (next === '=>') return !withMapArrows.has(language);
    if (next === '(' && (isMethodOfGo(at) || (isFirst && isHead(at + 1)))) return true;
    return isVariable(at, isInCall);
  }

  /** True if the name is an assigned variable, has a type before it, or is a loop variable. */
  function isVariable(at: number, isInCall: boolean): boolean {
    if (isAssigned(tokens, at)) return !isInCall || isFirstInFor(at);
    // For example `name: type = value`.
    if (language === 'python' && textAt(at + 1) === ':' && within.length === 0)
      return tokens[at - 1]?.line !== tokens[at]!.line;
    return (/^(?:in|of|:)$/.test(textAt(at + 1)) && isFirstInFor(at)) || (isTypeFirst && isTyped(at));
  }

  function nextOf(text: string, at: number): number {
    for (let i = at + 1; i < tokens.length && tokens[i]!.line <= tokens[at]!.line + 1; i++)
      if (textAt(i) === text) return i;
    return at;
  }

  function addNames(from: number, to: number): void {
    for (let i = from; i < to; i++)
      if (isName(i) && !isMember(tokens, i) && textAt(i + 1) !== ':') found.add(textAt(i));
  }

  /** True for a destructuring pattern, as in `const { a, b } = …` or `catch (error)`. */
  function isPattern(at: number): boolean {
    return /^(?:const|let|local|my|val|var)$/.test(textAt(at - 1)) || (textAt(at - 1) === 'catch' && !isTypeFirst);
  }

  function isFirstInFor(at: number): boolean {
    for (let i = at - 1; i >= 0 && i > at - 6; i--) {
      if (/^for(?:each)?$/.test(textAt(i))) return true;
      if (/^(?:[;{}=]|in|of)$/.test(textAt(i))) return false;
    }
    return false;
  }

  /** True if the bracket at an index opens the parameter list of a function. */
  function isHead(at: number): boolean {
    const end = pairs.get(at);
    if (end === undefined) return false;
    const before = textAt(at - 1);
    if (beforeConditions.has(before)) return false;
    if (/^(?:function|func|fn|fun|constructor|init)$/.test(before)) return true;
    if (isName(at - 1) && /^(?:function|func|fn|fun|def|defp|sub|proc|macro|\*)$/.test(textAt(at - 2))) return true;
    if (isMethodOfGo(at - 1)) return true;
    const next = textAt(end + 1);
    if (next === '=>') return true;
    if (!withMethodsByShape.has(language) || (!isName(at - 1) && before !== '>')) return false;
    if (next === '{' || next === 'throws') return true;
    // For example `name(a: A): B {`.
    if (next !== ':' && next !== '->') return false;
    for (let i = end + 2; i < Math.min(tokens.length, end + 24); i++) {
      if (/^(?:\{|=>)$/.test(textAt(i))) return true;
      if (/^[;=)]$/.test(textAt(i))) return false;
    }
    return false;
  }

  /** True for the name of a method in Go: `func (receiver Type) Name(a int)`. */
  function isMethodOfGo(at: number): boolean {
    return language === 'go' && isName(at) && textAt((pairs.get(at - 1) ?? at) - 1) === 'func';
  }

  /** Adds the names of parameters: the first name of each, or the last one if the language puts types first. */
  function addParameters(from: number, to: number): void {
    let start = from;
    for (let i = from; i <= to; i++) {
      if (textAt(i) in opening && i < to) {
        // A destructured parameter.
        if (i === start && !isTypeFirst) addNames(i + 1, pairs.get(i) ?? i);
        i = pairs.get(i) ?? i;
        continue;
      }
      if (i < to && textAt(i) !== ',') continue;
      addParameter(start, i);
      start = i + 1;
    }
  }

  function addParameter(from: number, to: number): void {
    let end = from;
    while (end < to && textAt(end) !== '=' && (isTypeFirst || textAt(end) !== ':')) end++;
    const names = Array.from({ length: end - from }, (_, i) => from + i).filter((i) => isName(i));
    const declared = isTypeFirst ? names.at(-1) : names[0];
    if (declared !== undefined) found.add(textAt(declared));
  }

  function addTargets(at: number): void {
    let i = at;
    while (isName(i) && textAt(i + 1) === ',') i += 2;
    if (isName(i) && /^(?:=|:=)$/.test(textAt(i + 1))) addNames(at, i + 1);
  }

  /** True if a type precedes the name: `int a`, `List<A> a`, `A* a`, `A[] a`. */
  function isTyped(at: number): boolean {
    if (!/^(?:[=;,):[({]|in)$/.test(textAt(at + 1))) return false;
    let i = at - 1;
    if (tokens[i]?.line !== tokens[at]!.line) return false;
    const hasSign = /^[*&>\]?]$/.test(textAt(i));
    while (/^[*&?]$/.test(textAt(i))) i--;
    if (textAt(i) === ']') i = (pairs.get(i) ?? i) - 1;
    if (textAt(i) === '>') {
      while (i > 0 && textAt(i) !== '<' && /^[\p{L}\p{N}_<>,.?:*&\s]+$/u.test(textAt(i))) i--;
      if (textAt(i) === '<') i--;
    }
    const isType = /^[\p{L}_]/u.test(textAt(i)) && !beforeValues.has(textAt(i));
    if (!isType || !hasSign) return isType;
    // `a * b;` is a product unless it begins a statement or a parameter.
    const before = textAt(i - 1);
    return (
      i === 0 ||
      tokens[i - 1]!.line < tokens[i]!.line ||
      /^(?:[;{}(,:]|::|const|static|final|struct|unsigned)$/.test(before)
    );
  }
}
