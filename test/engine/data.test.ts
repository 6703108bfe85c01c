/**
 * Data and settings: their meaning is in their values, so a text with the same shape and other values is not a copy.
 */
import assert from 'node:assert/strict';
import { groupsOf } from './corpusOf.ts';

/** Records of one shape whose values depend on the name. */
function records(name: string, count: number): unknown[] {
  return Array.from({ length: count }, (_, i) => ({
    [`${name}Key${i}`]: `${name} value ${i * 7}`,
    size: name.length * 100 + i * 13,
    tags: [`${name}-${i}`, `${name}-${i + 1}`],
  }));
}

function word(i: number): string {
  return (
    ['ka', 'lo', 'mi', 'nu', 're', 'so', 'ti'].map((part, at) => (((i + 3) * (at + 5)) % 7 < 4 ? part : '')).join('') +
    String(i % 13)
  );
}

function json(name: string, count = 12): string {
  return JSON.stringify(records(name, count), undefined, 2);
}

function yaml(name: string): string {
  return Array.from({ length: 20 }, (_, i) => `${name}${i}:\n  kind: ${name}-${i}\n  size: ${name.length + i}\n`).join(
    '',
  );
}

suite('data', () => {
  test('of equal shape and different values is not a copy', () => {
    assert.deepEqual(groupsOf({ 'a.json': json('first'), 'b.json': json('another') }), []);
    assert.deepEqual(groupsOf({ 'a.yaml': yaml('first'), 'b.yaml': yaml('another') }), []);
  });
  test('with the same values is one, also when some were changed', () => {
    const [exact] = groupsOf({ 'a.json': json('first'), 'b.json': json('first') });
    assert.equal(exact.type, 'exact');
    const [near] = groupsOf({ 'a.json': json('first'), 'b.json': json('first').replace('first value 35', 'else') });
    assert.equal(near.type, 'near');
    assert.equal(groupsOf({ 'a.yaml': yaml('first'), 'b.yaml': `top: 1\n${yaml('first')}` })[0].type, 'exact');
  });
  test('in which every record repeats common values is not a copy of itself', () => {
    // Each record has two fields with its own values. The other fields are the same in all records.
    const rows = Array.from({ length: 30 }, (_, i) => ({
      name: `${word(i)}-${word(i + 40)}`,
      browsers: ['E12', 'FF1', 'S1', 'C1', 'O3'],
      restrictions: [word(i % 7), word(i % 11)],
      references: [{ name: 'Reference', url: `https://example.org/${word(i)}` }],
    }));
    assert.deepEqual(groupsOf({ 'a.json': JSON.stringify(rows, undefined, 2) }), []);
  });
  test('the same shape in code is a renamed copy', () => {
    const code = (name: string): string => {
      const forms = (i: number): string[] => [
        `  ${name}${i % 3} = ${name}Scale(${name}${i % 2}, total) + offset[${name}0] * ${name}1;`,
        `  if (${name}0 > ${name}${i % 3}.size || !total) return ${name}1;`,
        `  while (${name}${i % 2}.next != null) ${name}2 -= total;`,
      ];
      return Array.from({ length: 12 }, (_, i) => forms(i)[i % 3]).join('\n');
    };
    const [renamed] = groupsOf({ 'a.ts': `{\n${code('first')}\n}\n`, 'b.ts': `{\n${code('another')}\n}\n` });
    assert.equal(renamed.type, 'renamed');
  });
});
