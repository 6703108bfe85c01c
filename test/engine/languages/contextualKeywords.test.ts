/** Contextual keywords: words that are keywords at some positions and names at others. */
import assert from 'node:assert/strict';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { groupsOf } from '../corpusOf.ts';
import { lexParts } from '../lexing.ts';

/** Returns the keywords of a text. */
function keywordsOf(file: string, text: string): string {
  const bytes = Buffer.from(text);
  const { tokens } = lexParts(bytes, [{ start: 0, end: bytes.length, lexicon: lexiconForPath(file) }]);
  return tokens
    .filter(({ kind }) => kind === 'keyword')
    .map(({ text: word }) => word)
    .join(' ');
}

/** Texts and their keywords. */
type Cases = readonly (readonly [text: string, keywords: string])[];

const casesOf: Readonly<Record<string, Cases>> = {
  'a.ts': [
    ['type A = B; type A<T> = T', 'type type'],
    ['f(type); type(a); a.type = type; type += 1; ({ type: 1, of, as })', ''],
    ['for (const type of types) f(type)', 'for const of'],
    ['for (const of of as) of.as(is)', 'for const of'],
    ['type in a && type instanceof B', 'in instanceof'],
    ['const x = type as string', 'const as string'],
    ['function f(is: A): is is B { return as satisfies C }', 'function is return satisfies'],
    [
      'class A { static get of() {} static async *a() {} set = 1; get [b]() {} static {} }',
      'class static get static async get static',
    ],
    ["g(async () => {}, async (x) => x); async.map(a); const o = { get 'a'() {} }", 'async async const get'],
    ['let f: (a: string) => number[]; let g: Map<string, any>', 'let string number let string any'],
    ['string.length + number * object[1]; f(symbol, object); return string;', 'return'],
    ['export default class extends A {}', 'export default class extends'],
    ['module.exports = namespace; declare module "a" {}', 'declare module'],
    ['const x = type\nfoo()', 'const'],
  ],
  'a.py': [
    ['match x:\n    case [a, b]:\n        pass\n    case "a":\n        match = re.match(case)', 'match case pass case'],
    ['for case in cases:\n    yield match if case is match else case.x', 'for in yield if is else'],
  ],
  'a.cs': [
    [
      'class A { int B { get; private set; } int C { get => c; } int D\n{\n  get\n  {\n    return d;\n  }\n} }',
      'class int get private int get int get return',
    ],
    ['var value = from.group; remove(add, set); group.by = on;', 'var'],
    ['var x = from a in b where a > 1 orderby a descending select a;', 'var from in where orderby descending select'],
    ['x = y with { A = 1 }; partial class B where T : new() {}', 'with partial class where new'],
  ],
  'a.kt': [
    ['data class A(val data: Int, private val value: B by lazy)', 'data class val private val by'],
    ['data.open(value, inner); val set = by.get(out); if (a) data else inner', 'val if else'],
  ],
  'a.swift': [
    ['final class A { lazy var open = prefix.set; var b: Int { get { set } } }', 'final class lazy var var get'],
    ['func f(_ some: A) async throws -> some B { optional(some) }', 'func async throws some'],
  ],
  'a.java': [
    [
      'record A(int record) { void f() { record.sealed(var); } } sealed interface B permits C {}',
      'record int void sealed interface permits',
    ],
  ],
  'a.dart': [
    [
      'f() async { get.show(on); } int get show => hide; class A extends B implements C {}',
      'async get class extends implements',
    ],
  ],
  'a.rs': [['union A { } let union = x.union(union);', 'union let']],
  'a.c': [['#error "no"\nint line = error(warning); line++;', 'error int']],
};

suite('contextual keywords', () => {
  for (const [file, cases] of Object.entries(casesOf)) {
    test(`of ${file}`, () => {
      assert.deepEqual(
        cases.map(([text]) => [text, keywordsOf(file, text)]),
        cases,
      );
    });
  }
});

/** Functions with a name § that is a contextual keyword in one copy, and another name in the other one. */
const copies: Readonly<Record<string, readonly [keyword: string, name: string, text: string]>> = {
  ts: [
    'type',
    'kind',
    `export function labelOf(§: Coverage): string {
  const labels: string[] = [];
  if (§ & Coverage.css) labels.push(text(strings.css));
  if (§ & Coverage.perFunction) labels.push(text(strings.perFunction));
  else if (§ & Coverage.script) labels.push(text(strings.perBlock));
  if (labels.length === 0 && § === undefined) return missing(§);
  for (const label of labels) report(§, label, labels.indexOf(label));
  return labels.join('+');
}
`,
  ],
  js: [
    'of',
    'list',
    `function indexOfLargest(of, from) {
  let best = from;
  for (let at = from + 1; at < §.length; at++) {
    const change = §[at].size - §[best].size;
    if (change > 0 || (change === 0 && §[at].name < §[best].name)) best = at;
  }
  if (§.length === 0) throw new RangeError(describe(§, from));
  return { best, size: §[best].size, share: §[best].size / total(§) };
}
`.replace('(of', '(§'),
  ],
  py: [
    'match',
    'found',
    `def split_header(line, pattern):
    § = pattern.search(line)
    if § is None or §.end() > len(line):
        raise ValueError(line)
    name = §.group(1).strip().lower()
    value = line[§.end():] if § else None
    while value and value[0] in (" ", "\\t"):
        value = value[1:]
    return name, value, §
`,
  ],
  cs: [
    'value',
    'text',
    `static int CountDigits(string §, int limit)
{
    int count = 0;
    for (int at = 0; at < §.Length && count < limit; at++)
    {
        if (§[at] >= '0' && §[at] <= '9') count++;
        else if (§[at] == '-' && at > 0) throw new FormatException(§);
    }
    return count == 0 ? Fallback(§, limit) : count;
}
`,
  ],
  kt: [
    'data',
    'bytes',
    `fun checksum(§: ByteArray, limit: Int): Int {
    var sum = 1
    for (at in 0 until minOf(limit, §.size)) {
        sum = (sum * 31 + §[at]) and 0xffff
        if (sum == 0 && §[at] < 0) throw IllegalStateException(describe(§, at))
    }
    log(sum, §.size, §.first())
    return if (sum < 0) §.size else sum
}
`,
  ],
  swift: [
    'prefix',
    'head',
    `func longest(_ §: [String], upTo limit: Int) -> String? {
    var best: String? = nil
    for at in 0..<min(§.count, limit) {
        if §[at].count > (best?.count ?? 0) { best = §[at] }
        else if §[at].isEmpty { report(§, at) }
    }
    guard §.count > 0 else { return fallback(§) }
    return best ?? §[0]
}
`,
  ],
  java: [
    'record',
    'row',
    `static String describe(Row §, int limit) {
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < §.size() && text.length() < limit; at++) {
        if (§.get(at) == null) text.append("-").append(at);
        else text.append(§.get(at).toString().trim());
    }
    if (§.isEmpty()) throw new IllegalArgumentException(name(§));
    return text.append(§.id()).toString();
}
`,
  ],
};

suite('copies whose names are contextual keywords', () => {
  for (const [extension, [keyword, name, text]] of Object.entries(copies)) {
    test(`${keyword} was renamed to ${name} in ${extension}`, () => {
      const [first, second] = [text.replaceAll('§', keyword), text.replaceAll('§', name)];
      const groups = groupsOf({ [`a.${extension}`]: first, [`b.${extension}`]: second });
      const lines = text.split('\n').length - 1;
      assert.deepEqual(
        groups.map(({ passages }) => passages.map(({ path, startLine, endLine }) => [path, startLine, endLine])),
        [
          [
            [`a.${extension}`, 1, lines],
            [`b.${extension}`, 1, lines],
          ],
        ],
      );
    });
  }
});
