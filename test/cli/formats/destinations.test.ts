import assert from 'node:assert/strict';
import { readDestinations } from '../../../src/surfaces/cli/formats/destinations.ts';

suite('destinations', () => {
  const read = (commandArguments: readonly string[], output?: string): unknown => {
    const destinations = readDestinations(commandArguments, output);
    if ('problem' in destinations) return destinations.problem;
    return destinations.map(({ format, file }) => `${format} ${file ?? '-'}`);
  };

  test('a format goes to standard output, to --output, or to its own file', () => {
    assert.deepEqual(read(['json']), ['json -']);
    assert.deepEqual(read(['json'], 'a.json'), ['json a.json']);
    assert.deepEqual(read(['json=-']), ['json -']);
    assert.deepEqual(read(['sarif=out.sarif,markdown=-']), ['sarif out.sarif', 'markdown -']);
    assert.deepEqual(read(['sarif=out.sarif, csv=b.csv', 'text']), ['sarif out.sarif', 'csv b.csv', 'text -']);
    assert.deepEqual(read(['csv,sarif=b'], 'c'), ['csv c', 'sarif b']);
  });

  test('file names may contain commas and equals signs', () => {
    assert.deepEqual(read(['json=a,b=c.json,csv=d']), ['json a,b=c.json', 'csv d']);
  });

  test('reject invalid values', () => {
    assert.match(read(['xml']) as string, /^--format must be text, json, .* or csv, not xml\.$/);
    assert.match(read(['json,xml']) as string, /, not xml\.$/);
    assert.match(read(['json=']) as string, /^--format json= must name a file/);
    assert.match(read(['json,text']) as string, /several reports go to standard output/);
    assert.match(read(['json=a,csv=a']) as string, /several reports go to a;/);
    assert.match(read(['json=a'], 'b') as string, /^--output has no report to write/);
  });
});
