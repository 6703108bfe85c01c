/**
 * The examples of the library, in the comments of its sources and in the documentation. Each block runs with
 * dist/engine.js, and a comment behind an expression is its value: `hash64('a'); // 5n`. An explanation may follow: `//
 * 5n: …`.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { root } from '../../scripts/project.mjs';
import { drawing, parsing, parsingRenamed } from '../passages.ts';

interface Example {
  /** File and line. */
  readonly place: string;
  readonly code: string;
}

/** Names that examples refer to. */
const texts = {
  first: parsing,
  second: drawing + parsingRenamed,
  text: parsing,
  files: [
    { path: 'src/a.ts', text: parsing },
    { path: 'src/b.ts', text: parsingRenamed },
  ],
};

const sources = ['src/library', 'src/core/methods'].flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);
const examples = [...sources, 'docs/methods.md', 'docs/npm.md'].flatMap(examplesIn);

suite('examples of the library', () => {
  let library: Readonly<Record<string, unknown>> = {};
  suiteSetup(async () => {
    library = (await import(pathToFileURL(path.join(root, 'dist/engine.js')).href)) as typeof library;
  });

  test('are in most sources and in both documents', () => {
    const files = new Set(examples.map(({ place }) => place.split(':')[0]));
    assert.ok(files.has('docs/methods.md') && files.has('docs/npm.md') && files.size > 15, [...files].join());
  });

  for (const { place, code } of examples) {
    test(`${place} has the values in its comments`, () => {
      const printed: unknown[][] = [];
      let checks = 0;
      const check = (actual: unknown, expected: unknown): void => {
        checks++;
        assert.deepEqual(actual, expected);
      };
      const scope: Record<string, unknown> = {
        ...library,
        ...texts,
        check,
        console: { log: (...values: unknown[]) => printed.push(values) },
      };
      const run = compileFunction(checking(code), Object.keys(scope)) as (...values: unknown[]) => void;
      run(...Object.values(scope));
      assert.ok(checks + printed.length > 0, 'shows nothing');
    });
  }
});

/** Returns the blocks of code in a document, or in the examples of comments. */
function examplesIn(file: string): Example[] {
  const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
  const found: Example[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, margin] = /^(.*)```js$/.exec(lines[at]) ?? [];
    if (margin === undefined) continue;
    const end = lines.indexOf(`${margin}\`\`\``, at);
    const code = lines.slice(at + 1, end).map((line) => line.slice(margin.length));
    found.push({ place: `${file}:${at + 1}`, code: code.join('\n') });
  }
  return found;
}

/** Returns the program of an example, which checks each expression that a comment follows. It may declare any name. */
function checking(code: string): string {
  const lines = code
    .split('\n')
    .filter((line) => !line.startsWith('import '))
    .map((line) => {
      const [, expression, comment] = /^(?!const |for )(.+); \/\/ (.+)$/.exec(line) ?? [];
      if (comment === undefined) return line;
      const [value] = comment.split(/: |, an /);
      return `check(${expression}, (${value}));`;
    });
  return ['{', ...lines, '}'].join('\n');
}
