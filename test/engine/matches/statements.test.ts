/** Passages of code begin and end with whole statements, also if a statement takes several lines. */
import assert from 'node:assert/strict';
import { groupsOf, placesOf } from '../corpusOf.ts';

suite('statements of several lines', () => {
  const inMethod = (line: string, lines: readonly string[]): string[] => [
    '  public string Own(Order order, Writer writer)',
    '  {',
    ...Array.from({ length: 16 }, () => line),
    ...lines,
    '  }',
  ];
  const member = (name: string, value: string): string[] => [
    '  [HttpGet("Users/{userId}/Items/Latest")]',
    '  [ProducesResponseType(StatusCodes.Status200OK)]',
    `  public ActionResult<List<Item>> ${name}(`,
    '    [FromRoute, Required] Guid userId,',
    '    [FromQuery] Guid? parentId,',
    '    [FromQuery] bool? isPlayed,',
    '    [FromQuery] int? imageLimit,',
    '    [FromQuery] int limit = 20)',
    `    => ${value};`,
  ];
  const chain = (name: string, last: readonly string[]): string[] => [
    `    ${name} = context.Rows`,
    '      .Where(row => row.Kind == filter.Kind && row.Owner == filter.Owner)',
    '      .Where(row => row.Size > filter.MinSize && row.Size < filter.MaxSize)',
    '      .OrderBy(row => row.Position).ThenBy(row => row.Name)',
    '      .Select(row => new Row(row.Id, row.Name, row.Position))',
    ...last,
  ];
  const [lineOfA, lineOfB] = [
    '    list.Push(alpha, alpha.Length);',
    '    if (alpha > limit) throw new RangeError(alpha);',
  ];

  const check = (a: readonly string[], b: readonly string[], places: readonly string[]): void => {
    const groups = groupsOf({
      'a.cs': ['class Lists', '{', ...a, '}'].join('\n'),
      'b.cs': ['class Limits', '{', ...b, '}'].join('\n'),
    });
    assert.deepEqual(groups.map(placesOf), [places]);
  };

  test('a member ends with its expression', () => {
    const a = member('GetLatest', 'first.Second[userId] ?? Third.Fourth(new Fifth { Sixth = limit })');
    const b = member('GetNewest', 'Seventh(8 + parentId.Ninth, "ten", isPlayed ? eleven : Twelve.Thirteen)');
    check([...inMethod(lineOfA, []), ...a], [...inMethod(lineOfB, []), ...b], ['a.cs:22-30', 'b.cs:22-30']);
  });

  test('a chain of calls begins with its variable and ends with its last call', () => {
    const a = chain('var rows', ['      .Take(filter.Limit).Distinct()', '      .ToList();']);
    const b = chain('this.rows', ['      .AsList(context.Options[3], "rows");']);
    check(inMethod(lineOfA, [...a, lineOfA]), inMethod(lineOfB, [...b, lineOfB]), ['a.cs:21-27', 'b.cs:21-26']);
  });

  test('an equal document of YAML does not continue the one before', () => {
    const equal = ['---', ...Array.from({ length: 20 }, (_, i) => `key${i}: [value${i}, other${i}]`), '---'];
    const groups = groupsOf({
      'a.yml': ['name: first', 'size: 8', ...equal, 'owner: alpha', 'more: true'].join('\n'),
      'b.yml': ['- second', '- third', ...equal, 'list:', '  - omega'].join('\n'),
    });
    assert.deepEqual(
      groups.map(({ type }) => type),
      ['exact'],
    );
    assert.deepEqual(groups.map(placesOf), [['a.yml:3-24', 'b.yml:3-24']]);
  });

  test('a statement that begins with an operator does not continue the one before', () => {
    const equal = Array.from({ length: 14 }, (_, i) => `  queue.push(entry${i}, stage${i}.length)`);
    for (const [name, first] of [
      ['go', '  <-done'],
      ['go', '  *count = 1'],
      ['kt', '  ++count'],
      ['js', '  --count'],
      ['js', '  !count && stop()'],
    ] as const) {
      const inFunction = (other: string): string =>
        ['{', ...Array.from({ length: 98 }, () => other), first, ...equal, other, other, '}'].join('\n');
      const groups = groupsOf({
        [`a.${name}`]: inFunction('  first(alpha)'),
        [`b.${name}`]: inFunction('  second.third[omega] = 8'),
      });
      assert.deepEqual(groups.map(placesOf), [[`a.${name}:100-114`, `b.${name}:100-114`]], `${name}: ${first}`);
    }
  });
});
