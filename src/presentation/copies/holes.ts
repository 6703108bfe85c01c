/** Classifies the holes in the shared text of copies by whether they can become parameters of a merged function. */
import { setOf } from '../../core/collections/lists.ts';
import type { Hole, Template } from './antiUnify.ts';
import { declaredNames, isAssigned, isMember } from './declaredNames.ts';
import { codeInString } from './interpolations.ts';
import { isOperand, isPrimitive, tokensOf } from './tokens.ts';
import type { Word } from './words.ts';

/** Kinds of holes that can become parameters. `member`: the name of a property, method, or key. */
export type ParameterKind = 'value' | 'function' | 'type' | 'member';

/**
 * Kinds of holes that cannot become parameters. `arguments`: only some copies pass these arguments. `variables`: the
 * copies use different local variables, or expressions that contain them.
 */
export type ObstacleKind = 'statements' | 'operators' | 'arguments' | 'variables';

/** All kinds of holes. `layout`: punctuation without meaning, or text for human readers. */
export type HoleKind = ParameterKind | ObstacleKind | 'layout';

/** Words that begin a statement, or a part of one. */
const statements = setOf(
  'break case catch continue const def default do elif else elsif end except finally for foreach goto if import let pass ' +
    'raise return switch throw try var while with yield',
);
/** Words that may begin an expression. */
const prefixes = setOf(
  'new await async not typeof function lambda fn func sizeof delete - ! + * & ~ ... ** ++ -- @ # $ :',
);
const beforeTypes = setOf('new extends implements instanceof as is throws raise except');
const callable = setOf('class struct');
const visibility = setOf('export pub public private protected internal');

export function kindsOfHoles(template: Template, language = ''): HoleKind[] {
  const { copies } = template;
  const declared = copies.map((tokens) => declaredNames(tokens, language));
  return template.holes.map((hole): HoleKind => {
    const fillings = hole.fillings.map(({ start, end }, copy) => copies[copy]!.slice(start, end));
    if (isLayout(copies[0]!, hole, fillings)) return 'layout';
    const obstacle = obstacleIn(template, hole, fillings);
    if (obstacle) return obstacle;
    const variables = fillings.map((filling, copy) => variablesIn(filling, hole.fillings[copy]!.start, copies[copy]!));
    if (variables.some((names, copy) => names.some((name) => declared[copy]!.has(name)))) return 'variables';
    return parameterKind(template, hole, fillings, language);

    /** Returns the variables that a filling (one copy's tokens for a hole) uses but does not declare itself. */
    function variablesIn(filling: readonly Word[], start: number, tokens: readonly Word[]): string[] {
      // In PHP, every use of a variable looks like a declaration, so exclude no variable there.
      const own = filling.length === 1 || language === 'php' ? new Set<string>() : declaredNames(filling, language);
      return filling.flatMap(({ text, kind }, at) =>
        kind === 'fixed'
          ? namesInString(text, language)
          : kind === 'name' && !own.has(text) && !isMember(tokens, start + at) && !isKey(tokens, start + at)
            ? [text]
            : [],
      );
    }
  });
}

/** Returns the names in the code inside a string, except members. */
function namesInString(text: string, language: string): string[] {
  return codeInString(text, language === '' ? undefined : language).flatMap(({ start, end }) => {
    const tokens = tokensOf(text.slice(start, end), language);
    return tokens.flatMap((token, at) => (token.kind === 'name' && !isMember(tokens, at) ? [token.text] : []));
  });
}

/** True for a comma or semicolon at the end of a list or line, a docstring, and the visibility of a declaration. */
function isLayout(first: readonly Word[], { start, end }: Hole, fillings: readonly (readonly Word[])[]): boolean {
  if (fillings.every((filling) => filling.every(({ text }) => visibility.has(text)))) return true;
  const next = first[end];
  if (/^[)\]}]$/.test(next?.text ?? '') || next === undefined || next.line > (first[start - 1]?.line ?? -1))
    if (fillings.every((filling) => filling.length === 0 || (filling.length === 1 && /^[,;]$/.test(filling[0]!.text))))
      return true;
  const before = first[start - 1];
  const isStatement =
    (before === undefined || /^[:{;]$/.test(before.text)) && (next === undefined || next.line > first[start]!.line);
  return (
    isStatement &&
    fillings.every(
      (filling) => filling.length <= 1 && filling.every(({ text }) => /^[rRuU]?"""|^[rRuU]?'''/.test(text)),
    )
  );
}

function obstacleIn(
  { copies }: Template,
  hole: Hole,
  fillings: readonly (readonly Word[])[],
): ObstacleKind | undefined {
  const first = copies[0]!;
  const [before, next] = [first[hole.start - 1]?.text ?? '', first[hole.end]?.text ?? ''];
  if (fillings.some((filling) => filling.length === 0)) {
    const isInList = fillings.every((filling) => {
      const isPart = filling[0]?.text === ',' || filling.at(-1)?.text === ',';
      return filling.length === 0 || (isPart && !filling.some(({ text }) => text === ';'));
    });
    const isList = /^[([{]$/.test(before) && /^[)\]}]$/.test(next);
    const hasStatement = fillings.some((filling) => filling.some(isStatement));
    return (isInList || isList) && !hasStatement ? 'arguments' : 'statements';
  }
  if (
    fillings.every(
      (filling) => filling.length === 1 && /^[^\p{L}]|^\p{Ll}+$/u.test(filling[0]!.text) && !isOperand(filling[0]!),
    )
  )
    return 'operators';
  if (fillings.some((filling) => filling.some(isStatement) || isBlock(filling))) return 'statements';
  if (fillings.every((filling) => isExpression(filling))) return undefined;
  return fillings.some((filling) => filling.length > 8 || filling[0]!.line < filling.at(-1)!.line)
    ? 'statements'
    : 'operators';
}

/** True if a token outside of nested functions shows that the filling is a statement, not an expression. */
function isStatement({ text, kind }: Word, at: number, filling: readonly Word[]): boolean {
  if (kind === 'name' || !(statements.has(text) || /^(?:;|:=|[-+*/%&|^]=|=)$/.test(text))) return false;
  let depth = 0;
  for (const { text: other } of filling.slice(0, at))
    depth += /^[([{]$/.test(other) ? 1 : /^[)\]}]$/.test(other) ? -1 : 0;
  return depth === 0;
}

/** True for a block of statements that is not a function. */
function isBlock(filling: readonly Word[]): boolean {
  const isFunction = filling.some(({ text }) => /^(?:=>|function|func|fn|lambda|\|)$/.test(text));
  const hasBody = filling.some(({ text }, at) => text === '{' && /^(?:\)|else)$/.test(filling[at - 1]?.text ?? ''));
  return !isFunction && (hasBody || (filling[0]?.text === '{' && filling.some(({ text }) => text === ';')));
}

/** Returns true if a filling can be an expression or a type, judging by its first and last tokens. */
function isExpression(filling: readonly Word[]): boolean {
  const [first, last] = [filling[0]!, filling.at(-1)!];
  const begins = isOperand(first) || prefixes.has(first.text) || /^[([{<.]$/.test(first.text);
  const ends = isOperand(last) || /^[)\]}>*?!]$/.test(last.text) || callable.has(last.text);
  if (filling.length === 1) return isOperand(first);
  // A comma-separated list of operands would be several holes, unless the copies have different numbers of operands. So
  // a comma outside brackets means this is no expression.
  let depth = 0;
  for (const { text } of filling) {
    depth += /^[([{<]$/.test(text) ? 1 : /^[)\]}>]$/.test(text) ? -1 : 0;
    if (text === ',' && depth === 0) return false;
  }
  return begins && ends;
}

/** True for the key of an entry, as in `{ key: value }`, and for an argument name, as in `f(key=value)`. */
function isKey(tokens: readonly Word[], at: number): boolean {
  const [before, next] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text ?? ''];
  return /^[{,(]$/.test(before) && /^[:=]$/.test(next);
}

function parameterKind(
  { copies }: Template,
  hole: Hole,
  fillings: readonly (readonly Word[])[],
  language: string,
): ParameterKind {
  const first = copies[0]!;
  if (isMember(first, hole.start) || isKey(first, hole.start) || isTarget()) return 'member';
  if (isInTypePlace(first, hole, fillings, language)) return 'type';
  if (first[hole.end]?.text === '(' || isGenericCall(first, hole)) return 'function';
  return 'value';

  /** Returns true if the hole is a member to which a value is assigned. */
  function isTarget(): boolean {
    const isPath = fillings.every((filling) => filling.some(({ text }) => /^(?:\.|->)$/.test(text)));
    return isPath && isAssigned(first, hole.end - 1);
  }
}

function isInTypePlace(
  first: readonly Word[],
  { start, end }: Hole,
  fillings: readonly (readonly Word[])[],
  language: string,
): boolean {
  const [before, next] = [first[start - 1]?.text ?? '', first[end]];
  const lasts = fillings.map((filling) => filling.at(-1)!);
  const areTypes = lasts.every(isType);
  if (!areTypes && !lasts.every((token) => token.kind === 'name' || isPrimitive(token))) return false;
  if (beforeTypes.has(before)) return true;
  if (next?.text === '(') return false;
  if (areTypes && lasts.some(isPrimitive)) return true;
  if (before === '->' || (before === ':' && isAnnotated(first, start))) return true;
  // For example `int a`, where the type precedes the name.
  if (next?.kind === 'name' && next.line === first[end - 1]?.line) return !/^(?:in|range|case|return)$/.test(before);
  if (language === 'go') return isGoType(first, { start, end });
  return areTypes && !isArgument(first, { start, end });
}

/** True for a type in Go: `name Type`, `name *Type`, `[]Type`, `Type{ … }`. */
function isGoType(first: readonly Word[], { start, end }: Pick<Hole, 'start' | 'end'>): boolean {
  const [before, earlier, next] = [first[start - 1], first[start - 2], first[end]?.text];
  if (next === '.') return false;
  if (before?.text === ']' || (before?.kind === 'name' && before.line === first[start]!.line)) return true;
  if (before?.text === '*')
    return earlier?.kind === 'name' && earlier.end < before.start && before.end === first[start]!.start;
  return next === '{' && first[end]!.start === first[end - 1]!.end;
}

/** True for an argument or an assigned value, as in `f(Name)`, but not for a cast, as in `(Name) value`. */
function isArgument(first: readonly Word[], { start, end }: Pick<Hole, 'start' | 'end'>): boolean {
  const [before, next, after] = [first[start - 1]?.text ?? '', first[end]?.text ?? '', first[end + 1]];
  if (!/^(?:[(,=?:]|==|!=|===|!==|return)$/.test(before) || !/^(?:[),;:]|==|!=|===|!==)$/.test(next)) return false;
  const isCast = before === '(' && next === ')' && first[start - 2]?.kind !== 'name' && after?.kind === 'name';
  return !isCast;
}

/** True for a type after a colon: `(name: Type`, `let name: Type`. */
function isAnnotated(first: readonly Word[], at: number): boolean {
  return (
    first[at - 2]?.kind === 'name' &&
    /^(?:[(,]|mut|let|const|var|val)$/.test(first[at - 3]?.text ?? '') &&
    !isInBraces(first, at)
  );
}

function isInBraces(first: readonly Word[], at: number): boolean {
  let depth = 0;
  for (let i = at - 1; i >= 0; i--) {
    depth += /^[)\]}]$/.test(first[i]!.text) ? 1 : /^[([{]$/.test(first[i]!.text) ? -1 : 0;
    if (depth < 0) return first[i]!.text === '{';
  }
  return false;
}

/** True for a type argument of a call, as in `read<Row>(file)`. */
function isGenericCall(first: readonly Word[], { end }: Hole): boolean {
  if (first[end]?.text !== '<' || first[end - 1]?.kind !== 'name') return false;
  const close = first.findIndex(({ text }, at) => at > end && text === '>');
  return close > end && close < end + 8 && first[close + 1]?.text === '(';
}

function isType(token: Word): boolean {
  return (
    isPrimitive(token) || (token.kind === 'name' && /^_?\p{Lu}(?:\p{N}*$|[\p{L}\p{N}_$]*\p{Ll})/u.test(token.text))
  );
}
