/** Units of documents, compared with the functions and classes that parsers find in real files. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { DocumentIndexer } from '../../../src/core/engine/documents/indexDocument.ts';
import { placeOfToken } from '../../../src/core/engine/documents/tokenPlaces.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { defaultOptions } from '../../../src/core/engine/options.ts';
import { minUnitTokens, unitBytes, unitEndAt, unitStartAt } from '../../../src/core/kernel/documents/unitLayout.ts';

const kernel = new Kernel(createMemory());
const indexer = new DocumentIndexer(kernel, defaultOptions);

/** Lines [first, last], from 1, as `first-last`. */
type Lines = string;

interface FoundUnits {
  readonly units: readonly Lines[];
  /** Returns the number of tokens that begin on lines [first, last]. */
  readonly tokensIn: (first: number, last: number) => number;
}

function findUnits(file: string, text: string): FoundUnits {
  const bytes = indexer.reserve(Buffer.byteLength(text));
  bytes.set(Buffer.from(text));
  const document = indexer.index(bytes, lexiconForPath(file));
  const lineAt = linesOf(bytes);
  const lineOf = (token: number): number => lineAt(placeOfToken(kernel, document, token).start);
  const lines = Array.from({ length: document.tokenCount }, (_, token) => lineOf(token));
  return {
    units: Array.from({ length: document.unitCount }, (_, i) => {
      const record = document.units + i * unitBytes;
      const [start, end] = [unitStartAt, unitEndAt].map((at) => kernel.words[(record + at) >>> 2]);
      return `${lines[start]}-${lines[end - 1]}`;
    }),
    tokensIn: (first, last) => lines.filter((line) => line >= first && line <= last).length,
  };
}

/** Returns a function from offsets to lines, from 1. */
function linesOf(text: Uint8Array): (offset: number) => number {
  const ends = [...text.keys()].filter((at) => text[at] === 10);
  return (offset) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ends[middle] < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

/** Declared functions with a body, and classes, by a parser. */
interface Parsed {
  readonly file: string;
  readonly text: string;
  readonly declared: readonly (readonly [first: number, last: number])[];
}

/** Compares units with declarations of at least `minUnitTokens` tokens. Returns the share that is equal. */
function shareOfEqual(parsed: Iterable<Parsed>, minTokens: number): number {
  let [equal, all] = [0, 0];
  const missed: string[] = [];
  for (const { file, text, declared } of parsed) {
    const { units, tokensIn } = findUnits(file, text);
    const found = new Set(units);
    for (const [first, last] of declared) {
      if (tokensIn(first, last) < minUnitTokens) continue;
      all++;
      if (found.has(`${first}-${last}`)) equal++;
      else if (tokensIn(first, last) >= minUnitTokens + 8) missed.push(`${file}:${first}-${last}`);
    }
  }
  assert.ok(all >= minTokens, `only ${all} declarations`);
  if (process.env['KINDRED_MISSED']) console.log(`${equal} of ${all}\n${missed.join('\n')}`);
  return equal / all;
}

function parseScript(file: string): Parsed {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const declared: [number, number][] = [];
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    const isFunction =
      (ts.isFunctionDeclaration(node) ||
        ts.isMethodDeclaration(node) ||
        ts.isConstructorDeclaration(node) ||
        ts.isAccessor(node)) &&
      node.body;
    if (isFunction || ts.isClassDeclaration(node)) declared.push([lineOf(node.getStart()), lineOf(node.getEnd())]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { file, text, declared };
}

function* filesBelow(folder: string, extensions: RegExp, limit: number): Generator<string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  let count = 0;
  for (const name of names) {
    if (!extensions.test(name) || /\.d\.[cm]?ts$|\.min\./.test(name)) continue;
    const file = path.join(folder, name);
    let longest = 0;
    for (const line of readFileSync(file, 'utf8').split('\n')) longest = Math.max(longest, line.length);
    // Lines of minified code have many functions.
    if (longest > 400) continue;
    yield file;
    if (++count === limit) return;
  }
}

suite('units of real files', () => {
  test('are the declarations that the TypeScript compiler finds in TypeScript', () => {
    const files = [...filesBelow('src', /\.ts$/, 400)].filter(
      (file) => !file.startsWith(path.join('src', 'core', 'kernel')),
    );
    assert.ok(shareOfEqual(files.map(parseScript), 1500) >= 0.98);
  });

  test('are the declarations that the TypeScript compiler finds in JavaScript', () => {
    const packages = [
      'assemblyscript',
      'eslint',
      'commander',
      'diff',
      'highlight.js',
      'prettier',
      'mocha',
      'js-yaml',
      'markdown-it',
    ];
    const files = packages.flatMap((name) => [...filesBelow(path.join('node_modules', name), /\.[cm]?js$/, 150)]);
    assert.ok(shareOfEqual(files.map(parseScript), 1500) >= 0.98);
  });

  test('are the declarations that Python finds in its standard library', function () {
    const parsed = parsePython();
    if (!parsed) {
      console.log('Python 3 is not installed: its declarations are not compared.');
      return;
    }
    assert.ok(shareOfEqual(parsed, 1500) >= 0.98);
  });
});

suite('units around text', () => {
  test('signs in the first column of a text do not end a unit', () => {
    const call = '    check(first, second, third, fourth, fifth, sixth, seventh)\n';
    const text = `def f(a):\n${call.repeat(3)}    x = """\n<a href="b">\n- (c)\n"""\n${call.repeat(3)}\n\ng()\n`;
    assert.deepEqual(findUnits('a.py', text).units, ['1-11']);
  });
  test('brackets of a text without partners end no unit', () => {
    const lines = ['(common) {', 'gzip foo', '}', 'http://example.com {', 'import common', '}'];
    const calls = '\tcheck(first, second, third, fourth, fifth, sixth, seventh)\n'.repeat(3);
    const text = `func Test(t T) {\n\tp := parser(\`\n${lines.join('\n')}\n\`)\n${calls}}\n`;
    assert.deepEqual(findUnits('a.go', text).units, ['1-13']);
  });
  test('a unit begins after a text that ends with a sign', () => {
    const body = '  check(first, second, third, fourth, fifth, sixth, seventh)\n'.repeat(3);
    const text = `const a = \`\n<b>\n\`\nfunction f(a) {\n${body}}\n`;
    assert.ok(findUnits('a.js', text).units.includes('4-8'));
  });
});

suite('units begin with their heads and end with their blocks', () => {
  const call = 'check(first, second, third, fourth, fifth, sixth, seventh)';
  const body = `  ${call};\n`.repeat(3);
  const examples: readonly (readonly [title: string, file: string, text: string, units: readonly Lines[]])[] = [
    ['a return type on its own line in C', 'a.c', `int a;\nstatic int\nmeasure(int depth)\n{\n${body}}\n`, ['2-8']],
    [
      'an implementation of a trait in Rust',
      'a.rs',
      `impl Measure for Depth {\n  fn measure(a: A) {\n${body}  }\n}\n`,
      ['1-7', '2-6'],
    ],
    [
      'members after a label in C++',
      'a.cc',
      `class Depth {\npublic:\n  int measure(A a) {\n${body}  }\n};\n`,
      ['1-8', '3-7'],
    ],
    [
      'a function in Kotlin that is an expression with blocks',
      'a.kt',
      `fun measure(a: A): Int =\n  if (a.isDeep) {\n${body}  } else {\n${body}  }\n\nval b = 1\n`,
      ['1-10'],
    ],
    [
      'a function in Kotlin that is a call',
      'a.kt',
      `fun measure(a: A): Int =\n  ${call}\n    .plus(${call})\n`,
      ['1-3'],
    ],
    [
      'a class in Kotlin after an annotated property',
      'a.kt',
      `@Field\nvar depth = 1\nvar height = 2\n\nclass Measure(a: A) :\n  Depth(a) {\n${body}}\n`,
      ['5-10'],
    ],
    [
      'a base class on the next line in TypeScript',
      'a.ts',
      `class Measure extends\n    Depth<A> {\n  f(a: A) {\n${body}  }\n}\n`,
      ['1-8', '3-7'],
    ],
    [
      'a function in JavaScript after a statement in brackets',
      'a.js',
      `(function () { start() })()\nfunction measure(a) {\n${body}}\n`,
      ['2-6'],
    ],
    [
      'no case of a class in PHP with a condition',
      'a.php',
      `<?php\nfunction measure($a) {\n  switch ($a) {\n  case Depth::class:\n  if ($a) {\n${body}  }\n  }\n}\n`,
      ['2-11'],
    ],
    [
      'a call with a function before else in JavaScript',
      'a.js',
      `if (a)\n  measure(1, function () {\n${body}  })\nelse\n  stop()\n`,
      ['2-6'],
    ],
    [
      'a function in Lua on one line before else',
      'a.lua',
      `if a then\nfunction measure() return ${call}, ${call}, ${call} end\nelse\nfunction measure()\n${body}end\nend\n`,
      ['4-8'],
    ],
    [
      'a method in Ruby with a rescue clause',
      'a.rb',
      `def measure(a)\n${body.repeat(2)}rescue Depth\n  ${call}\nend\n`,
      ['1-10'],
    ],
  ];
  for (const [title, file, text, units] of examples) {
    test(title, () => {
      assert.deepEqual(findUnits(file, text).units, units);
    });
  }
});

/** Reads files of Python's standard library; `undefined` without Python. */
function parsePython(): Parsed[] | undefined {
  const program = `
import ast, json, os, sys, sysconfig
folder = sysconfig.get_paths()["stdlib"]
for name in sorted(os.listdir(folder)):
    if not name.endswith(".py"): continue
    file = os.path.join(folder, name)
    text = open(file, encoding="utf-8").read()
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    declared = [[min([n.lineno] + [d.lineno for d in n.decorator_list]), n.end_lineno] for n in ast.walk(ast.parse(text)) if isinstance(n, kinds)]
    print(json.dumps({"file": file, "text": text, "declared": declared}))
`;
  let printed: string;
  try {
    printed = execFileSync('python3', ['-W', 'ignore', '-c', program], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  } catch {
    return undefined;
  }
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Parsed);
}
