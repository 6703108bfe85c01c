import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { allBelow, inAnyFolder, matchesPattern, orAllBelow, parsePattern } from '../../src/scan/io/pathPattern.ts';
import { addRules, rulesThatHide } from '../../src/scan/io/pathRules.ts';
import { makeFolder, removeFolder } from './temporaryFolder.ts';

function matches(text: string, path: string): boolean {
  const pattern = parsePattern(text, 'git');
  return pattern !== undefined && matchesPattern(pattern, path);
}

function check(text: string, matching: readonly string[], others: readonly string[]): void {
  const found = [...matching, ...others].filter((path) => matches(text, path));
  assert.deepEqual(found, matching, text);
}

suite('pathPattern', () => {
  test('matches wildcards within a segment of a path', () => {
    check('a*b', ['ab', 'axb', 'axbb'], ['a/b', 'b', 'abc']);
    check('a?b', ['axb'], ['ab', 'a/b', 'axxb']);
    check('*/x*y', ['a/xy', 'a/xzy'], ['a/b/xy', 'x/y']);
    check('[a-c]', ['a', 'b', 'c'], ['d', '-', '/']);
    check('[!a-c]', ['d', '-'], ['a', '/', '']);
    check('[]-]x', [']x', '-x'], ['x']);
    check('[c-a]', ['c'], ['a', 'b', '-']);
    check('[[:digit:][:upper:]]', ['7', 'Q'], ['q', ':']);
    check('[[:constructor:]]', [], ['c', ':']);
    check('[a', [], ['[a', 'a']);
    check('\\*\\a', ['*a'], ['\\*a', 'xa']);
    check('a\\', [], ['a', 'a\\']);
  });

  test('matches folders with two asterisks', () => {
    check('**/b', ['b', 'a/b', 'a/a/b'], ['ab', 'b/a']);
    check('a/**', ['a/b', 'a/b/c'], ['a', 'ab']);
    check('a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb']);
    check('a/**/b/**/c*d', ['a/b/cd', 'a/x/b/b/y/cxd'], ['a/b/cd/e', 'a/cd']);
    check('a**b', ['ab', 'axb'], ['a/b']);
    check('***/b', ['b', 'a/b'], ['ab']);
    check('**\\/b', ['a/b', 'a/a/b'], ['b', 'ab']);
  });

  test('can be extended to all content of a folder', () => {
    const below = (path: string): boolean[] => {
      const pattern = parsePattern('a*', 'glob')!;
      return [orAllBelow(pattern), allBelow(pattern), inAnyFolder(allBelow(pattern))].map((it) =>
        matchesPattern(it, path),
      );
    };
    assert.deepEqual(below('ab'), [true, false, false]);
    assert.deepEqual(below('ab/x'), [true, true, true]);
    assert.deepEqual(below('x/ab/x'), [false, false, true]);
    assert.deepEqual(below('xab'), [false, false, false]);
  });

  /** Returns the number of accesses to characters of the path. */
  function countAccesses(text: string, path: string): number {
    let accesses = 0;
    const watched = {
      length: path.length,
      charCodeAt: (at: number) => (accesses++, path.charCodeAt(at)),
      indexOf: (sign: string, at: number) => path.indexOf(sign, at),
    };
    assert.equal(matchesPattern(parsePattern(text, 'git')!, watched as unknown as string), false);
    return accesses;
  }

  test('takes time that grows linearly with the path', () => {
    for (const [text, part] of [
      ['*a*a*a*a*a*a*a*a*c', 'a'],
      ['**/a/**/a/**/a/**/a/**/c', 'a/'],
      ['**/*a*a*a*/**/*a*a*a*/c', 'aaaa/'],
    ] as const) {
      const [once, twice] = [countAccesses(text, part.repeat(500)), countAccesses(text, part.repeat(1_000))];
      assert.ok(twice < 2.1 * once, `${text}: ${once}, then ${twice}`);
      assert.ok(once < 3 * text.length * part.length * 500, `${text}: ${once}`);
    }
  });

  test('hides the files that Git hides', () => {
    const sign = fc.constantFrom(
      ...[
        'a',
        'b',
        'c',
        '.',
        '-',
        '*',
        '*',
        '?',
        '**',
        '[ab]',
        '[!a]',
        '[]a]',
        '[a-c]',
        '[^b-]',
        '[[:alpha:]]',
        '[[:x:]]',
      ],
      ...['\\*', '\\a', '\\', '[', ']', ' ', '!', '#', '/**/', '\r'],
    );
    const part = fc.array(sign, { minLength: 1, maxLength: 4 }).map((signs) => signs.join(''));
    const line = fc
      .tuple(
        fc.constantFrom('', '', '!', '/', '**/', '\\!', '\\#', '#'),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '', '/', '/**', ' ', '\\ '),
      )
      .map(([start, parts, end]) => start + parts.join('/') + end)
      // According to the manual, `**` beside other characters equals `*`. Git 2.39 compares two addresses there, and
      // may behave differently.
      .filter((text) => !/[^/!]\*\*|\*\*[^/*]/.test(text));
    const path = fc
      .array(
        fc.string({
          unit: fc.constantFrom('a', 'b', 'c', '.', '*', '-', ' ', '!', '#', '['),
          minLength: 1,
          maxLength: 4,
        }),
        { minLength: 1, maxLength: 4 },
      )
      .filter((parts) => parts.every((name) => name !== '.' && name !== '..'))
      .map((parts) => parts.join('/'));
    const oneCase = fc.record({
      lines: fc.array(line, { minLength: 1, maxLength: 4 }),
      paths: fc.array(path, { minLength: 1, maxLength: 8 }),
    });
    fc.assert(
      fc.property(fc.array(oneCase, { minLength: 200, maxLength: 200, size: 'max' }), (cases) => {
        // Each case has its own folder, so that one call of Git checks all cases.
        const queries = cases.flatMap(({ lines, paths }, at) =>
          paths.map((name) => ({ lines, name, file: `f${at}/${name}` })),
        );
        const expected = hiddenByGit(
          Object.fromEntries(cases.map(({ lines }, at) => [`f${at}/.gitignore`, lines.join('\n')])),
          queries.map(({ file }) => file),
        );
        for (const { lines, name, file } of queries) {
          assert.equal(isHidden(lines, name), expected.has(file), JSON.stringify({ lines, name }));
        }
      }),
      { numRuns: scaled(5), endOnFailure: true },
    );
  });
});

/** True if a file or one of its parent folders is hidden by these lines. */
function isHidden(lines: readonly string[], file: string): boolean {
  const rules = addRules({ lines, source: '.gitignore', prefix: '', strip: 0 }, undefined, assert.fail);
  const parts = file.split('/');
  return parts.some((name, depth) => {
    const path = parts.slice(0, depth + 1).join('/');
    return rulesThatHide(rules, depth < parts.length - 1 ? `${path}/` : path, name) !== undefined;
  });
}

function hiddenByGit(ignoreFiles: Readonly<Record<string, string>>, files: readonly string[]): ReadonlySet<string> {
  const folder = makeFolder(ignoreFiles);
  try {
    const git = (gitArguments: readonly string[], input = ''): string =>
      execFileSync('git', ['-c', 'core.excludesFile=', ...gitArguments], { cwd: folder, input, encoding: 'utf8' });
    git(['init', '-q']);
    // With -n, Git reports every file, and does not exit with 1 if it hides none.
    const answers = git(['check-ignore', '--no-index', '--stdin', '-z', '-v', '-n'], files.join('\0')).split('\0');
    const hidden = new Set<string>();
    for (let at = 0; at + 3 < answers.length; at += 4) {
      const [, , pattern = '', file = ''] = answers.slice(at, at + 4);
      if (pattern !== '' && !pattern.startsWith('!')) hidden.add(file);
    }
    return hidden;
  } finally {
    removeFolder(folder);
  }
}
