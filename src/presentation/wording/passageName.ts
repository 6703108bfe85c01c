/**
 * Finds a recognizable name for a passage: the name of the function, class, test, or heading that the passage is or is
 * inside of. No parser is needed: a declaration is recognized by its first line, and the declaration around a line by
 * its smaller indentation. So this works for any language with indented code.
 */
import { setOf, sum } from '../../core/collections/lists.ts';
import type { Group } from '../../core/engine/report/report.ts';
import { comment, modifiers, shorten, tellingLine, withoutDecorators } from './tellingLine.ts';

export interface PassageName {
  readonly name: string;
  /** True if the passage includes the first line of the declaration; false if the passage is inside it. */
  readonly isWhole: boolean;
}

/** Maximum length of a name in characters. Longer names are truncated, because the file name follows in the label. */
const maxCharacters = 48;
const tabWidth = 4;
/** Maximum number of lines from the start of a declaration to the bracket that opens its body. */
const maxHead = 40;

const prosePath = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|text|tex|org|textile|html?)$/i;

const letters = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
/** Matches keywords that begin a declaration, and the name after them, which may be in backticks (Kotlin, Scala). */
const declared = new RegExp(
  `^(?:${[
    'function\\*?|func|fun|fn|def|defp|defmacro|defmodule|sub|proc|procedure|class|interface|struct|enum|union|trait|module',
    'namespace|object|protocol|extension|record|type|actor|contract|library|message|service|rpc|macro|macro_rules!|package',
    'subroutine|program|annotation|@interface|@implementation|typedef struct|data class|create(?: or replace)? \\w+',
  ].join(
    '|',
  )})\\s+(?:\\([^)]*\\)\\s*)?(?:\`([^\`]+)\`|(~?${letters}(?:[.:\\-]+${letters})*[?!']?)(?![\\p{L}\\p{N}]))(?=\\s*(?:[({<:=\\[;,]|$|extends|implements|where|is|as|with|do|struct|interface|returns|begin|on))`,
  'iu',
);
/** Matches assigned functions and classes: `name = (…) =>`, `name: function (…)`, `name := func(…)`, `name = class`. */
const assigned = new RegExp(
  `^(?:(?:const|let|var|val|local|my|our|static|readonly)\\s+)*["']?(${letters}(?:[.\\-]${letters})*)["']?\\s*(?::[^=]*)?(?::|:?=|<-)\\s*(?:async\\s*)?(?:function\\b|func\\b|fn(?:$|\\b[^;]*->)|class\\b|lambda\\b|\\(.*\\)\\s*(?::.*)?=>|${letters}\\s*=>|<.*>\\(.*=>)`,
  'u',
);
/** Matches an object or table that is assigned to a name. */
const table = new RegExp(
  `^(?:(?:const|let|var|val|local|my|our|static)\\s+)*(${letters}(?:\\.${letters})*)(?:\\[\\])?\\s*(?::[^=]*)?:?=[^=].*[{(\\[]$|^(?:const|let|var|val|static)\\s+.*?(${letters})(?:\\[\\w*\\])*\\s*=\\s*[{(\\[]?$`,
  'u',
);
/** Matches `type name(…) {`. The parameters may span several lines, and the bracket may be on the next line. */
const method = new RegExp(
  `^(?:[\\p{L}_$<*&\\[(][\\p{L}\\p{N}_$<>\\[\\],.:*&?() ]*?[\\s*&>\\])])?(~?#?${letters}(?:(?:::|\\.|#)~?${letters})*(?:(?<=\\boperator)\\s*(?:\\(\\)|[^\\p{L}\\p{N}_\\s(]{1,3}))?[?!]?)\\s*(?:<[^()]*>)?\\(.*\\)[^()=;]*(?:\\([^()]*\\)[^()=;]*)*[{:]?$`,
  'u',
);
/** Matches tests, which are named by their title: `it('adds a row', …)`. */
const tested =
  /^(?:(?:describe|suite|context|it|test|specify|scenario|feature|bench)(?:\.\w+)*)\s*\(?\s*(["'`])((?:\\.|(?!\1).)+)\1/u;
/** Matches the beginning of a test whose title is on the next line. */
const testedBelow = /^(?:describe|suite|context|it|test|specify|scenario|feature|bench)(?:\.\w+)*\($/;
/** Matches tests of C and C++, which are named by their title or names: `TEST("adds a row")`, `TEST_F(Rows, Add)`. */
const testedByMacro =
  /^(?:[A-Z][A-Z\d]*_)*TEST(?:_[A-Z\d]+)*\s*\(\s*(?:"((?:\\.|[^"\\])+)"|(\w+)(?:\s*,\s*(\w+))?\s*\))(?!.*;$)/;
/** Matches functions of C and C++ that a macro defines. Its first argument names them: `BENCHMARK(add, n) {`. */
const definedByMacro = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*\(\s*(\w+)\s*[,)].*\{$/;
/** Matches macros of several lines: `#define EACH_ROW(it) \`. */
const macro = /^#\s*define\s+(\w+)\b.*\\$/;
/** Matches attributes of C and C++, which may be before a name: `struct __attribute__((packed)) row {`. */
const attributesOfC =
  /\b(?:__attribute__|__declspec|alignas)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*|(?<=^(?:class|struct|union)\s+)[A-Z][A-Z\d_]*\s+(?=[A-Z])/g;
/** Matches type arguments in a name, and type parameters after it: `Table<Row>::add`, `add<Row extends List>(`. */
const typeArguments = /<[^()<>]*(?:<[^()<>]*(?:<[^()<>]*>[^()<>]*)*>[^()<>]*)*>(?=::|\()/g;
/** Matches the initializers of a constructor in C++: `Table::Table(int size) : size_(size) {`. */
const initializers = /\)\s*(?:noexcept\s*)?:\s*[\w:]+(?:<[^<>]*>)?\s*[({].*\{$/;
/** Matches statements that look like declarations. */
const control =
  /^(?:\}?\s*)(?:if|else|elif|elsif|elseif|for|foreach|while|until|unless|switch|case|default|catch|except|finally|try|do|with|using|lock|when|match|select|loop|begin|rescue|ensure|end|return|new|throw|raise|await|yield|assert|delete|typeof|sizeof|print|and|or|not|in|defer|go|synchronized|guard|repeat|then|import|from|#\w+)\b/iu;
/** Matches lines that do not name the lines below them: labels, access modifiers, preprocessor directives. */
const beside =
  /^(?:(?:public|private|protected|signals|slots|(?:public|private|protected) slots|default|case\b.*|[A-Za-z_]\w*\s*):(?!:)\s*$|#\s*\w|`\w)/u;
/** Matches a name to which a value is assigned: `rows = new Table(`, `"rows": [`. */
const keyed = new RegExp(
  `^(?:(?:const|let|var|val|local|my|our|static)\\s+)*["']?(${letters}(?:[.\\-]${letters})*)["']?\\s*(?::[^=(]*)?[:=]`,
  'u',
);
/** Names that are too common to identify a passage: constructors, and names that a language or framework requires. */
export const commonNames = setOf(
  'constructor __init__ __construct initialize init new dispose close main run execute call apply get set is has render ' +
    'toString equals hashCode compareTo clone setUp tearDown setup teardown update create build start stop reset handle process',
);
/** Matches operators of C++, which many classes overload. */
const overloaded = /^operator\b/;
const isName = new RegExp(`^${letters}(?:[.:]+${letters})*$`, 'u');
const closing = /^[)\]}>]/u;
/** Matches a line that continues the head of a declaration. */
const constraint = /^where\b/;
const opens = /(?:[{([]|=>|\bdo(?:\s*\|.*\|)?|\bthen|\bbegin|:)\s*$/iu;

/**
 * Returns the name of a passage; `undefined` if neither the passage nor a block around it has a name.
 *
 * @param lines  lines of the file, at least up to the end of the passage
 * @param start  index of the passage's first line
 * @param end    index of the line after the passage
 */
export function passageName(
  lines: readonly string[],
  start: number,
  end: number,
  kind: Group['kind'],
  path: string,
): PassageName | undefined {
  if (kind === 'file' || start >= lines.length) return undefined;
  const found = prosePath.test(path) ? headingOf(lines, start, end) : declarationOf(lines, start, end, path);
  return found && { ...found, name: cut(found.name) };
}

/** Returns the heading with which a passage of prose begins, or the last heading before it. */
function headingOf(lines: readonly string[], start: number, end: number): PassageName | undefined {
  const first = lines.findIndex((line, i) => i >= start && line.trim() !== '');
  if (first < 0 || first >= end) return undefined;
  // In AsciiDoc, a term of a description list also serves as a heading.
  const own = headingAt(lines, first) ?? /^(\S.*)::$/.exec(lines[first]!)?.[1];
  if (own !== undefined) return { name: withSection(own, lines, first), isWhole: true };
  for (let i = first - 1; i >= 0; i--) {
    const name = isInFence(lines, i) ? undefined : headingAt(lines, i);
    if (name !== undefined) return { name: withSection(name, lines, i), isWhole: false };
  }
  // Many sites have the page title in the front matter.
  const title = lines[0]?.trim() === '---' ? lines.slice(1, 30).find((line) => /^title:/i.test(line)) : undefined;
  const name = title?.replace(/^title:\s*/i, '').replaceAll(/^["']|["']$/g, '');
  return name ? { name, isWhole: false } : undefined;
}

/** Matches the first and the last line of a fenced code block. */
const fence = /^\s*(?:```|~~~)/;
const separator = ', ';
/** Minimum number of characters to which the heading of a section may be shortened. */
const minSection = 8;

/**
 * Prefixes a heading with that of its section if an earlier section has the same heading, as in "Read a row, Example".
 *
 * @param at  index of the heading's line
 */
function withSection(name: string, lines: readonly string[], at: number): string {
  const marks = /^(?:#{2,6}|={2,6}) /.exec(lines[at]!)?.[0].trim();
  if (marks === undefined || !lines.slice(0, at).includes(lines[at]!)) return name;
  const outer = new RegExp(`^${marks[0]!}{1,${marks.length - 1}} `);
  let section = '';
  let isInside = false;
  for (let i = 0; i < at; i++) {
    if (fence.test(lines[i]!)) isInside = !isInside;
    if (!isInside && outer.test(lines[i]!)) section = headingAt(lines, i) ?? '';
  }
  const rest = maxCharacters - name.length - separator.length;
  return section === '' || rest < minSection ? name : `${cut(section, rest)}${separator}${name}`;
}

function headingAt(lines: readonly string[], at: number): string | undefined {
  const line = lines[at]!.trim();
  const marked =
    /^#{1,6}\s+(.+?)\s*#*$/u.exec(line) ??
    /^={1,6}\s+(\S.*?)\s*=*$/u.exec(line) ??
    /^\*+\s+(\S.*)$/u.exec(/^\*+ /.test(lines[at]!) && lines[at]!.startsWith('**') ? line : '') ??
    /^\\(?:sub)*(?:section|chapter|paragraph)\*?\{([^}]+)\}/u.exec(line) ??
    /^<h[1-6][^>]*>(.+?)<\/h[1-6]>/iu.exec(line);
  if (marked) return plain(marked[1]!);
  const below = lines[at + 1]?.trim() ?? '';
  const isUnderlined = /^([=\-~^"'`#*+.:_])\1{2,}$/.test(below) && line.length > 1 && /^[\p{L}\p{N}`"(:]/u.test(line);
  // A line of dashes below a paragraph or table does not make it a heading.
  if (!isUnderlined || below.length < Math.min(line.length, 4) || line.includes('|')) return undefined;
  return at > 0 && lines[at - 1]!.trim() !== '' && !/^([=\-~^"'`#*+.:_])\1{2,}$/.test(lines[at - 1]!.trim())
    ? undefined
    : plain(line);
}

/** Returns true if a line is in a fenced code block. There, `#` begins a comment and not a heading. */
function isInFence(lines: readonly string[], at: number): boolean {
  if (!/^\s*#/.test(lines[at]!)) return false;
  let isInside = false;
  for (let i = 0; i < at; i++) if (fence.test(lines[i]!)) isInside = !isInside;
  return isInside;
}

function plain(heading: string): string {
  return heading
    .replace(/\s*\{#[^}]*\}$/u, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\[\[.*?\]\]|<\/?(?:a|b|i|br|code|em|img|kbd|p|small|span|strong|sub|sup|tt)\b[^>]*>|[`*]/gi, '')
    .replaceAll(/\\([<>_[\]#|])/g, '$1')
    .replaceAll(/&(lt|gt|amp|quot);/g, (_, name: string) => entities[name]!)
    .trim();
}

/** Characters by the names that HTML and Markdown have for them. */
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

interface OuterDeclaration {
  /** Index of its first line in the passage. */
  readonly at: number;
  /** Index of the line after it. */
  end: number;
  readonly name: string;
  /** True for an object that is assigned to a variable of a function. */
  readonly isLocal: boolean;
}

function declarationOf(lines: readonly string[], start: number, end: number, path: string): PassageName | undefined {
  const code = withoutDecorators(
    lines.slice(start, end).map((line) => line.trim()),
    path,
  );
  const isCode = commentsApart(code);
  const first = code.findIndex((line, i) => line !== '' && isCode(i));
  if (first < 0) return undefined;
  const declarations = outerDeclarations(lines, start, code, first);
  if (declarations.length === 0) return enclosing(lines, start, start + first, path);
  const half = (code.length - first) / 2;
  // A small helper before a large function does not name both.
  const main = declarations.find((it) => it.end - it.at > half) ?? declarations[0]!;
  // A variable before other statements, or small helpers after some, do not name the part of a function around them.
  const areSmall = declarations[0]!.at > first && sum(declarations.map((it) => it.end - it.at)) <= half;
  const isPart = main.isLocal ? main.end < code.length : areSmall;
  const around = isPart ? declarationAround(lines, start, start + first, path) : undefined;
  return around ?? { name: withClass(main.name, lines, start + main.at, path), isWhole: true };
}

/**
 * Returns the declarations of a passage that are not inside others.
 *
 * @param start  index of the passage's first line
 * @param code   lines of the passage, trimmed, and without decorators
 * @param first  index of its first line of code
 */
function outerDeclarations(
  lines: readonly string[],
  start: number,
  code: readonly string[],
  first: number,
): OuterDeclaration[] {
  const isCode = commentsApart(code);
  // Indentation of the outermost line found so far.
  let outermost = Infinity;
  const declarations: OuterDeclaration[] = [];
  for (let i = first; i < code.length; i++) {
    if (code[i] === '' || !isCode(i)) continue;
    const indent = indentOf(lines[start + i]!);
    const line = code[i]!;
    // Labels and directives are indented less than the code that they belong to.
    if (indent > outermost || (i > first && beside.test(line))) continue;
    outermost = indent;
    const isRest = closing.test(line) || constraint.test(line);
    const declaredName = isRest ? undefined : nameAt(lines, start + i, line, indent);
    // An assigned object gives the passage its name only if it is at the beginning. Further down, it is just one of
    // many statements.
    const isLocal = i === first && !isRest && declaredName === undefined;
    const name = isLocal ? nameAt(lines, start + i, line, 0) : declaredName;
    // Other code with this indentation ends a declaration, except the bracket that opens its body.
    const last = declarations.at(-1);
    const isInside = name === undefined && (isRest || line.startsWith('{'));
    if (last && !isInside) last.end = Math.min(last.end, i);
    if (name !== undefined) declarations.push({ at: i, end: code.length, name, isLocal });
  }
  return declarations;
}

/** Returns the nearest declaration that contains a line; if there is none, the line that opens the nearest block. */
function enclosing(lines: readonly string[], start: number, from: number, path: string): PassageName | undefined {
  const declaration = declarationAround(lines, start, from, path);
  if (declaration) return declaration;
  for (const [, line] of headsAround(lines, start, from, path)) {
    if (!opens.test(line) || control.test(line)) continue;
    const name = keyed.exec(line.replace(modifiers, ''))?.[1] ?? tellingLine([line], 'code', path);
    return name === undefined ? undefined : { name: name.replace(/\s*=>$/, ''), isWhole: false };
  }
  return undefined;
}

function declarationAround(
  lines: readonly string[],
  start: number,
  from: number,
  path: string,
): PassageName | undefined {
  for (const [at, line] of headsAround(lines, start, from, path)) {
    const name = nameAt(lines, at, line, indentOf(lines[at]!));
    if (name !== undefined) return { name: withClass(name, lines, at, path), isWhole: false };
  }
  return undefined;
}

/**
 * Yields the lines above a passage with which the blocks around it begin, innermost first: their index, and their text
 * without decorators.
 *
 * @param start  index of the passage's first line
 * @param from   index of its first line of code
 */
function* headsAround(
  lines: readonly string[],
  start: number,
  from: number,
  path: string,
): Generator<[at: number, line: string]> {
  let limit = indentOf(lines[from]!) + (closing.test(lines[from]!.trim()) ? 1 : 0);
  for (let i = start - 1; i >= 0 && limit > 0; i--) {
    const indent = indentOf(lines[i]!);
    if (indent >= limit) continue;
    const line = withoutDecorators([lines[i]!.trim()], path)[0]!;
    if (line === '' || isComment(line) || (beside.test(line) && !macro.test(line))) continue;
    // If the line closes a block or continues a head, the line that opens the block has the same indentation.
    const isRest = closing.test(line) || line === '{' || constraint.test(line);
    if (!isRest) yield [i, line];
    limit = isRest ? indent + 1 : indent;
  }
}

/** Prefixes a common name, or an operator, with the name of its class, as in "Lab.constructor". */
function withClass(name: string, lines: readonly string[], at: number, path: string): string {
  const around =
    commonNames.has(name) || overloaded.test(name)
      ? enclosing(lines, at, at, path)?.name.replace(/^impl (?:.* for )?/, '')
      : undefined;
  return around !== undefined && isName.test(around) ? `${around}.${name}` : name;
}

/**
 * Returns the name that a line declares, or `undefined`.
 *
 * @param line    text of the line, trimmed and without decorators
 * @param indent  indentation of the line; if it is 0, an assigned object counts as a declaration
 */
export function nameAt(lines: readonly string[], at: number, line: string, indent: number): string | undefined {
  const bare = line
    .replace(modifiers, '')
    .replace(/\s+(?:\/\/|\/\*).*$/, '')
    .replace(attributesOfC, '');
  const whole = headOf(lines, at, bare);
  const title = titleOfTest(bare, whole, lines[at + 1]);
  if (title !== undefined) return title;
  const defined = macro.exec(bare) ?? (indentOf(lines[at]!) === 0 && isHead(whole) ? definedByMacro.exec(whole) : null);
  if (defined) return defined[1]!;
  const word = declared.exec(bare);
  if (word) return word[1] ?? word[2]!;
  if (/^impl\b/.test(bare)) return implementationOf(whole);
  if (control.test(bare)) return undefined;
  const assignment = assigned.exec(bare) ?? assigned.exec(whole);
  if (assignment) return assignment[1]!;
  if (isHead(whole)) {
    const named = method.exec(whole.replaceAll(typeArguments, '').replace(initializers, ') {'));
    if (named) return named[1]!;
  }
  const tableName = indent === 0 ? table.exec(bare) : null;
  return tableName?.[1] ?? tableName?.[2];
}

/**
 * Returns the title or the name of a test that begins at a line.
 *
 * @param head   the lines up to the bracket that opens the test's body
 * @param below  the next line
 */
function titleOfTest(line: string, head: string, below = ''): string | undefined {
  const title = tested.exec(testedBelow.test(line) ? line + below.trim() : line)?.[2];
  if (title !== undefined) return title;
  const [, text, ...names] = testedByMacro.exec(head) ?? [];
  return text ?? (names[0] === undefined ? undefined : names.filter((name) => name !== undefined).join('.'));
}

/** Returns true if a block follows the parameters. In `each(rows, [](Row row) {`, it belongs to an argument. */
function isHead(head: string): boolean {
  if (!/[{:]$/.test(head) || /=>\s*\{$|\bfunction\s*\(.*\{$/.test(head)) return false;
  const code = head.replaceAll(/"[^"]*"|'[^']*'/g, '');
  return code.split('(').length === code.split(')').length;
}

/** Maximum number of characters of a head in which the name of an implementation is searched. */
const maxImplementation = 400;

/** Returns the name of an implementation in Rust without type parameters, such as `impl Iterator for Rows`. */
function implementationOf(head: string): string | undefined {
  let bare = '';
  let depth = 0;
  for (const { 0: sign } of head.slice(0, maxImplementation).matchAll(/->|[^]/g)) {
    if (sign === '<') depth++;
    if (depth === 0) bare += sign;
    if (sign === '>' && depth > 0) depth--;
  }
  const [, name] = /^(impl\s+(?:const\s+)?(?:\[[^\]]*\]|[^={;])+?)\s*(?:\bwhere\b.*|\{.*)?$/.exec(bare) ?? [];
  return name?.replaceAll(/\s+/g, ' ');
}

/** Matches the last parameters of a Python function and the colon before its body. */
const endOfPythonHead = /\)(?:\s*->.*)?:$/;

/** Returns the joined lines from a declaration to its body's opening bracket, which may be on its own line. */
export function headOf(lines: readonly string[], at: number, line: string): string {
  if (/[{:]$/.test(line)) return line;
  const indent = indentOf(lines[at]!);
  let head = line;
  for (let i = at + 1; i < Math.min(lines.length, at + maxHead); i++) {
    const next = lines[i]!.trim();
    if (next === '') return head;
    const deeper = indentOf(lines[i]!) > indent;
    if (!deeper && !closing.test(next) && !next.startsWith('{') && !/^(?:throws|where|->|:)/.test(next)) return head;
    head = `${head} ${next}`;
    if (/\{$/.test(next) || (!deeper && /:$/.test(next)) || endOfPythonHead.test(next)) return head;
    if (/;$/.test(next)) return head;
  }
  return head;
}

function isComment(line: string): boolean {
  return comment.test(line) || line.startsWith('*');
}

/** Returns a function that checks if the line at an index is code, not a comment. The lines must be trimmed. */
export function commentsApart(code: readonly string[]): (i: number) => boolean {
  const isText = new Set<number>();
  for (let i = 0, inside = false; i < code.length; i++) {
    const line = code[i]!;
    const begins = !inside && line.startsWith('/*');
    if (inside || begins || isComment(line)) isText.add(i);
    if (begins || inside) inside = !line.includes('*/');
  }
  return (i) => !isText.has(i);
}

export function indentOf(line: string): number {
  let width = 0;
  for (const character of line) {
    if (character === ' ') width++;
    else if (character === '\t') width += tabWidth - (width % tabWidth);
    else return width;
  }
  return Infinity;
}

function cut(name: string, characters = maxCharacters): string {
  const short = shorten(name)!;
  return short.length <= characters ? short : `${short.slice(0, characters - 1).trimEnd()}…`;
}
