import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { root } from '../../scripts/project.mjs';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { changeOptions, parseConfiguration } from '../../src/scan/io/configuration.ts';
import { olderKeys } from '../../src/scan/io/valueSchemas.ts';
import { newConfiguration } from '../../src/scan/io/newConfiguration.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import { readTextFile } from '../../src/scan/io/textFile.ts';
import { makeFolder, removeFolder } from './temporaryFolder.ts';

interface Schema {
  readonly properties: Readonly<Record<string, { readonly description?: string; readonly default?: unknown }>>;
}

const schema = JSON.parse(readFileSync(path.join(root, 'docs', 'kindredrc.schema.json'), 'utf8')) as Schema;

const readerOf = (folder: string | undefined): Parameters<typeof newConfiguration>[0] =>
  folder === undefined ? undefined : (name, maxBytes) => readTextFile(path.join(folder, name), maxBytes);

suite('a new configuration', () => {
  /** Returns the new configuration for a folder with these files, and the values that it sets. */
  function check(
    files: Readonly<Record<string, string>>,
  ): ReturnType<typeof created> & { readonly activeValues: object } {
    const folder = makeFolder(files);
    try {
      const result = created(folder);
      const { options, sources } = parsed(result.text);
      return { ...result, activeValues: { ...options, ...sources } };
    } finally {
      removeFolder(folder);
    }
  }

  function created(folder: string | undefined) {
    const result = newConfiguration(readerOf(folder), defaultOptions);
    if ('problem' in result) assert.fail(result.problem);
    return result;
  }

  function parsed(text: string) {
    const configuration = parseConfiguration(text, 'rc');
    if ('problem' in configuration) assert.fail(configuration.problem);
    return configuration;
  }

  /** Removes the comment markers from all lines except those with prose. */
  function uncommented(text: string): string {
    return text.replace(/^ {2}\/\/ (?=["\s}\]])/gm, '  ');
  }

  test('sets nothing, and shows every default', () => {
    const { text, importedFrom } = created(undefined);
    assert.equal(importedFrom, undefined);
    assert.deepEqual({ ...parsed(text).options, ...parsed(text).sources }, {});
    const { options, sources } = parsed(uncommented(text));
    assert.deepEqual(changeOptions(defaultOptions, options), defaultOptions);
    assert.equal(Object.keys(options).length, Object.keys(defaultOptions).length);
    assert.deepEqual(sources, { ...defaultSourceOptions });
  });

  test('shows the defaults that an editor proposes by the schema', () => {
    const shown = parse(uncommented(created(undefined).text), [], { allowTrailingComma: true }) as Record<
      string,
      unknown
    >;
    for (const [key, property] of Object.entries(schema.properties)) {
      if (key !== '$schema' && !olderKeys.has(key)) assert.deepEqual(property.default, shown[key], key);
    }
  });

  test('describes each key as its schema does', () => {
    const words = created(undefined).text.replace(/\n {2}\/\/ /g, ' ');
    for (const [key, { description }] of Object.entries(schema.properties)) {
      if (key === '$schema' || olderKeys.has(key)) continue;
      assert.ok(words.includes(`${description} "${key}":`), `${key}: ${description}`);
    }
  });

  test('imports the configuration of jscpd, and reports the values that it cannot import', () => {
    const jscpd = { minTokens: 70, minLines: 8, ignore: ['**/gen/**'], maxSize: '200kb', threshold: 3, format: ['ts'] };
    const expected = { minTokens: 70, minLines: 8, exclude: ['**/gen/**'], maxFileSizeBytes: 204_800 };
    const { activeValues, importedFrom, notImported } = check({ '.jscpd.json': JSON.stringify(jscpd) });
    assert.deepEqual(activeValues, expected);
    assert.equal(importedFrom, '.jscpd.json');
    assert.deepEqual(notImported, [
      'threshold (use kindred check --max-percent)',
      'format (Kindred compares all languages; use include to select files)',
    ]);
    assert.deepEqual(check({ 'package.json': JSON.stringify({ name: 'x', jscpd }) }).activeValues, expected);
  });

  test('clamps values to their range, and omits values of other types', () => {
    const { activeValues, notImported } = check({
      '.jscpd.json': '{ "minTokens": 5, "minLines": "many", "ignore": "x" }',
    });
    assert.deepEqual(activeValues, { minTokens: 10 });
    assert.deepEqual(notImported, ['minLines', 'ignore']);
  });

  test('omits and reports globs with a negation', () => {
    const jscpd = { ignore: ['**/gen/**', '!**/gen/keep/**', ''], pattern: '!*.md' };
    const { activeValues, notImported } = check({ '.jscpd.json': JSON.stringify(jscpd) });
    assert.deepEqual(activeValues, { exclude: ['**/gen/**'], include: [] });
    assert.deepEqual(notImported, ['ignore "!**/gen/keep/**"', 'ignore ""', 'pattern "!*.md"']);
  });

  test('imports nothing from a package.json without jscpd, and reports a broken .jscpd.json with its line', () => {
    assert.equal(check({ 'package.json': '{ "name": "x" }' }).importedFrom, undefined);
    assert.equal(check({ 'package.json': '{ broken' }).importedFrom, undefined);
    const folder = makeFolder({ '.jscpd.json': '{\n  "minTokens": 5\n  "minLines": 3\n}' });
    try {
      assert.deepEqual(newConfiguration(readerOf(folder), defaultOptions), {
        problem: '.jscpd.json, line 3: this is not valid JSON (CommaExpected).',
      });
      writeFileSync(path.join(folder, '.jscpd.json'), `{\n"ignore": ${'['.repeat(200_000)}`);
      assert.deepEqual(newConfiguration(readerOf(folder), defaultOptions), {
        problem: '.jscpd.json, line 2: lists and objects are nested more than 100 deep.',
      });
    } finally {
      removeFolder(folder);
    }
  });
});
