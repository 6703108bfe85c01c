import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { applyEdits, modify, parse } from 'jsonc-parser';
import { format, resolveConfig } from 'prettier';
import { root } from '../../scripts/project.mjs';
import { scaled } from '../../scripts/scaled.mjs';
import { checkOptions, defaultOptions } from '../../src/core/engine/options.ts';
import { admittingSettings } from '../../src/core/engine/report/report.ts';
import { tokenKinds } from '../../src/core/engine/languages/tokenKind.ts';
import { parseBaseline, printBaseline } from '../../src/review/gate/baseline.ts';
import { categories } from '../../src/core/engine/rows/category.ts';
import { problemsOfBoundaries } from '../../src/scan/io/boundaries.ts';
import { parseConfiguration } from '../../src/scan/io/configuration.ts';
import { checkSourceOptions } from '../../src/scan/io/checkSourceOptions.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import { schemaOfFile, schemaOfOptions } from '../configurationSchema.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, harbour, parsing, parsingRenamed } from '../passages.ts';
import { isReport, readSchema, schemaErrors } from '../reportProblems.ts';
import { kindred } from './kindred.ts';

interface Json {
  [key: string]: Json | Json[] | string | number | boolean | undefined;
}

// Keyword of VS Code.
const ajv = new Ajv({ strict: true, allErrors: true, strictTypes: false, keywords: ['allowTrailingCommas'] });
const isConfiguration = ajv.compile(readSchema('kindredrc'));

suite('baseline.schema.json', () => {
  const isBaseline = ajv.compile(readSchema('baseline'));
  const valid = (text: string): boolean => isBaseline(parse(text, [], { allowTrailingComma: true }));

  test('accepts written baselines with any entries', () => {
    const contents = new Map([['0123456789abcdef', 2]]);
    const entries = [
      { contents, reason: undefined },
      { contents, reason: 'Two protocols.', by: 'Ann', on: '2026-01-31' },
      { contents, reason: 'why', isPair: true as const },
      { contents, reason: undefined, at: 'src/dates.ts:12-40', name: 'parseDay', text: 'function parseDay(' },
    ];
    const text = printBaseline(entries);
    assert.ok(valid(text), JSON.stringify(isBaseline.errors));
    assert.ok(!('problem' in parseBaseline(text)));
  });

  test('is as strict as the reader', () => {
    const around = (entry: string): string => `{ "kindredBaseline": 1, "entries": [{ ${entry} }] }`;
    const wrong = [
      '"reason": "x"',
      '"contents": {}',
      '"contents": { "x": 2 }',
      '"contents": { "0123456789abcdef": 0 }',
      '"contents": { "0123456789abcdef": 2 }, "reason": 1',
      '"contents": { "0123456789abcdef": 2 }, "by": 1',
      '"contents": { "0123456789abcdef": 2 }, "at": 1',
      '"contents": { "0123456789abcdef": 2 }, "pair": true',
      '"contents": { "0123456789abcdef": 2 }, "pair": 1, "reason": "x"',
    ];
    for (const entry of wrong) {
      assert.ok(!valid(around(entry)), entry);
      assert.ok('problem' in parseBaseline(around(entry)), entry);
    }
    assert.ok(!valid('{ "kindredBaseline": 2, "entries": [] }'));
  });

  test('accepts a baseline that the command line wrote for a tree', async () => {
    const folder = makeFolder({ 'a.ts': parsing, 'b.ts': drawing + parsing });
    try {
      assert.equal((await kindred(['baseline', 'write'], { cwd: folder })).code, 0);
      const text = readFileSync(path.join(folder, '.kindred-baseline.jsonc'), 'utf8');
      assert.ok(text.includes('contents') && valid(text));
    } finally {
      removeFolder(folder);
    }
  });
});

suite('report.schema.json', () => {
  let report: Json = {};
  suiteSetup(async () => {
    const folder = makeFolder({
      'a.ts': parsing,
      'b.ts': drawing + parsing,
      'c.ts': parsingRenamed,
      'd.ts': drawing.replace('360) % 360', '720) % 360').replace('return this;\n', ''),
      'a.md': harbour,
      'b.md': `# Title\n\n${harbour}`,
      'x.min.js': '',
      'node_modules/x/y.js': '',
      'z.png': '',
    });
    const { stdout } = await kindred(['scan', '--format', 'json'], { cwd: folder });
    removeFolder(folder);
    report = JSON.parse(stdout) as Json;
  });

  test('accepts a real report, with groups of several kinds, pairs, and skipped files', () => {
    assert.ok(isReport(report), schemaErrors());
    const groups = report['groups'] as Json[];
    assert.ok(groups.length >= 3, `${groups.length} groups`);
    assert.equal((report['skipped'] as Json[]).length, 3);
  });

  test('compiles alone in validators with default settings, and accepts a real report', () => {
    const isReportAlone = new Ajv({ logger: false }).compile(readSchema('report'));
    assert.ok(isReportAlone(report), JSON.stringify(isReportAlone.errors));
  });

  test('accepts the report of an empty folder', async () => {
    const folder = makeFolder({});
    const { stdout } = await kindred(['scan', '--format', 'json'], { cwd: folder });
    removeFolder(folder);
    assert.ok(isReport(JSON.parse(stdout)), schemaErrors());
  });

  test('accepts every setting that would include a file, and a total of crowded windows', () => {
    for (const setting of admittingSettings) {
      const changed = structuredClone(report);
      at(changed, 'skipped')['setting'] = setting;
      at(changed, 'totals')['crowdedWindows'] = 1;
      assert.ok(isReport(changed), `${setting}: ${schemaErrors()}`);
    }
  });

  const wrong: Readonly<Record<string, (report: Json) => void>> = {
    'another schema number': (it) => (it['schema'] = 1),
    'a key too many': (it) => (it['date'] = 'today'),
    'an option that there is not': (it) => (at(it, 'options')['minToken'] = 50),
    'an option out of range': (it) => (at(it, 'options')['k'] = 17),
    'a total that is no number': (it) => (at(it, 'totals')['files'] = '9'),
    'a negative total': (it) => (at(it, 'totals')['lines'] = -1),
    'no crowded windows': (it) => (at(it, 'totals')['crowdedWindows'] = 0),
    'no time': (it) => delete at(it, 'totals')['elapsedMs'],
    'another kind of group': (it) => (at(it, 'groups')['kind'] = 'class'),
    'another type of group': (it) => (at(it, 'groups')['type'] = 'similar'),
    'a similarity in percent': (it) => (at(it, 'groups')['similarity'] = 93.4),
    'a group of one': (it) => (at(it, 'groups')['passages'] as Json[]).splice(1),
    'an absolute path': (it) => (at(at(it, 'groups'), 'passages')['path'] = '/a.ts'),
    'a line 0': (it) => (at(at(it, 'groups'), 'passages')['startLine'] = 0),
    'a column 0': (it) => (at(at(it, 'groups'), 'passages')['endColumn'] = 0),
    'a distance above 64': (it) => (at(at(it, 'groups'), 'pairs')['distance'] = 65),
    'a skipped file without reason': (it) => delete at(it, 'skipped')['reason'],
    'a skipped file with a setting that there is not': (it) => (at(it, 'skipped')['setting'] = 'minified'),
  };
  for (const [what, spoil] of Object.entries(wrong)) {
    test(`rejects ${what}`, () => {
      const spoilt = structuredClone(report);
      spoil(spoilt);
      assert.equal(isReport(spoilt), false);
    });
  }
  test('requires each key, except those that were added later', () => {
    for (const key of Object.keys(report)) {
      const spoilt = structuredClone(report);
      delete spoilt[key];
      assert.equal(isReport(spoilt), ['folders', 'files'].includes(key), key);
    }
  });
});

// A validator that has only one file cannot resolve a reference to another, so reports repeat the schema of options.
for (const { name, place, generate } of [
  { name: 'kindredrc', place: [], generate: schemaOfFile },
  { name: 'report', place: ['definitions', 'options'], generate: schemaOfOptions },
  { name: 'organisation', place: ['definitions', 'options'], generate: schemaOfOptions },
] as const) {
  test(`${name}.schema.json contains the keys of the configuration file; KINDRED_ACCEPT=1 writes them`, async () => {
    const file = path.join(root, `docs/${name}.schema.json`);
    const text = readFileSync(file, 'utf8');
    const json = JSON.stringify(generate());
    const changed = place.length === 0 ? json : applyEdits(text, modify(text, [...place], JSON.parse(json), {}));
    const options = { ...(await resolveConfig(file)), filepath: file };
    const expected = await format(changed, options);
    if (process.env['KINDRED_ACCEPT'] !== undefined) writeFileSync(file, expected);
    assert.equal(text, expected);
  });
}

suite('kindredrc.schema.json', () => {
  test('the schema and the program accept the same configurations, except sizes with units', () => {
    const value = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom<unknown>(0, 1, 3, 0.3, 0.5, 10, 16, 17, 100, 101, 1_000, 10_001, -1, 2 ** 31),
      },
      fc.boolean(),
      fc.constantFrom<unknown>(
        '1',
        'asText',
        '500k',
        '2 mb',
        'big',
        '',
        '*.ts',
        '!a',
        ['a'],
        ['!a'],
        [' '],
        [1],
        null,
        {},
      ),
    );
    const numbers = fc.dictionary(fc.constantFrom(...tokenKinds, 'noun'), value, { maxKeys: 2 });
    const prose = fc.dictionary(
      fc.constantFrom('enabled', 'k', 'maxDistance', 'shingleSize', 'minWords', 'minSimilarity', 'x'),
      value,
      { maxKeys: 2 },
    );
    const globs = fc.dictionary(fc.constantFrom(...categories, 'x'), value, { maxKeys: 2 });
    const override = fc.dictionary(
      fc.constantFrom('files', 'languages', 'minTokens', 'minLines', 'minSimilarity', 'category', 'x'),
      fc.oneof(value, fc.constantFrom(...categories)),
      { maxKeys: 3 },
    );
    const overrides = fc.array(fc.oneof({ weight: 9, arbitrary: override }, { weight: 1, arbitrary: value }), {
      maxLength: 2,
    });
    const keys = [...Object.keys(readSchema('kindredrc')['properties'] ?? {}), 'minToken'];
    const pair = fc
      .constantFrom(...keys)
      .chain((key) =>
        fc.tuple(
          fc.constant(key),
          fc.oneof(value, numbers, prose, globs, ...(key === 'overrides' ? [overrides, overrides] : [])),
        ),
      );
    const seen = { fits: 0, not: 0 };
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 2 }), (pairs) => {
        const document = Object.fromEntries(pairs);
        const fits = isConfiguration(document);
        assert.equal(accepts(JSON.stringify(document)), fits, ajv.errorsText(isConfiguration.errors));
        seen[fits ? 'fits' : 'not']++;
      }),
      { numRuns: scaled(5_000) },
    );
    assert.ok(seen.fits > scaled(150) && seen.not > scaled(150), JSON.stringify(seen));
  });

  test('has the existing categories', () => {
    const properties = readSchema('kindredrc')['properties'] as Json;
    assert.deepEqual(Object.keys(at(at(properties, 'categories'), 'properties')), [...categories]);
  });

  test('has the existing kinds of tokens', () => {
    const properties = readSchema('kindredrc')['properties'] as Json;
    assert.deepEqual(Object.keys(at(at(properties, 'weights'), 'properties')), [...tokenKinds]);
  });
});

/** True if the program accepts a configuration. */
function accepts(text: string): boolean {
  const configuration = parseConfiguration(text, 'it');
  if ('problem' in configuration) return false;
  const { options, sources, boundaries = {} } = configuration;
  const problems = [
    ...checkOptions({
      ...defaultOptions,
      ...options,
      weights: { ...defaultOptions.weights, ...options.weights },
      prose: { ...defaultOptions.prose, ...options.prose },
    }),
    ...checkSourceOptions({ ...defaultSourceOptions, ...sources }),
    ...problemsOfBoundaries(boundaries),
  ];
  return problems.length === 0;
}

/** Returns the value of a key. For a list, uses its first item. */
function at(json: Json, key: string): Json {
  const value = json[key];
  return (Array.isArray(value) ? value[0] : value) as Json;
}
