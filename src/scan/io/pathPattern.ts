/**
 * Path patterns as in Git (wildmatch.c): `*`, `?` and `[…]` match characters within one path segment, `**` matches
 * whole folders, and a backslash escapes the next character.
 *
 * A pattern may come from an untrusted tree, so matching must not take longer than the product of the lengths of path
 * and pattern. After a mismatch, only the last `*` and the last `**` are extended by one position. This is sufficient,
 * because everything before the wildcard was matched at the earliest possible position, which leaves the longest rest
 * of the path (Krauss 2008, "Matching wildcards"; van Engelen 2018 for `**`). A regular expression would backtrack to
 * every wildcard.
 */

export interface PathPattern {
  /** Code units of literal characters, and the negative constants below for wildcards. */
  readonly tokens: readonly number[];
  readonly classes: readonly SignClass[];
}

/** A class `[…]`: ranges of characters, each as a pair of the first and the last one. */
interface SignClass {
  readonly isNegated: boolean;
  readonly ranges: readonly number[];
}

/** Tokens of `?` and `*`. */
const anySign = -1;
const anySigns = -2;
/** Token of `**` and the slash after it: any number of folders, each with its slash. */
const anyFolders = -3;
/** Token at the end of a pattern, for everything below the folder that the rest of the pattern matches. */
const anyRest = -4;
/**
 * Tokens at the end of a pattern. `orBelow` matches the path that the rest of the pattern matches, and everything below
 * it. `below` matches only the paths below it.
 */
const orBelow = -5;
const below = -6;
/** Class number n has the token `firstClass - n`. */
const firstClass = -7;

const slash = 0x2f;

/**
 * Compiles a pattern.
 *
 * - `git`: as in a .gitignore. Returns `undefined` if the pattern never matches in Git, for example because a bracket
 *   is not closed.
 * - `glob`: a bracket that is not closed is an ordinary character.
 */
export function parsePattern(text: string, syntax: 'git' | 'glob'): PathPattern | undefined {
  const tokens: number[] = [];
  const classes: SignClass[] = [];
  for (let at = 0; at < text.length;) {
    const sign = text[at]!;
    if (sign === '*') {
      const end = endOfRun(text, at);
      const isPart = end - at > 1 && (at === 0 || text[at - 1] === '/');
      at = end;
      if (isPart && end === text.length) {
        tokens.push(anyRest);
      } else if (isPart && text[end] === '/') {
        tokens.push(anyFolders);
        at++;
      } else if (isPart && text.startsWith('\\/', end)) {
        // In Git, `**\\/` (with the slash escaped) matches at least one folder.
        tokens.push(anySigns, slash, anyFolders);
        at += 2;
      } else {
        tokens.push(anySigns);
      }
    } else if (sign === '?') {
      tokens.push(anySign);
      at++;
    } else if (sign === '[') {
      const found = readClass(text, at + 1);
      if (found !== undefined) {
        tokens.push(firstClass - classes.length);
        classes.push(found.signs);
        at = found.end;
      } else if (syntax === 'git') {
        return undefined;
      } else {
        tokens.push(sign.charCodeAt(0));
        at++;
      }
    } else {
      const isEscaped = sign === '\\';
      if (isEscaped && at + 1 === text.length) return undefined;
      tokens.push(text.charCodeAt(isEscaped ? at + 1 : at));
      at += isEscaped ? 2 : 1;
    }
  }
  return { tokens, classes };
}

/** Returns a pattern that matches the same paths as the given pattern, and everything below them. */
export function orAllBelow({ tokens, classes }: PathPattern): PathPattern {
  return { tokens: [...tokens, orBelow], classes };
}

/** Returns a pattern for everything below the paths that a pattern matches, but not these paths themselves. */
export function allBelow({ tokens, classes }: PathPattern): PathPattern {
  return { tokens: [...tokens, below], classes };
}

/** Returns a pattern that matches the same paths as the given pattern, in any folder. */
export function inAnyFolder({ tokens, classes }: PathPattern): PathPattern {
  return { tokens: [anyFolders, ...tokens], classes };
}

/** Returns true if a pattern matches a path. A slash at the end of the path denotes the content of a folder. */
export function matchesPattern({ tokens, classes }: PathPattern, path: string): boolean {
  let token = 0;
  let at = 0;
  // For the last `*` and the last `**`: the token after the wildcard, and the position in the path. After a mismatch,
  // matching continues at these positions.
  let [signsToken, signsAt] = [-1, 0];
  let [foldersToken, foldersAt] = [-1, 0];
  for (;;) {
    if (token < tokens.length) {
      const currentToken = tokens[token]!;
      if (currentToken === anySigns) {
        [signsToken, signsAt] = [++token, at];
        continue;
      }
      if (currentToken === anyFolders) {
        [foldersToken, foldersAt] = [++token, at];
        signsToken = -1;
        continue;
      }
      if (currentToken === anyRest) return true;
      const isAtSlash = path.charCodeAt(at) === slash;
      if ((currentToken === orBelow && (at === path.length || isAtSlash)) || (currentToken === below && isAtSlash))
        return true;
      if (at < path.length && fits(currentToken, path.charCodeAt(at), classes)) {
        token++;
        at++;
        // The segment up to this slash has been matched. There is no need to try other ways to match it, so drop its
        // `*`.
        if (currentToken === slash) signsToken = -1;
        continue;
      }
    } else if (at === path.length) {
      return true;
    }
    if (signsToken >= 0 && signsAt < path.length && path.charCodeAt(signsAt) !== slash) {
      token = signsToken;
      at = ++signsAt;
    } else if (foldersToken >= 0) {
      const next = path.indexOf('/', foldersAt);
      if (next < 0) return false;
      token = foldersToken;
      at = foldersAt = next + 1;
      signsToken = -1;
    } else {
      return false;
    }
  }
}

/** Property of the last segment that all paths matching a pattern have. */
export type LastPart =
  | { readonly type: 'name'; readonly name: string }
  /** The segment ends with `ending` and contains `longest`, its longest text without wildcards. Both may be empty. */
  | { readonly type: 'wildcards'; readonly ending: string; readonly longest: string };

/**
 * Returns the property that the last segment of all paths matching a pattern has. If the pattern matches everything
 * below a folder, this is the last segment of the folder.
 */
export function lastPartOf({ tokens }: PathPattern): LastPart {
  const ending = tokens.at(-1);
  if (ending === anyRest) return { type: 'wildcards', ending: '', longest: '' };
  const end = ending === orBelow || ending === below ? tokens.length - 1 : tokens.length;
  // The token of `**` includes a slash.
  const start = Math.max(tokens.lastIndexOf(slash, end - 1), tokens.lastIndexOf(anyFolders, end - 1)) + 1;
  const part = tokens.slice(start, end);
  let text: number[] = [];
  let longest = text;
  for (const token of part) {
    if (token < 0) text = [];
    else text.push(token);
    if (text.length > longest.length) longest = text;
  }
  if (text.length === part.length) return { type: 'name', name: textOf(part) };
  return { type: 'wildcards', ending: textOf(text), longest: textOf(longest) };
}

function textOf(tokens: readonly number[]): string {
  return tokens.map((token) => String.fromCharCode(token)).join('');
}

/** Returns true if the pattern may match several paths, not counting paths below a matched folder. */
export function hasWildcards({ tokens }: PathPattern): boolean {
  return tokens.some((token) => token < 0 && token !== orBelow && token !== below);
}

function fits(token: number, sign: number, classes: readonly SignClass[]): boolean {
  if (token >= 0) return token === sign;
  if (sign === slash) return false;
  if (token === anySign) return true;
  const signs = classes[firstClass - token];
  return signs !== undefined && isAmong(signs, sign);
}

function isAmong({ isNegated, ranges }: SignClass, sign: number): boolean {
  for (let pair = 0; pair < ranges.length; pair += 2) {
    if (sign >= ranges[pair]! && sign <= ranges[pair + 1]!) return !isNegated;
  }
  return isNegated;
}

function endOfRun(text: string, start: number): number {
  let end = start;
  while (text[end] === text[start]) end++;
  return end;
}

/**
 * Reads the class that begins after the bracket before `start`. Also returns the position after it. Returns `undefined`
 * if the bracket does not begin a class.
 */
function readClass(text: string, start: number): { readonly signs: SignClass; readonly end: number } | undefined {
  const isNegated = text[start] === '!' || text[start] === '^';
  const first = isNegated ? start + 1 : start;
  const ranges: number[] = [];
  // The character read last. A range may begin with it.
  let before: number | undefined;
  for (let at = first; at < text.length;) {
    const sign = text[at]!;
    // A closing bracket at the beginning of a class is an ordinary character.
    if (sign === ']' && at > first) return { signs: { isNegated, ranges }, end: at + 1 };
    if (text.startsWith('[:', at)) {
      const end = text.indexOf(']', at + 2);
      if (end < 0) return undefined;
      if (text[end - 1] === ':' && end > at + 2) {
        const named = namedClasses.get(text.slice(at + 2, end - 1));
        if (named === undefined) return undefined;
        ranges.push(...named);
        before = undefined;
        at = end + 1;
        continue;
      }
    }
    const isRange = sign === '-' && before !== undefined && at + 1 < text.length && text[at + 1] !== ']';
    const place = isRange ? at + 1 : at;
    const meant = text[place] === '\\' ? place + 1 : place;
    if (meant >= text.length) return undefined;
    const code = text.charCodeAt(meant);
    ranges.push(isRange ? before! : code, code);
    before = isRange ? undefined : code;
    at = meant + 1;
  }
  return undefined;
}

/** Named classes such as `[:alpha:]`. As in Git, they contain only ASCII characters. */
const namedClasses: ReadonlyMap<string, readonly number[]> = new Map(
  Object.entries({
    alnum: '09AZaz',
    alpha: 'AZaz',
    blank: '  \t\t',
    cntrl: '\u0000\u001f\u007f\u007f',
    digit: '09',
    graph: '!~',
    lower: 'az',
    print: ' ~',
    punct: '!/:@[`{~',
    space: '  \t\n\r\r',
    upper: 'AZ',
    xdigit: '09AFaf',
  }).map(([name, pairs]) => [name, [...pairs].map((sign) => sign.charCodeAt(0))] as const),
);
