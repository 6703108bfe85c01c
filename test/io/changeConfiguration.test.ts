/** Changes of values in a configuration file, which keep the other content. */
import assert from 'node:assert/strict';
import { changeConfiguration } from '../../src/scan/io/newConfiguration.ts';
import { parseConfiguration } from '../../src/scan/io/configuration.ts';

function check(before: string, values: Readonly<Record<string, number>>, after: string): void {
  assert.equal(changeConfiguration(before, values), after);
  assert.ok(!('problem' in parseConfiguration(after, 'it')));
}

suite('a changed configuration file', () => {
  test('keeps its comments and its names of options', () => {
    check(
      '{\n  // Why.\n  "k": 3, // bits\n  "include": ["*.ts"],\n  "prose": { "minWords": 40 },\n}\n',
      { maxDistance: 5, 'prose.minWords': 60 },
      '{\n  // Why.\n  "k": 5, // bits\n  "include": ["*.ts"],\n  "prose": { "minWords": 60 },\n}\n',
    );
  });

  test('keeps current names too', () => {
    const before = '{ "maxDistance": 3, "prose": { "k": 2 } }';
    check(before, { maxDistance: 5, 'prose.maxDistance': 4 }, '{ "maxDistance": 5, "prose": { "k": 4 } }');
  });

  test('keeps the white space of other values on the same line', () => {
    const before = '{"include":["a",   "b"],"prose":{}}';
    const after = '{"include":["a",   "b"],"prose":{ "minWords": 60 }, "maxDistance": 5}';
    check(before, { maxDistance: 5, 'prose.minWords': 60 }, after);
  });

  test('gains new values', () => {
    const changed = changeConfiguration('{}\r\n', { minSimilarity: 0.8, 'prose.maxDistance': 6 });
    const configuration = parseConfiguration(changed, 'it');
    assert.ok(!('problem' in configuration));
    assert.deepEqual(configuration.options, { minSimilarity: 0.8, prose: { maxDistance: 6 } });
    assert.ok(!/[^\r]\n/.test(changed), changed);
  });
});
