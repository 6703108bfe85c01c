/** Extents of passages: examples, and a comparison with a slow search by definition. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { groupsOf, placesOf } from '../corpusOf.ts';
import { type Extent, mostShared } from '../../../src/core/engine/groups/sharedExtents.ts';

/** Tokens [start, end). */
type Range = Pick<Extent, 'start' | 'end'>;

suite('the extent that most matches share', () => {
  /** Extents are written `start-end`, `start-end:similarity`, or `start-end?` if no seed led to the match. */
  function check(
    extents: readonly string[],
    expected: string,
    { own = '0-100', units = [] as readonly string[] } = {},
  ): void {
    const isUnit = ({ start, end }: Range): boolean => units.includes(`${start}-${end}`);
    const { start, end } = mostShared(extents.map(parse), parse(own), isUnit);
    assert.equal(`${start}-${end}`, expected);
  }

  function parse(text: string): Extent {
    const [start, end, similarity = 1] = text.split(/[-:?]/).filter(Boolean).map(Number);
    return { start, end, similarity, isFound: !text.includes('?') };
  }

  test('is that of most matches, and not that of the best match', () => check(['0-100', '0-70', '0-70'], '0-70'));

  test('is between the others if all differ', () => check(['0-100', '0-90', '0-70'], '0-90'));

  test('is that of the more similar one of two matches', () => {
    check(['0-100:0.9', '0-70:0.8'], '0-100');
    check(['0-100:0.8', '0-70:0.9'], '0-70');
  });

  test('is the shorter one of two equally similar matches', () => check(['0-100', '0-70'], '0-70'));

  test('is never that of a match without seeds', () => check(['0-70?', '0-70?', '0-72', '0-100'], '0-72'));

  test('is a whole unit if the matches contain most of it', () =>
    check(['12-98', '12-98', '0-80'], '0-100', { units: ['0-100'] }));

  test('is a unit inside another unit if the matches end with it', () =>
    check(['5-95', '5-95', '0-100'], '5-95', { units: ['0-100', '5-95'] }));

  test('is a unit of a match rather than a larger unit around it', () =>
    check(['0-80', '3-80', '5-80'], '0-80', { units: ['0-100', '0-80'] }));

  test('is the one with the smallest sum of distances among completed extents', () => {
    const extent = fc
      .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 12 }), fc.nat(2), fc.boolean())
      .map(([start, length, tenths, isFound]) => ({
        start,
        end: start + length,
        similarity: 1 - tenths / 10,
        isFound,
      }));
    const extents = fc
      .array(extent, { minLength: 1, maxLength: 8 })
      .filter((list) => list.some(({ isFound }) => isFound));
    fc.assert(
      fc.property(extents, extent, fc.array(extent, { maxLength: 4 }), (list, own, units) => {
        const isUnit = (x: Range): boolean => units.some((unit) => isSame(unit, x));
        const { start, end } = mostShared(list, own, isUnit);
        assert.deepEqual({ start, end }, byDefinition(list, own, isUnit));
      }),
    );
  });
});

function isSame(x: Range, y: Range): boolean {
  return x.start === y.start && x.end === y.end;
}

/** Tries every range of tokens as the completed extent, and every completed extent as the result. */
function byDefinition(extents: readonly Extent[], own: Range, isUnit: (range: Range) => boolean): Range {
  const isOfSeed = (x: Range): boolean => extents.some((extent) => extent.isFound && isSame(extent, x));
  const ranges = Array.from({ length: 25 * 25 }, (_, i) => ({ start: i % 25, end: Math.floor(i / 25) }));
  ranges.sort((x, y) => x.end - x.start - (y.end - y.start) || x.start - y.start);
  const completed = extents.map((extent) => {
    const around = ranges.filter(({ start, end }) => start <= extent.start && end >= extent.end);
    const unit = around.find((x) => isUnit(x) && (isOfSeed(x) || isSame(x, own)));
    if (unit && !isUnit(extent)) return { ...unit, similarity: extent.similarity, isResult: true };
    const whole = around.find(isOfSeed);
    const { start, end } = extent.isFound ? extent : (whole ?? extent);
    return { start, end, similarity: extent.similarity, isResult: whole !== undefined };
  });
  const order = ({ start, end, similarity }: (typeof completed)[number]): readonly number[] => [
    completed.reduce((sum, other) => sum + Math.abs(other.start - start) + Math.abs(other.end - end), 0),
    -similarity,
    end - start,
    start,
  ];
  const [first] = completed
    .filter(({ isResult }) => isResult)
    .sort((x, y) => {
      const [ofX, ofY] = [order(x), order(y)];
      return ofX.map((value, i) => value - ofY[i]).find((difference) => difference !== 0) ?? 0;
    });
  return { start: first.start, end: first.end };
}

suite('passages of more than two copies', () => {
  /** Checks the groups of four classes. All have a copy of one function, and the first two also share the next one. */
  function check(next: (name: string) => readonly string[], groups: readonly (readonly string[])[]): void {
    const names = ['Panel', 'Screen', 'Frame', 'Sheet'];
    const texts = names.map((name, i) => {
      const shared = [...instance(name), ...(i < 2 ? next(name) : [])];
      return [`class ${name} {`, ...shared, '', `  other${name}(): void {`, ...others[i], '  }', '}'].join('\n');
    });
    const found = groupsOf({ 'a.ts': texts[0], 'b.ts': texts[1], 'c.ts': texts[2], 'd.ts': texts[3] });
    assert.deepEqual(found.map(placesOf), groups);
  }

  const instance = (name: string): string[] => [
    `  static instance(options: { isNew: boolean } = { isNew: false }): ${name} {`,
    '    const { isNew } = options;',
    `    if (!the${name} || isNew) {`,
    `      the${name} = new ${name}(registry.nextNumber(), registry.owner());`,
    `      registry.add(the${name}, the${name}.describe());`,
    '    }',
    `    for (const listener of registry.listeners()) listener.onDidCreate(the${name}, Date.now());`,
    `    console.debug(\`created \${the${name}.describe()} as \${registry.size}\`, registry.owner().title);`,
    '',
    `    return the${name};`,
    '  }',
  ];
  const others = [
    [
      '    for (const row of this.rows) row.paint(color ?? palette.default, { inset: 2 });',
      '    while (queue.length > 0) queue.shift()?.run(this.clock.now() + 25);',
      '    this.state = { ...this.state, isOpen: true, label: [title, "shown"].join(" ") };',
      '    setTimeout(() => this.fade(0.5), this.delay * 2);',
      '    if (palette.isDark && !this.rows.at(-1)?.visible) this.rows.length -= 1;',
      '    const [first, ...rest] = title.split(/[\\\\s,;]+/u).map((word) => word.toUpperCase());',
      '    first ? rest.reverse().unshift(first) : (this.rest = rest.slice(2));',
    ],
    [
      '    switch (this.mode) {',
      '      case Mode.small:',
      '        throw new RangeError(`no ${title}`);',
      '      default:',
      '        await fetch(this.address + "?q=" + encodeURIComponent(title));',
      '    }',
      '    delete this.#names[title];',
      '    return event ? this.take(event.detail) : this.drop(title.trim(), -1);',
    ],
    [
      '    const parts = Array.from(this.#parts.values(), (part) => part.length ** 2);',
      '    if (parts.some(Number.isNaN)) return undefined;',
      '    do { parts.pop(); } while (parts.length % 8 !== 0);',
      '    return [Math.min(...parts), Math.max(...parts)] as const;',
      '    let sum = 0n;',
      '    for (let i = 0; i < parts.length; i += 4) sum ^= BigInt(parts[i]) << 7n;',
      "    throw sum === 0n ? new EvalError('empty') : parts.findLast((part) => part >>> 3);",
    ],
    [
      '    this.socket = new WebSocket(`wss://${host}:${port}`);',
      '    this.socket.onmessage = ({ data }) => void JSON.parse(data);',
      '    await new Promise<void>((resolve) => (this.socket.onopen = () => resolve()));',
      '    this.send("hello", { version: 3, name: this.name || null });',
      '    try { this.socket.close(); } catch (error) { log.warn(`${error}`); } finally { this.host = host; }',
      '    yield* this.retries?.entries() ?? [];',
    ],
  ];

  test('end where most of them do, although two continue alike', () =>
    check(
      (name) => [
        '',
        '  close(): void {',
        `    registry.drop(the${name}, this.timer);`,
        '    this.timer.stop(0.5);',
        '  }',
      ],
      [['a.ts:2-12', 'b.ts:2-12', 'c.ts:2-12', 'd.ts:2-12']],
    ));

  test('are in another group with what two share in addition if this has the minimum size', () =>
    check(
      (name) => [
        '',
        '  close(): void {',
        `    registry.drop(the${name}, this.timer);`,
        '    this.timer.stop(0.5);',
        `    the${name}.element.removeEventListener("click", this.onClick, { capture: true });`,
        '    this.element.parentElement?.removeChild(this.element);',
        '  }',
      ],
      [
        ['a.ts:2-19', 'b.ts:2-19'],
        ['a.ts:2-12', 'b.ts:2-12', 'c.ts:2-12', 'd.ts:2-12'],
      ],
    ));
});
