/** Arrow keys in a treemap. */
import assert from 'node:assert/strict';
import { hierarchy, treemap } from 'd3-hierarchy';
import fc from 'fast-check';
import { type Direction, nextRectangle, type Rectangle } from '../../src/surfaces/web/map/nextRectangle.ts';

/**
 * Layout of the test rectangles:
 *
 * a a c
 * a a d
 * b b d
 */
const rectangles: Readonly<Record<string, Rectangle>> = {
  a: { left: 0, top: 0, right: 20, bottom: 20 },
  b: { left: 0, top: 20, right: 20, bottom: 30 },
  c: { left: 20, top: 0, right: 30, bottom: 10 },
  d: { left: 20, top: 10, right: 30, bottom: 30 },
};

function check(from: string, direction: Direction, expected: string | undefined): void {
  const others = Object.keys(rectangles).filter((name) => name !== from);
  const next = nextRectangle(
    rectangles[from],
    others.map((name) => rectangles[name]),
    direction,
  );
  assert.equal(next === undefined ? undefined : others[next], expected);
}

suite('next rectangle', () => {
  for (const [from, direction, expected] of [
    ['a', 'right', 'c'],
    ['a', 'down', 'b'],
    ['a', 'left', undefined],
    ['a', 'up', undefined],
    ['b', 'right', 'd'],
    ['b', 'up', 'a'],
    ['c', 'left', 'a'],
    ['c', 'down', 'd'],
    ['d', 'up', 'c'],
    ['d', 'left', 'b'],
  ] as const) {
    test(`${direction} of ${from} is ${expected ?? 'nothing'}`, () => check(from, direction, expected));
  }

  test('every cell of a treemap is reachable from every other', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 30 }), (sizes) => {
        interface Cell {
          readonly size: number;
          readonly cells?: readonly Cell[];
        }
        const root = hierarchy<Cell>({ size: 0, cells: sizes.map((size) => ({ size })) }, ({ cells }) => cells);
        const layout = treemap<Cell>().size([900, 500]).round(true).paddingInner(2)(root.sum(({ size }) => size));
        const all = layout.children!.map(({ x0, y0, x1, y1 }) => ({ left: x0, top: y0, right: x1, bottom: y1 }));
        const reached = new Set([0]);
        for (const at of reached) {
          const others = all.map((_, place) => place).filter((place) => place !== at);
          for (const direction of ['left', 'right', 'up', 'down'] as const) {
            const next = nextRectangle(
              all[at],
              others.map((place) => all[place]),
              direction,
            );
            if (next !== undefined) reached.add(others[next]);
          }
        }
        assert.equal(reached.size, all.length);
      }),
    );
  });
});
