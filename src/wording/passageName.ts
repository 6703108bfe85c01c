/**
 * The name by which a person knows a passage: of the function, the class, the test or the heading that it is, or that it stands
 * in. Nothing is parsed: declarations are told by their first line, and what is around a passage by the lines above it that
 * are indented less, which holds in any language that people lay out.
 */
import type { Group } from '../engine/report/report.ts';
import { comment, modifiers, shorten, tellingLine, withoutDecorators } from './tellingLine.ts';

export interface PassageName {
  readonly name: string;
  /** Whether the passage begins above it or with it; else it is inside. */
  readonly isWhole: boolean;
}

/** Names longer than that are cut: files come behind them. */
const maxCharacters = 48;
const tabWidth = 4;
/** Lines that the head of a declaration may take. */
const maxHead = 40;

const prosePath = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|text|tex|org|textile|html?)$/i;

const letters = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
/** Words that a declaration begins with, and the name behind them. */
const declared = new RegExp(
  `^(?:${[
    'function\\*?|func|fun|fn|def|defp|defmacro|defmodule|sub|proc|procedure|class|interface|struct|enum|union|trait|module',
    'namespace|object|protocol|extension|record|type|actor|contract|library|message|service|rpc|macro|macro_rules!|package',
    'subroutine|program|annotation|@interface|@implementation|typedef struct|data class|create(?: or replace)? \\w+',
  ].join(
    '|',
  )})\\s+(?:\\([^)]*\\)\\s*)?(~?${letters}(?:[.:\\-]+${letters})*[?!']?)(?![\\p{L}\\p{N}])(?=\\s*(?:[({<:=\\[;,]|$|extends|implements|where|is|as|with|do|struct|interface|returns|begin|on))`,
  'iu',
);
/** `name = (…) =>`, `name: function (…)`, `name := func(…)`, `name = class`. */
const assigned = new RegExp(
  `^(?:(?:const|let|var|val|local|my|our|static|readonly)\\s+)*["']?(${letters}(?:[.\\-]${letters})*)["']?\\s*(?::[^=]*)?(?::|:?=|<-)\\s*(?:async\\s*)?(?:function\\b|func\\b|fn\\b|class\\b|lambda\\b|\\(.*\\)\\s*(?::.*)?=>|${letters}\\s*=>|<.*>\\(.*=>)`,
  'u',
);
/** A table or an object that has a name. */
const table = new RegExp(
  `^(?:(?:const|let|var|val|local|my|our|static)\\s+)*(${letters}(?:\\.${letters})*)(?:\\[\\])?\\s*(?::[^=]*)?:?=[^=].*[{(\\[]$|^(?:const|let|var|val|static)\\s+.*?(${letters})(?:\\[\\w*\\])*\\s*=\\s*[{(\\[]?$`,
  'u',
);
/** `type name(…) {`, also over several lines, and with the bracket on the next one. */
const method = new RegExp(
  `^(?:[\\p{L}_$<*&\\[(][\\p{L}\\p{N}_$<>\\[\\],.:*&?() ]*?[\\s*&>\\])])?(~?#?${letters}(?:(?:::|\\.|#)~?${letters})*[?!]?)\\s*(?:<[^()]*>)?\\(.*\\)[^()=;]*(?:\\([^()]*\\)[^()=;]*)*[{:]?$`,
  'u',
);
/** A test, by what it says: `it('adds a row', …)`. */
const tested =
  /^(?:(?:describe|suite|context|it|test|specify|scenario|feature|bench)(?:\.\w+)*)\s*\(?\s*(["'`])((?:\\.|(?!\1).)+)\1/u;
/** What is no declaration though it looks like one. */
const control =
  /^(?:\}?\s*)(?:if|else|elif|elsif|elseif|for|foreach|while|until|unless|switch|case|default|catch|except|finally|try|do|with|using|lock|when|match|select|loop|begin|rescue|ensure|end|return|new|throw|raise|await|yield|assert|delete|typeof|sizeof|print|and|or|not|in|defer|go|synchronized|guard|repeat|then|import|from|#\w+)\b/iu;
/** Lines that say nothing of what is around: labels, access, directives of the preprocessor. */
const beside =
  /^(?:(?:public|private|protected|signals|slots|(?:public|private|protected) slots|default|case\b.*|[A-Za-z_]\w*\s*):(?!:)\s*$|#\s*\w|`\w)/u;
/** What a value is for: `rows = new Table(`, `"rows": [`. */
const keyed = new RegExp(
  `^(?:(?:const|let|var|val|local|my|our|static)\\s+)*["']?(${letters}(?:[.\\-]${letters})*)["']?\\s*(?::[^=(]*)?[:=]`,
  'u',
);
/** Constructors, and what a language or a framework calls by its name. */
const commonNames = new Set(
  (
    'constructor __init__ __construct initialize init new dispose close main run execute call apply get set is has render ' +
    'toString equals hashCode compareTo clone setUp tearDown setup teardown update create build start stop reset handle process'
  ).split(' '),
);
const isName = new RegExp(`^${letters}(?:[.:]+${letters})*$`, 'u');
const closing = /^[)\]}>]/u;
const opens = /(?:[{([]|=>|\bdo(?:\s*\|.*\|)?|\bthen|\bbegin|:)\s*$/iu;

/**
 * The name of a passage; undefined when nothing around it has one.
 *
 * @param lines  those of its file, from the first to the last of the passage at least
 * @param start  its first line, counted from zero
 * @param end    the one behind its last
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

/** The heading that a passage of prose begins with, or the last one above it. */
function headingOf(lines: readonly string[], start: number, end: number): PassageName | undefined {
  const first = lines.findIndex((line, i) => i >= start && line.trim() !== '');
  if (first < 0 || first >= end) return undefined;
  // In AsciiDoc what a list explains is as good as a heading.
  const own = headingAt(lines, first) ?? /^(\S.*)::$/.exec(lines[first]!)?.[1];
  if (own !== undefined) return { name: own, isWhole: true };
  for (let i = first - 1; i >= 0; i--) {
    const name = isInFence(lines, i) ? undefined : headingAt(lines, i);
    if (name !== undefined) return { name, isWhole: false };
  }
  // Pages of many sites have their title in front of the text.
  const title = lines[0]?.trim() === '---' ? lines.slice(1, 30).find((line) => /^title:/i.test(line)) : undefined;
  const name = title?.replace(/^title:\s*/i, '').replaceAll(/^["']|["']$/g, '');
  return name ? { name, isWhole: false } : undefined;
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
  // A rule below a paragraph or a table is none of its heading.
  if (!isUnderlined || below.length < Math.min(line.length, 4) || line.includes('|')) return undefined;
  return at > 0 && lines[at - 1]!.trim() !== '' && !/^([=\-~^"'`#*+.:_])\1{2,}$/.test(lines[at - 1]!.trim())
    ? undefined
    : plain(line);
}

/** Whether a line that begins as a heading of Markdown is a comment in a block of code. */
function isInFence(lines: readonly string[], at: number): boolean {
  if (!/^\s*#/.test(lines[at]!)) return false;
  let isInside = false;
  for (let i = 0; i < at; i++) if (/^\s*(?:```|~~~)/.test(lines[i]!)) isInside = !isInside;
  return isInside;
}

function plain(heading: string): string {
  return heading
    .replace(/\s*\{#[^}]*\}$/u, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\[\[.*?\]\]|<\/?(?:a|b|i|br|code|em|img|kbd|p|small|span|strong|sub|sup|tt)\b[^>]*>|[`*]/gi, '')
    .trim();
}

function declarationOf(lines: readonly string[], start: number, end: number, path: string): PassageName | undefined {
  const code = withoutDecorators(
    lines.slice(start, end).map((line) => line.trim()),
    path,
  );
  const isCode = commentsApart(code);
  const first = code.findIndex((line, i) => line !== '' && isCode(i));
  if (first < 0) return undefined;
  // What the passage itself declares, as far out as anything in it stands.
  let outermost = Infinity;
  for (let i = first; i < code.length; i++) {
    if (code[i] === '' || !isCode(i)) continue;
    const indent = indentOf(lines[start + i]!);
    if (indent > outermost) continue;
    // A table is what the passage is when it begins with it; further on it is one of many statements.
    const line = code[i]!;
    const name = closing.test(line) ? undefined : nameAt(lines, start + i, line, i === first ? 0 : indent);
    if (name !== undefined) {
      const before = i - first;
      const around = before * 2 > code.length - first ? enclosing(lines, start, start + first, path) : undefined;
      return around ?? { name: withClass(name, lines, start + i, path), isWhole: true };
    }
    outermost = indent;
  }
  return enclosing(lines, start, start + first, path);
}

/** What is around a line: the nearest declaration that is indented less, else what opens the nearest block. */
function enclosing(lines: readonly string[], start: number, from: number, path: string): PassageName | undefined {
  const trimmed = lines[from]!.trim();
  let limit = indentOf(lines[from]!) + (closing.test(trimmed) ? 1 : 0);
  let opener: string | undefined;
  for (let i = start - 1; i >= 0 && limit > 0; i--) {
    const indent = indentOf(lines[i]!);
    if (indent >= limit) continue;
    const line = withoutDecorators([lines[i]!.trim()], path)[0]!;
    if (line === '' || isComment(line) || beside.test(line)) continue;
    // It ends what begins above it with the same indentation.
    if (closing.test(line) || line === '{') {
      limit = indent + 1;
      continue;
    }
    const name = nameAt(lines, i, line, indent);
    if (name !== undefined) return { name: withClass(name, lines, i, path), isWhole: false };
    if (opens.test(line) && !control.test(line)) opener ??= line;
    limit = indent;
  }
  const name = opener && (keyed.exec(opener.replace(modifiers, ''))?.[1] ?? tellingLine([opener], 'code', path));
  return name === undefined ? undefined : { name: name.replace(/\s*=>$/, ''), isWhole: false };
}

/** A name that many classes have tells nothing without that of the class: "Lab.constructor". */
function withClass(name: string, lines: readonly string[], at: number, path: string): string {
  const around = commonNames.has(name) ? enclosing(lines, at, at, path)?.name : undefined;
  return around !== undefined && isName.test(around) ? `${around}.${name}` : name;
}

/**
 * The name that a line declares; undefined when it declares nothing.
 *
 * @param line    the line, trimmed, without decorators
 * @param indent  0 where a table counts
 */
function nameAt(lines: readonly string[], at: number, line: string, indent: number): string | undefined {
  const bare = line.replace(modifiers, '').replace(/\s+(?:\/\/|\/\*).*$/, '');
  const test = tested.exec(bare);
  if (test) return test[2]!;
  const word = declared.exec(bare);
  if (word) return word[1]!;
  if (control.test(bare)) return undefined;
  const whole = headOf(lines, at, bare);
  const assignment = assigned.exec(bare) ?? assigned.exec(whole);
  if (assignment) return assignment[1]!;
  const named = method.exec(whole);
  if (named && /[{:]$/.test(whole) && !/=>\s*\{$|\bfunction\s*\(.*\{$/.test(whole)) return named[1]!;
  const tableName = indent === 0 ? table.exec(bare) : null;
  return tableName?.[1] ?? tableName?.[2];
}

/** The head of a declaration on one line, up to the bracket that begins its body, be it on a line of its own. */
function headOf(lines: readonly string[], at: number, line: string): string {
  if (/[{:]$/.test(line)) return line;
  const indent = indentOf(lines[at]!);
  let head = line;
  for (let i = at + 1; i < Math.min(lines.length, at + maxHead); i++) {
    const next = lines[i]!.trim();
    if (next === '') return head;
    const deeper = indentOf(lines[i]!) > indent;
    if (!deeper && !closing.test(next) && !next.startsWith('{') && !/^(?:throws|where|->|:)/.test(next)) return head;
    head = `${head} ${next}`;
    if (/\{$/.test(next) || (!deeper && /:$/.test(next))) return head;
    if (/;$/.test(next)) return head;
  }
  return head;
}

function isComment(line: string): boolean {
  return comment.test(line) || line.startsWith('*');
}

/** Tells which of some trimmed lines are no comments. */
function commentsApart(code: readonly string[]): (i: number) => boolean {
  const isText = new Set<number>();
  for (let i = 0, inside = false; i < code.length; i++) {
    const line = code[i]!;
    const begins = !inside && line.startsWith('/*');
    if (inside || begins || isComment(line)) isText.add(i);
    if (begins || inside) inside = !line.includes('*/');
  }
  return (i) => !isText.has(i);
}

function indentOf(line: string): number {
  let width = 0;
  for (const character of line) {
    if (character === ' ') width++;
    else if (character === '\t') width += tabWidth - (width % tabWidth);
    else return width;
  }
  return Infinity;
}

function cut(name: string): string {
  const short = shorten(name)!;
  return short.length <= maxCharacters ? short : `${short.slice(0, maxCharacters - 1).trimEnd()}…`;
}
