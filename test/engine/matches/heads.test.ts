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

  const own = (line: string): string[] => Array.from({ length: 9 }, (_, i) => line.replace('N', `${i}`));

  test('the head of a function whose body is an expression on the next line is no end', () => {
    const body = [
      'private fun Owner.members() =',
      '  body?.children?.filterIsInstance<Declaration>().orEmpty() +',
      '    primary?.parameters?.filter { it.isMember() }.orEmpty()',
      '',
      'private fun Owner.hasParameters() = primary?.parameters?.isNotEmpty() == true',
      'private fun Owner.isEmpty() = members().none() && !hasParameters() && superTypes.none()',
      '',
      'private fun Owner.hasInherited(type: Type): Boolean =',
    ];
    const groups = groupsOf({
      'a.kt': [...body, '  when {', ...own('    entriesN.isEmpty() -> false'), '  }'].join('\n'),
      'b.kt': [...body, '  session.use { scope ->', ...own('    scope.readN(type, "text", 4)'), '  }'].join('\n'),
    });
    assert.deepEqual(groups.map(placesOf), [['a.kt:1-6', 'b.kt:1-6']]);
  });

  test('the parameters of the next template are no end', () => {
    const equal = [
      'Row* find(const Key& key) {',
      '  for (auto row = first(); row != nullptr; row = row->next) {',
      '    if (row->key == key && !row->isDeleted) return row;',
      '    if (row->isShared) lock(row->owner, limit);',
      '  }',
      '  return nullptr;',
      '}',
      '',
      'template <typename Key, class Row>',
    ];
    for (const ending of ['cpp', 'h']) {
      const groups = groupsOf({
        [`a.${ending}`]: [...equal, 'class Rows {', ...own('  int countN(const char* text);'), '};'].join('\n'),
        [`b.${ending}`]: [...equal, 'bool isEmpty(Row* row) {', ...own('  if (row->N) return true;'), '}'].join('\n'),
      });
      assert.deepEqual(groups.map(placesOf), [[`a.${ending}:1-7`, `b.${ending}:1-7`]]);
    }
  });

  test('a statement in Python ends with its line', () => {
    const equal = [
      'rows = connection.execute(',
      '    select(users.c.name, users.c.email, orders.c.total)',
      '    .join(orders, users.c.id == orders.c.owner)',
      '    .where(orders.c.total > limit, users.c.isActive)',
      '    .order_by(users.c.name, orders.c.total.desc())',
      '    .limit(pageSize)',
    ];
    const ends = [').mappings().all()[first:last]', ') or None'];
    const groups = groupsOf({
      'a.py': [...own('print("first", limitN)'), ...equal, ends[0], ...own('values.append(keyN)')].join('\n'),
      'b.py': [...own('import moduleN as m'), ...equal, ends[1], ...own('assert found[N] is None')].join('\n'),
    });
    assert.deepEqual(groups.map(placesOf), [['a.py:10-16', 'b.py:10-16']]);
    assert.deepEqual(
      groups[0].passages.map(({ endColumn }) => endColumn),
      ends.map((line) => line.length + 1),
    );
  });
});
