/** Totals of a report without some of its groups. */
import assert from 'node:assert/strict';
import { totalsWithout } from '../../../src/core/engine/report/totalsWithout.ts';
import { drawing, harbour, parsing } from '../../passages.ts';
import { findingsOf } from '../corpusOf.ts';

/** Text that occurs in no other file. */
const own = (seed: string): string =>
  Array.from({ length: 40 }, (_, at) => `export const ${seed}${at} = ${seed}_${at * 7}(${at}, '${seed}${at}');\n`).join(
    '',
  );

suite('totals without some groups', () => {
  const files = {
    'a.ts': `let a;\n${parsing}`,
    'b.ts': `let b;\n\n${parsing}`,
    'test/d.test.ts': drawing + own('d'),
    'test/e.test.ts': own('e') + drawing,
    'x.md': `# One\n\n${harbour}`,
    'y.md': `# Another\n\nBefore.\n\n${harbour}`,
  };

  test('equal those of a report without the groups', () => {
    const findings = findingsOf(files);
    // Without the copy in tests.
    const fewer = { ...files, 'test/e.test.ts': own('e') + own('f') };
    const expected = findingsOf(fewer).totals;
    const tests = findings.groups.filter(({ category }) => category === 'tests');
    assert.ok(tests.length > 0);
    const left = findings.groups.filter((group) => !tests.includes(group));
    const totals = totalsWithout(findings, left, () => undefined);
    assert.deepEqual(
      Object.entries(totals.categories).map(([name, { rows, duplicatedLines }]) => [name, rows, duplicatedLines]),
      Object.entries(expected.categories).map(([name, { rows, duplicatedLines }]) => [name, rows, duplicatedLines]),
    );
    assert.equal(totals.groups, expected.groups);
  });

  test('are zero without any group, and unchanged with all of them', () => {
    const findings = findingsOf(files);
    assert.equal(
      totalsWithout(findings, findings.groups, () => undefined),
      findings.totals,
    );
    const none = totalsWithout(findings, [], () => undefined);
    assert.equal(none.duplicatedLines, 0);
    assert.deepEqual(
      Object.values(none.categories).map(({ rows, duplicatedLines }) => rows + duplicatedLines),
      Object.values(none.categories).map(() => 0),
    );
  });

  test('count a file that looks like data under its other category', () => {
    const findings = findingsOf(files);
    const { categories } = findings.totals;
    const asData = {
      ...findings.totals,
      categories: { data: { ...categories.source!, files: 1 }, text: categories.text!, tests: categories.tests! },
    };
    const left = findings.groups.filter(({ category }) => category !== 'source');
    const totals = totalsWithout({ ...findings, totals: asData }, left, () => undefined);
    assert.equal(totals.categories.data!.duplicatedLines, 0);
    assert.equal(totals.categories.text!.duplicatedLines, categories.text!.duplicatedLines);
  });
});
