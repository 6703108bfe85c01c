/** Finds the rectangle that an arrow key moves to. The rectangles must not overlap. */

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * Returns the index of the nearest rectangle in a direction; `undefined` if there is none. Rectangles directly opposite
 * (overlapping on the other axis) come first: the smallest gap wins, then the nearest center. Otherwise, the nearest
 * rectangle that is entirely on that side wins.
 */
export function nextRectangle(from: Rectangle, others: readonly Rectangle[], direction: Direction): number | undefined {
  const origin = turned(from, direction);
  let best: { readonly place: number; readonly cost: readonly number[] } | undefined;
  for (const [place, other] of others.entries()) {
    const to = turned(other, direction);
    const gap = to.left - origin.right;
    // Cells are rounded to whole pixels, so neighboring cells may overlap by one pixel.
    if (gap < -1) continue;
    const across = Math.max(0, to.top - origin.bottom, origin.top - to.bottom);
    const isBeside = Math.min(to.bottom, origin.bottom) > Math.max(to.top, origin.top);
    const offset = Math.abs(to.top + to.bottom - origin.top - origin.bottom) / 2;
    const cost = [isBeside ? 0 : 1, isBeside ? gap : gap + across, offset];
    if (best === undefined || isLess(cost, best.cost)) best = { place, cost };
  }
  return best?.place;
}

/** Rotates or flips a rectangle so that `direction` points to the right. */
function turned({ left, top, right, bottom }: Rectangle, direction: Direction): Rectangle {
  switch (direction) {
    case 'right':
      return { left, top, right, bottom };
    case 'left':
      return { left: -right, top, right: -left, bottom };
    case 'down':
      return { left: top, top: left, right: bottom, bottom: right };
    case 'up':
      return { left: -bottom, top: left, right: -top, bottom: right };
  }
}

function isLess(x: readonly number[], y: readonly number[]): boolean {
  const differing = x.findIndex((value, place) => value !== y[place]);
  return differing >= 0 && x[differing]! < y[differing]!;
}
