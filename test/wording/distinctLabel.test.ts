/** Labels of rows that are visible together differ in what a narrow side bar shows. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { distinctLabel } from '../../src/presentation/wording/distinctLabel.ts';

/** Characters that a side bar of 300, 240, and 200 pixels shows of a label. */
const widths = [30, 21, 15];

/** Forms of labels as rows of real trees have them: by name, by files, by line. */
function formsOf(name: string, files: string, line: number): readonly string[] {
  const facts = '2 copies · 12 lines · 91%';
  return [
    `${name} · ${facts} · ${files}`,
    `${files} · ${name} · ${facts}`,
    `Line ${line} · ${name} · ${facts} · ${files}`,
  ];
}

function chosenAmong(rows: readonly (readonly string[])[]): string[] {
  return rows.map((forms, i) =>
    distinctLabel(
      forms,
      rows.filter((_, k) => k !== i),
    ),
  );
}

suite('labels of rows', () => {
  test('differ within twenty rows', () => {
    const drivers = [
      'PostgresQueryRunner',
      'MysqlQueryRunner',
      'OracleQueryRunner',
      'SapQueryRunner',
      'SqliteQueryRunner',
    ];
    const rows = [
      ...drivers.map((driver, i) => formsOf('in createTable', `${driver}.ts ↔ CockroachQueryRunner.ts`, 200 + i)),
      ...drivers.map((driver, i) => formsOf(`loadTables${driver}`, 'AbstractQueryRunner.ts', 300 + i)),
      ...[40, 80, 120].map((line) => formsOf('in execute', 'CockroachQueryRunner.ts', line)),
      ...['Created', 'Deleted', 'Updated', 'Renamed'].map((word, i) =>
        formsOf(`returns a response with status ${word}`, `orders.${word.toLowerCase()}.spec.ts`, 10 + i),
      ),
      ...['parseDay', 'toDuration', 'readHeader'].map((name) => formsOf(name, 'dates.ts ↔ period.ts', 3)),
    ];
    assert.equal(rows.length, 20);
    const labels = chosenAmong(rows);
    for (const width of widths) {
      const seen = labels.map((label) => label.slice(0, width));
      assert.equal(new Set(seen).size, rows.length, `${width}: ${seen.sort().join('\n')}`);
    }
    assert.deepEqual(
      labels.slice(-3).map((label) => label.split(' · ')[0]),
      ['parseDay', 'toDuration', 'readHeader'],
    );
  });

  test('begin with a later word if all forms begin as others do', () => {
    const files = [
      'connection-pool-negative.ts',
      'connection-pool-conflict.ts',
      'conflict-connection.ts',
      'connection.ts',
    ];
    assert.deepEqual(chosenAmong(files.map((file) => [`from-${file} · 12 lines`, `from-${file} · 91%`])), [
      '…pool-negative.ts · 12 lines',
      '…pool-conflict.ts · 12 lines',
      'from-conflict-connection.ts · 12 lines',
      '…connection.ts · 12 lines',
    ]);
    // The name is never cut off.
    const same = [['get_client · 85 lines'], ['get_client · 83 lines']];
    assert.deepEqual(chosenAmong(same), ['get_client · 85 lines', 'get_client · 83 lines']);
  });

  test('have the first of their forms that begins differently from all other rows', () => {
    const name = fc.string({ minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 }), (rows) => {
        for (const [i, label] of chosenAmong(rows).entries()) {
          const others = new Set(rows.filter((_, k) => k !== i).flatMap((forms) => forms.map(beginningOf)));
          const free = rows[i].filter((form) => !others.has(beginningOf(form)));
          if (free.length > 0) assert.equal(label, free[0]);
          else assert.ok(label.startsWith('…') ? rows[i][0].endsWith(label.slice(1)) : label === rows[i][0]);
        }
      }),
    );
  });
});

function beginningOf(label: string): string {
  return [...label].slice(0, 15).join('');
}
