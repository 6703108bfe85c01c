/** Passages of code end with whole functions, not with the head of the next one. */
import assert from 'node:assert/strict';
import { groupsOf, placesOf } from '../corpusOf.ts';

suite('heads of functions', () => {
  const sum = (name: string, selector: string, value: string): string[] => [
    `  public static async Task<int> ${name}<T>(IRows<T> source, ${selector} selector, CancellationToken token)`,
    '  {',
    '    var sum = default(int);',
    '    var rows = source.GetRows(token);',
    '    try',
    '    {',
    '      while (await rows.MoveNext())',
    '      {',
    `        sum += ${value};`,
    '      }',
    '    }',
    '    finally',
    '    {',
    '      if (rows != null) await rows.Dispose();',
    '    }',
    '    return sum;',
    '  }',
  ];
  const sums = [
    ...sum('Sum', 'Func<T, int>', 'selector(rows.Current)'),
    ...sum('SumAwait', 'Func<T, Task<int>>', 'await selector(rows.Current)'),
    ...sum('SumAwaitWithToken', 'Func<T, CancellationToken, Task<int>>', 'await selector(rows.Current, token)'),
  ];

  test('a body and the long head of the next function are no passage', () => {
    const groups = groupsOf({ 'a.cs': ['static class Sums', '{', ...sums, '}'].join('\n') });
    assert.deepEqual(groups.map(placesOf), [['a.cs:3-19', 'a.cs:20-36', 'a.cs:37-53']]);
  });

  test('equal text that loses more than the limit keeps the head of the next function', () => {
    const equal = Array.from({ length: 20 }, (_, i) => `const own${i} = call${i}(arg${i}, ${i});`);
    const head =
      'function paint(title: string, color: string, count: number, inset: number, owner: Owner, isOpen: boolean): ';
    const text = (type: string, line: string): string =>
      [...equal, `${head}${type} {`, ...Array.from({ length: 14 }, () => line), '}'].join('\n');
    const groups = groupsOf({
      'a.ts': text('First', '  list.push({ alpha, count: alpha.length });'),
      'b.ts': text('Second', '  if (alpha > limit) throw new RangeError(alpha);'),
    });
    assert.deepEqual(groups.map(placesOf), [['a.ts:1-21', 'b.ts:1-21']]);
  });
});
