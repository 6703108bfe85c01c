/** Number of files that use a function. */
import assert from 'node:assert/strict';
import { countUses } from '../../src/surfaces/cli/agents/countUses.ts';

suite('uses of a function', () => {
  /** Counts the uses of functions, written as `path#name`, in files. */
  function check(files: Readonly<Record<string, string>>, expected: Readonly<Record<string, number>>): void {
    const functions = Object.keys(expected).map((one) => {
      const [path = '', name = ''] = one.split('#');
      return { path, name };
    });
    const read = Object.entries(files).map(([path, text]) => [path, () => text] as const);
    assert.deepEqual(countUses(functions, read), Object.values(expected));
  }

  test('are files that contain its name and that of its file', () => {
    check(
      {
        'src/dates.ts': 'export function parseDay() {}',
        'src/period.ts': 'export function parseDay() {}',
        'src/one.ts': "import { parseDay } from './dates.ts';",
        'src/two.ts': "import { parseDay } from '../src/dates';",
        'src/three.ts': "import { parseDay as day } from './period.js';",
        'src/four.ts': "import { parseDays } from './dates.ts';",
        'src/five.ts': '// parseDay',
      },
      { 'src/dates.ts#parseDay': 2, 'src/period.ts#parseDay': 1 },
    );
  });

  test('are files that import a package by the name of its folder', () => {
    check(
      { 'a.go': 'import "shop/dates"\nfunc f() { dates.ParseDay() }', 'b.py': 'from shop import parse_day' },
      { 'shop/dates/parse.go#ParseDay': 1, 'shop/__init__.py#parse_day': 1, 'shop/day.py#parse_day': 0 },
    );
  });

  test('of a static method contain its last name, and a name may have any characters', () => {
    check({ 'a.php': 'Dates::parse()' }, { 'Dates.php#Dates::parse': 1 });
    check({ 'a.js': "import { $day } from './dates.js'" }, { 'dates.js#$day': 1, 'dates.js#day$': 0 });
  });

  test('are none without functions, and in files that cannot be read', () => {
    assert.deepEqual(countUses([], [['a.ts', () => assert.fail()]]), []);
    assert.deepEqual(countUses([{ name: 'a', path: 'b.ts' }], [['a.ts', () => undefined]]), [0]);
  });
});
