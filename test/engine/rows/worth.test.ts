/** Order of rows: repeated logic comes before similar declarations. */
import assert from 'node:assert/strict';
import { worthOf } from '../../../src/core/engine/rows/worth.ts';
import { findingsOf } from '../corpusOf.ts';

/** Returns a function with decisions. */
const logic = (name: string): string => `
export function ${name}Total(orders, rates) {
  let total = 0;
  for (const order of orders) {
    if (order.cancelled || order.lines.length === 0) continue;
    const rate = rates.get(order.country) ?? rates.get('default');
    try {
      total += order.lines.reduce((sum, line) => sum + line.price * line.count, 0) * rate;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      report(order.id, error.message);
    }
    while (total > limit) total -= discountOf(order);
  }
  return total > 0 ? round(total) : undefined;
}
`;

/** Returns a class with accessors of the same shape. */
const accessors = (name: string): string => `
export class ${name}Options {
${['width', 'height', 'color', 'border', 'margin', 'padding', 'opacity', 'cursor', 'shadow', 'radius']
  .map((field) => `  get ${field}() { return this.values.get('${field}'); }`)
  .join('\n')}
  constructor(values) { this.values = values; register(this); }
}
`;

suite('worth', () => {
  test('is greater for repeated logic than for accessors with as many tokens', () => {
    const { groups } = findingsOf({
      'a/accessors.js': accessors('Box'),
      'b/accessors.js': accessors('Frame'),
      'a/logic.js': logic('summer'),
      'b/logic.js': logic('winter'),
    });
    const rows = groups.filter(({ parent }) => parent === undefined);
    const [first, second] = rows.map(({ passages }) => passages[0].path);
    assert.deepEqual([first, second], ['a/logic.js', 'a/accessors.js']);
    assert.ok(rows[1].tokens >= rows[0].tokens, 'the accessors are not larger');
  });

  test('is lower only if all copies are in one file', () => {
    const spreadOf = (...paths: readonly string[]): number => {
      const passages = paths.map((path) => ({
        path,
        startLine: 1,
        startColumn: 1,
        endLine: 9,
        endColumn: 2,
        tokens: 60,
      }));
      return worthOf({ tokens: 60, similarity: 1, passages }, 'text', undefined).spread;
    };
    assert.ok(spreadOf('a.md', 'a.md', 'a.md') < 1);
    assert.equal(spreadOf('a.md', 'a.md', 'b.md'), 1);
  });
});
