import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseConfiguration } from '../../src/scan/io/configuration.ts';
import { findConfiguration, readConfiguration } from '../../src/scan/io/readConfiguration.ts';
import { makeFolder, removeFolder } from './temporaryFolder.ts';

function parsed(text: string): object {
  const configuration = parseConfiguration(text, 'rc');
  if ('problem' in configuration) assert.fail(configuration.problem);
  // Removes the prototypes, which would fail a deep comparison.
  return JSON.parse(JSON.stringify({ ...configuration.options, ...configuration.sources })) as object;
}

function check(text: string, problem: string): void {
  const configuration = parseConfiguration(text, 'rc');
  assert.equal('problem' in configuration ? configuration.problem : 'it was accepted', problem);
}

suite('configuration', () => {
  test('maps keys to the options of the engine', () => {
    assert.deepEqual(
      parsed(`{
        // Comments and trailing commas are fine.
        "$schema": "./docs/kindredrc.schema.json",
        "maxDistance": 5, "shingleSize": 3, "minTokens": 40, "minLines": 4, "minSimilarity": 0.8, "renamed": false,
        "weights": { "string": 0.5 }, "readComments": "asText",
        "prose": { "maxDistance": 6, "minWords": 30 },
        "include": ["src"], "exclude": [], "gitignore": false, "maxFileSize": "2mb", "generated": true,
        "categories": { "data": ["**/golden/**"], "tests": ["qa/**"] },
        "overrides": [{ "files": "*.md", "minTokens": 80 }],
      }`),
      {
        maxDistance: 5,
        shingleSize: 3,
        minTokens: 40,
        minLines: 4,
        minSimilarity: 0.8,
        renamed: false,
        weights: { string: 0.5 },
        readComments: 'asText',
        prose: { maxDistance: 6, minWords: 30 },
        include: ['src'],
        exclude: [],
        gitignore: false,
        maxFileSizeBytes: 2_097_152,
        generated: true,
        categories: { data: ['**/golden/**'], tests: ['qa/**'] },
        overrides: [{ files: '*.md', minTokens: 80 }],
      },
    );
    assert.deepEqual(parsed('{ "prose": false, "maxFileSize": 1000 }'), {
      prose: { enabled: false },
      maxFileSizeBytes: 1000,
    });
    assert.deepEqual(parsed('{}'), {});
  });

  test('reports an unknown key with the nearest known key', () => {
    check('{\n"minToken": 1 }', 'rc, line 2: there is no key "minToken"; did you mean "minTokens"?');
    check(
      '{ "prose": {\n\n"minWord": 1 } }',
      'rc, line 3: there is no key "prose.minWord"; did you mean "prose.minWords"?',
    );
    check(
      '{ "prose": { "zzz": 1 } }',
      'rc, line 1: there is no key "prose.zzz"; the keys are enabled, maxDistance, shingleSize, minWords, minSimilarity.',
    );
    check(
      '{ "categories": {\n"test": [] } }',
      'rc, line 2: there is no key "categories.test"; did you mean "categories.tests"?',
    );
    check(
      '{ "weights": { "strng": 1 } }',
      'rc, line 1: there is no key "weights.strng"; did you mean "weights.string"?',
    );
    check(
      '{ "organisation": { "database": "/srv/index" } }',
      `rc, line 1: there is no key "organisation"; the folder of an organization's index is not set for a project; set kindred.organisation.index in your own settings of VS Code, or KINDRED_INDEX for the command line.`,
    );
    check('{ "__proto__": 1, "constructor": 2 }', `rc, line 1: there is no key "__proto__"; the keys are ${allKeys}.`);
  });

  test('reads older names of keys, and rejects two names of one', () => {
    assert.deepEqual(parsed('{ "k": 5, "prose": { "k": 6 } }'), { maxDistance: 5, prose: { maxDistance: 6 } });
    const both = '"k" is an older name of "maxDistance"; keep one of them.';
    check('{ "k": 5,\n"maxDistance": 5 }', `rc, line 1: ${both}`);
    check('{ "maxDistance": 5,\n"k": 5 }', `rc, line 2: ${both}`);
    check(
      '{ "prose": { "maxDistance": 5,\n"k": 5 } }',
      'rc, line 2: "prose.k" is an older name of "prose.maxDistance"; keep one of them.',
    );
    const configuration = parseConfiguration('{ "boundaries": { "k": ["a/**"], "b": ["b/**"] } }', 'rc');
    assert.deepEqual('boundaries' in configuration && { ...configuration.boundaries }, { k: ['a/**'], b: ['b/**'] });
  });

  test('reports a value of the wrong type', () => {
    check('{ "k": "3" }', 'rc, line 1: k must be a whole number from 0 to 16, not "3".');
    check('{ "renamed": 1 }', 'rc, line 1: renamed must be true or false, not 1.');
    check('{ "readComments": true }', 'rc, line 1: readComments must be "none" or "asText", not true.');
    check('{ "prose": 1 }', 'rc, line 1: prose must be true, false or an object, not 1.');
    check('{ "prose": { "enabled": "no" } }', 'rc, line 1: prose.enabled must be true or false, not "no".');
    check('{ "include": "src" }', 'rc, line 1: include must be a list of strings, not "src".');
    check('{ "categories": { "data": "a" } }', 'rc, line 1: categories.data must be a list of strings, not "a".');
    check(
      '{ "categories": [] }',
      'rc, line 1: categories must be an object with lists of globs, such as { "data": ["**/golden/**"] }.',
    );
    check(
      '{ "overrides": { "files": "*.md" } }',
      'rc, line 1: overrides must be a list of objects, such as [{ "files": "*.md", "minTokens": 80 }].',
    );
    check('{ "include": ["src",\n1] }', 'rc, line 2: include.1 must be a string, not 1.');
    check('{ "weights": [] }', 'rc, line 1: weights must be an object with numbers, such as { "string": 0.5 }.');
    check(
      '{ "weights": { "string": "much" } }',
      'rc, line 1: weights.string must be a number from 0 to 100, not "much".',
    );
    check(
      '{ "maxFileSize": true }',
      'rc, line 1: maxFileSize must be a number of bytes or a size such as "500k" or "2mb", not true.',
    );
    check('[]', 'rc must contain a single object: { … }.');
    check('', 'rc, line 1: a value is missing.');
  });

  test('reads and locates the last value of a repeated key', () => {
    assert.deepEqual(parsed('{ "minTokens": "x", "minTokens": 7 }'), { minTokens: 7 });
    check(
      '{ "prose": true,\n"prose": { "minWords": "x" } }',
      'rc, line 2: prose.minWords must be a whole number from 10 to 10000, not "x".',
    );
    check('{ "exclude": [],\n"exclude": ["a", 5] }', 'rc, line 2: exclude.1 must be a string, not 5.');
    const unknown = 'rc, line 2: there is no key "weights.strng"; did you mean "weights.string"?';
    check('{ "weights": {},\n"weights": { "strng": 1 } }', unknown);
  });

  test('reports a syntax error with its line', () => {
    check(
      '{\n  "k": 3,\n  minLines: 4\n}',
      'rc, line 3: expected a string in double quotes, a number, true, false, a list or an object.',
    );
    check('{\n  "k" 3\n}', 'rc, line 2: a colon after the key is missing.');
    check('{\n  "k": 3\n', 'rc, line 3: a closing brace is missing.');
    check('{ "include": ["a"', 'rc, line 1: a closing bracket is missing.');
    check('{ "k": 3 } 4', 'rc, line 1: unexpected content after the closing brace.');
    check('{ "k": 3 /* }', 'rc, line 1: a comment is not closed.');
  });

  test('counts lines like editors do', () => {
    check('{\r"k": 3,\r\n\n"renamed": 1 }', 'rc, line 4: renamed must be true or false, not 1.');
  });

  test('reports excessive nesting and unreadable keys in one line', () => {
    const deep = (depth: number): string => `{ "include":\n${'['.repeat(depth - 1)}${']'.repeat(depth - 1)} }`;
    check(deep(20_000), 'rc, line 2: lists and objects are nested more than 100 deep.');
    check(deep(100), 'rc, line 2: include.0 must be a string.');
    const long = `${'x'.repeat(59)}…`;
    check(`{ "${'x'.repeat(500_000)}": 1 }`, `rc, line 1: there is no key "${long}"; the keys are ${allKeys}.`);
    const many = Array.from({ length: 40_000 }, (_, at) => `"key${at}": 1`).join(',\n');
    check(`{ ${many} }`, `rc, line 1: there is no key "key0"; the keys are ${allKeys}.`);
  });

  test('locates keys', () => {
    const configuration = parseConfiguration('{\n"k": 3,\n"prose": {\n"k": 4 },\n"weights": {\n"string": 1 } }', 'rc');
    assert.ok('locate' in configuration);
    assert.deepEqual(['maxDistance', 'prose.maxDistance', 'weights.string', 'minLines'].map(configuration.locate), [
      ...['rc, line 2', 'rc, line 4', 'rc, line 6', 'rc'],
    ]);
  });

  test('finds the file of a folder, and reports a missing or unreadable one', () => {
    const folder = makeFolder({});
    assert.equal(findConfiguration(folder), undefined);
    writeFileSync(path.join(folder, '.kindredrc.json'), '\ufeff{ "k": 1 }');
    assert.equal(findConfiguration(folder), path.join(folder, '.kindredrc.json'));
    writeFileSync(path.join(folder, '.kindredrc.jsonc'), '{ "k": 2 }');
    assert.equal(findConfiguration(folder), path.join(folder, '.kindredrc.jsonc'));
    const read = readConfiguration(path.join(folder, '.kindredrc.json'), 'rc');
    assert.ok('options' in read && read.options.maxDistance === 1);
    mkdirSync(path.join(folder, 'x'));
    assert.deepEqual(readConfiguration(path.join(folder, 'x'), 'x'), { problem: 'x is not a file.', line: undefined });
    assert.deepEqual(readConfiguration(path.join(folder, 'y'), 'y'), {
      problem: 'there is no configuration file y.',
      line: undefined,
    });
    removeFolder(folder);
  });
});

const allKeys =
  '$schema, exclude, include, preset, minTokens, minLines, minSimilarity, renamed, prose, readComments, categories, overrides, boundaries, ' +
  'gitignore, generated, maxFileSize, maxDistance, shingleSize, method, weights';
