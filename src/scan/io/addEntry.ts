/**
 * Adds an entry to an object or a list in a JSON file. Only inserts: every character of the file is kept. The formatter
 * of `jsonc-parser` would also format the other entries on the same line.
 */
import { createScanner, findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';

/**
 * Returns the text with an entry added at the end of its object or list. Missing objects and lists around it are added,
 * too.
 *
 * @param text  a valid JSON object. Comments and trailing commas are allowed
 * @param path  JSON path at which there is no value. If it ends with -1, the entry is appended to a list
 */
export function addEntry(text: string, path: JSONPath, value: unknown): string {
  const root = parseTree(text, [], { allowTrailingComma: true })!;
  let depth = path.length - 1;
  while (findNodeAtLocation(root, path.slice(0, depth)) === undefined) depth--;
  const parent = findNodeAtLocation(root, path.slice(0, depth))!;
  const key = path[depth]!;
  const added = path.slice(depth + 1).reduceRight<unknown>(wrapped, value);
  const style = styleOf(text);
  const name = typeof key === 'string' ? `${JSON.stringify(key)}: ` : '';
  const onOneLine = name + inline(added);
  const onLines = (indent: string): string =>
    `${style.eol}${indent}${name}${pretty(added, style.unit).replaceAll('\n', style.eol + indent)}`;
  const last = parent.children?.at(-1);
  if (last === undefined) return addFirst(text, parent, onOneLine, onLines, style);
  const before = text.slice(text.lastIndexOf('\n', last.offset) + 1, last.offset);
  const end = last.offset + last.length;
  if (before.trim() !== '') return `${text.slice(0, end)}, ${onOneLine}${text.slice(end)}`;
  const comma = commaAfter(text, end);
  const from = comma === undefined ? end : comma + 1;
  // A comment on the same line belongs to the last entry.
  const at = from + (/^[ \t]*\/\/.*|^[ \t]*\/\*.*\*\/[ \t]*$/m.exec(restOfLine(text, from))?.[0].trimEnd().length ?? 0);
  const [firstComma, lastComma] = comma === undefined ? [',', ''] : ['', ','];
  return text.slice(0, end) + firstComma + text.slice(end, at) + onLines(before) + lastComma + text.slice(at);
}

interface Style {
  readonly eol: string;
  /** Indentation of one level. */
  readonly unit: string;
}

/** Adds the first entry of an object or a list. */
function addFirst(
  text: string,
  parent: Node,
  onOneLine: string,
  onLines: (indent: string) => string,
  { eol, unit }: Style,
): string {
  const close = parent.offset + parent.length - 1;
  const isInLine = parent.parent !== undefined && !containerOf(parent, text).includes('\n');
  const within = text.slice(parent.offset + 1, close);
  if (isInLine && within.trim() === '') return `${text.slice(0, parent.offset + 1)} ${onOneLine} ${text.slice(close)}`;
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', parent.offset) + 1))![0];
  const at = parent.offset + 1 + within.trimEnd().length;
  const rest = text.slice(at, close);
  const after = rest.includes('\n') ? rest : `${eol}${indent}`;
  return text.slice(0, at) + onLines(indent + unit) + after + text.slice(close);
}

/** Returns the text of the object or list around a value. */
function containerOf({ parent }: Node, text: string): string {
  const container = parent!.type === 'property' ? parent!.parent! : parent!;
  return text.slice(container.offset, container.offset + container.length);
}

function wrapped(value: unknown, segment: string | number): unknown {
  return typeof segment === 'string' ? { [segment]: value } : [value];
}

/** Returns the offset of the comma after an entry; `undefined` if there is none. */
function commaAfter(text: string, end: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  scanner.scan();
  const offset = scanner.getTokenOffset();
  return text[offset] === ',' ? offset : undefined;
}

function restOfLine(text: string, from: number): string {
  return /^[^\r\n]*/.exec(text.slice(from))![0];
}

/** Returns a value as JSON on one line. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${inline(one)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Returns a value as JSON on several lines. As formatters do, lists of plain values are on one line. */
function pretty(value: unknown, unit: string): string {
  const isList = Array.isArray(value);
  const all = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (all.length === 0 || (isList && all.every(([, one]) => typeof one !== 'object'))) return inline(value);
  const entries = all.map(([key, one]) => (isList ? '' : `${JSON.stringify(key)}: `) + pretty(one, unit));
  const [open, close] = isList ? '[]' : '{}';
  return [open, entries.join(',\n').replaceAll(/^/gm, unit), close].join('\n');
}

function styleOf(text: string): Style {
  const unit = /^[ \t]+(?=[^\s*])/m.exec(text)?.[0] ?? '  ';
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit: unit.startsWith('\t') ? '\t' : unit };
}
