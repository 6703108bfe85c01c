/** Machine-readable formats, checked against the requirements of their readers. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { parse as parseCsv } from 'csv-parse/sync';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { Log, Result } from 'sarif';
import { root } from '../../../scripts/project.mjs';
import type { Group } from '../../../src/core/engine/report/report.ts';
import { renderCodeClimate } from '../../../src/surfaces/cli/formats/codeClimate.ts';
import { renderCsv } from '../../../src/surfaces/cli/formats/csv.ts';
import { appendSummary, renderGithub } from '../../../src/surfaces/cli/formats/github.ts';
import { renderJunit } from '../../../src/surfaces/cli/formats/junit.ts';
import { prefixFor } from '../../../src/surfaces/cli/formats/listed.ts';
import { renderMarkdown } from '../../../src/surfaces/cli/formats/markdown.ts';
import { renderRdjson } from '../../../src/surfaces/cli/formats/rdjson.ts';
import { maxRelated, maxResults, renderSarif } from '../../../src/surfaces/cli/formats/sarif.ts';
import type { ScanReport } from '../../../src/surfaces/cli/scanReport.ts';
import { makeFolder, removeFolder } from '../../io/temporaryFolder.ts';
import { awkwardFiles, checked, inAwkwardTree, nowhere, reportOf, textOf } from './reports.ts';

/** Returns the problems of a value according to a published schema. Ajv supports its draft except for name and id. */
function schemaProblems(name: string, value: unknown): unknown {
  const schema = JSON.parse(readFileSync(path.join(root, 'test/fixtures/formats', name), 'utf8')) as Record<
    string,
    unknown
  >;
  delete schema['$schema'];
  delete schema['id'];
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  return validate(value) ? [] : validate.errors;
}

suite('sarif', () => {
  const logOf = (report: ScanReport): Log => JSON.parse(textOf(renderSarif(report, nowhere))) as Log;
  const resultsOf = (report: ScanReport): Result[] => logOf(report).runs[0].results!;

  test('conforms to the published schema, with and without a check, and without findings', async () => {
    await inAwkwardTree((report) => {
      const none = { ...report, findings: { ...report.findings, groups: [], complete: false } };
      for (const one of [report, checked(report), none]) {
        assert.deepEqual(schemaProblems('sarif-schema-2.1.0.json', logOf(one)), []);
      }
      // The schema rejects invalid documents.
      assert.notDeepEqual(schemaProblems('sarif-schema-2.1.0.json', { version: '2.1.0', runs: [{}] }), []);
    });
  });

  test('a result has its group, links to the copies, and places as URIs', async () => {
    await inAwkwardTree((report) => {
      const group = report.findings.groups.find(({ passages }) => passages[0].path === 'src/a.ts')!;
      const result = resultsOf(report).find((one) => one.partialFingerprints!['kindredGroup/v1'] === group.id)!;
      assert.equal(result.ruleId, 'duplicate-code');
      assert.equal(result.level, 'warning');
      assert.match(result.message.text!, /Copies: \[src\/b \\\[1\\\], 50%: \(x\)\.ts:61-\d+\]\(1\)\.$/);
      const [{ physicalLocation }] = result.locations!;
      assert.deepEqual(physicalLocation!.artifactLocation, { uri: 'src/a.ts', uriBaseId: '%SRCROOT%' });
      assert.equal(physicalLocation!.region!.startLine, 1);
      const [related] = result.relatedLocations!;
      assert.equal(related.physicalLocation!.artifactLocation!.uri, 'src/b%20%5B1%5D%2C%2050%25%3A%20(x).ts');
    });
  });

  test('a check has levels, states, suppressions, and the new passage as the place', async () => {
    await inAwkwardTree((report) => {
      const results = resultsOf(checked(report));
      const [first, second] = report.findings.groups;
      assert.deepEqual(
        results.map(({ baselineState, level, suppressions }) => [baselineState, level, suppressions!.length]),
        [
          ['new', 'error', 0],
          ['unchanged', 'note', 0],
          ['unchanged', second.category === 'tests' ? 'note' : 'warning', 1],
        ],
      );
      assert.equal(results[0].partialFingerprints!['kindredGroup/v1'], first.id);
      assert.deepEqual(results[0].locations![0].physicalLocation!.region!.startLine, first.passages[1].startLine);
      assert.equal(results[2].suppressions![0].justification, 'Both <drafts> go in May.');
    });
  });

  test('moved lines keep fingerprints, and the output is reproducible', async () => {
    const folder = makeFolder(awkwardFiles);
    try {
      const before = await reportOf(folder);
      assert.equal(textOf(renderSarif(before, nowhere)), textOf(renderSarif(await reportOf(folder), nowhere)));
      const prints = (report: ScanReport): unknown[] => resultsOf(report).map((one) => one.partialFingerprints);
      const places = (report: ScanReport): unknown[] => resultsOf(report).map((one) => one.locations);
      writeFileSync(path.join(folder, 'src/a.ts'), `// One more line.\n\n${awkwardFiles['src/a.ts']}`);
      const after = await reportOf(folder);
      assert.deepEqual(prints(after), prints(before));
      assert.notDeepEqual(places(after), places(before));
      // Also check GitLab's format.
      const issues = (report: ScanReport): string[] => fingerprintsOf(textOf(renderCodeClimate(report, nowhere)));
      assert.deepEqual(issues(after), issues(before));
    } finally {
      removeFolder(folder);
    }
  });

  test("stays within GitHub's limits, and reports what is omitted", async () => {
    await inAwkwardTree((report) => {
      const [group] = report.findings.groups;
      const crowd = { ...group, passages: Array.from({ length: 1_500 }, () => group.passages[0]) };
      assert.equal(resultsOf(withGroups(report, [crowd]))[0].relatedLocations!.length, maxRelated);
      const many = Array.from({ length: maxResults + 7 }, (_, at) => ({
        ...group,
        id: at.toString(16).padStart(16, '0'),
      }));
      const [run] = logOf(withGroups(report, many)).runs;
      assert.equal(run.results!.length, maxResults);
      const [notification] = run.invocations![0].toolExecutionNotifications!;
      assert.equal(notification.message.text, '7 of 25,007 results left out: a run has 25,000 at most.');
    });
  });
});

function withGroups(report: ScanReport, groups: readonly Group[]): ScanReport {
  return { ...report, findings: { ...report.findings, groups } };
}

function fingerprintsOf(text: string): string[] {
  return (JSON.parse(text) as { fingerprint: string }[]).map(({ fingerprint }) => fingerprint);
}

suite('code climate', () => {
  interface Issue {
    readonly type: string;
    readonly description: string;
    readonly check_name: string;
    readonly severity: string;
    readonly fingerprint: string;
    readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
  }

  test('has an issue for each place, with the fields that GitLab requires and a unique fingerprint', async () => {
    await inAwkwardTree((report) => {
      const twice = {
        ...report.findings.groups[0],
        passages: [0, 0, 1].map((at) => report.findings.groups[0].passages[at]),
      };
      const text = textOf(renderCodeClimate(withGroups(report, [twice, ...report.findings.groups.slice(1)]), nowhere));
      const issues = JSON.parse(text) as Issue[];
      assert.equal(issues.length, 7);
      assert.equal(new Set(issues.map(({ fingerprint }) => fingerprint)).size, 7);
      for (const { type, description, check_name, severity, location } of issues) {
        assert.equal(type, 'issue');
        assert.match(description, /^(?:Exact|Near|Renamed) copies of code.*; also in /);
        assert.equal(check_name, 'kindred/duplicate-code');
        assert.ok(['info', 'minor', 'major', 'critical', 'blocker'].includes(severity));
        assert.ok(location.path in awkwardFiles && location.lines.begin > 0);
      }
    });
  });

  test('excludes ignored groups, and is an empty list without findings', async () => {
    await inAwkwardTree((report) => {
      const [, ignored] = report.findings.groups;
      const issues = JSON.parse(textOf(renderCodeClimate(checked(report), nowhere))) as Issue[];
      assert.equal(issues.length, 4);
      assert.equal(issues[0].severity, 'major');
      assert.ok(issues.every(({ location }) => ignored.passages.every((passage) => passage.path !== location.path)));
      assert.equal(textOf(renderCodeClimate(withGroups(report, []), nowhere)), '[]\n');
    });
  });
});

suite('rdjson', () => {
  test("conforms to reviewdog's schema, with paths relative to the repository", async () => {
    await inAwkwardTree((report) => {
      for (const one of [report, checked(report), withGroups(report, [])]) {
        const result = JSON.parse(textOf(renderRdjson(one, { ...nowhere, prefix: 'deep/' }))) as Diagnostics;
        assert.deepEqual(schemaProblems('rdjson.schema.json', result), []);
        for (const { location } of result.diagnostics) assert.match(location.path, /^deep\/(?:src|test)\//);
      }
    });
  });

  interface Diagnostics {
    readonly diagnostics: readonly { readonly location: { readonly path: string } }[];
  }
});

suite('junit', () => {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: (name) => /^test(?:suite|case)$/.test(name),
  });
  interface Case {
    readonly name: string;
    readonly classname: string;
    readonly failure?: { readonly message: string; readonly '#text': string };
    readonly skipped?: { readonly message: string };
  }
  interface Suites {
    readonly testsuites: {
      readonly tests: string;
      readonly failures: string;
      readonly testsuite: readonly { readonly name: string; readonly testcase: readonly Case[] }[];
    };
  }
  const suitesOf = (report: ScanReport): Suites['testsuites'] => {
    const text = textOf(renderJunit(report, nowhere));
    assert.equal(XMLValidator.validate(text), true);
    return (parser.parse(text) as Suites).testsuites;
  };

  test('fails for every group without a check', async () => {
    await inAwkwardTree((report) => {
      const { tests, failures, testsuite } = suitesOf(report);
      assert.deepEqual([tests, failures], ['3', '3']);
      assert.deepEqual(
        testsuite.map(({ name, testcase }) => [name, testcase.length]),
        [
          ['kindred.source', 2],
          ['kindred.tests', 1],
        ],
      );
      const texts = testsuite.flatMap(({ testcase }) => testcase.map(({ failure }) => failure!['#text']));
      assert.ok(
        texts.some((text) => text.startsWith('src/=cmd`|<&>"é.ts:61-')),
        texts.join(),
      );
    });
  });

  test('fails only for new groups with a check, and skips ignored ones', async () => {
    await inAwkwardTree((report) => {
      const { check, ...judged } = checked(report);
      const withoutBase = { ...judged, check: { ...check!, baseline: undefined } };
      const cases = suitesOf(withoutBase).testsuite.flatMap(({ testcase }) => testcase);
      const [first, second] = report.findings.groups;
      const failed = cases.filter(({ failure }) => failure !== undefined);
      assert.deepEqual(
        failed.map(({ name }) => name.includes(first.id)),
        [true],
      );
      const skipped = cases.filter((one) => one.skipped !== undefined);
      assert.deepEqual(
        skipped.map(({ name, skipped: why }) => [name.includes(second.id), why!.message]),
        [[true, 'Both <drafts> go in May.']],
      );
    });
  });

  test('has a passing test if there are no groups', async () => {
    await inAwkwardTree((report) => {
      const { tests, failures } = suitesOf(withGroups(report, []));
      assert.deepEqual([tests, failures], ['1', '0']);
    });
  });

  test('is well-formed with control characters in names', async () => {
    await inAwkwardTree((report) => {
      const [group] = report.findings.groups;
      const passages = group.passages.map((passage) => ({ ...passage, path: `a\u0001\u001b\ud800]]>${passage.path}` }));
      suitesOf(withGroups(report, [{ ...group, passages }]));
    });
  });
});

suite('csv', () => {
  test('can be read back unchanged, and no cell is a formula', async () => {
    await inAwkwardTree((report) => {
      const records = parseCsv<Record<string, string>>(textOf(renderCsv(checked(report), nowhere)), { columns: true });
      assert.equal(records.length, 6);
      const names = new Set(records.map(({ path: name }) => name));
      assert.deepEqual(
        [...names].sort(),
        Object.keys(awkwardFiles)
          .filter((name) => name.endsWith('.ts'))
          .sort(),
      );
      for (const { startLine, endLine, lines } of records) {
        assert.equal(Number(lines), Number(endLine) - Number(startLine) + 1);
      }
      assert.deepEqual(records.filter((record) => record['new'] === 'true').length, 1);
      assert.deepEqual(
        records.filter(({ ignored }) => ignored === 'true').map(({ reason }) => reason),
        ['Both <drafts> go in May.', 'Both <drafts> go in May.'],
      );
      const [group] = report.findings.groups;
      const passages = group.passages.map((passage) => ({ ...passage, path: '=1+1' }));
      assert.match(textOf(renderCsv(withGroups(report, [{ ...group, passages }]), nowhere)), /,'=1\+1,/);
    });
  });
});

suite('github', () => {
  test('annotates a place with escaped markup', async () => {
    await inAwkwardTree((report) => {
      const lines = textOf(renderGithub(checked(report), nowhere))
        .trimEnd()
        .split('\n');
      const [group] = report.findings.groups;
      const [, passage] = group.passages;
      const name = passage.path.replaceAll('%', '%25').replaceAll(':', '%3A').replaceAll(',', '%2C');
      assert.ok(
        lines[0].startsWith(`::error file=${name},line=${passage.startLine},endLine=${passage.endLine},title=New%3A `),
        lines[0],
      );
      assert.match(lines[0], /; also in [^\r\n]*$/);
      // Tests are excluded by default, and ignored groups always.
      assert.ok(lines.every((line) => /^::(?:error|warning) file=/.test(line) && !line.includes('file=test/')));
    });
  });

  test('prints at most 10 annotations of a kind', async () => {
    await inAwkwardTree((report) => {
      const group = report.findings.groups.find(({ category }) => category === 'source')!;
      const many = Array.from({ length: 300 }, (_, at) => ({ ...group, id: `${at}` }));
      assert.equal(textOf(renderGithub(withGroups(report, many), nowhere)).split('\n').length, 11);
    });
  });

  test('extends the summary of the step within the limit of GitHub', async () => {
    await inAwkwardTree((report, folder) => {
      const file = path.join(folder, 'summary.md');
      const surroundings = { ...nowhere, environment: { GITHUB_STEP_SUMMARY: file } };
      writeFileSync(file, '# Before\n');
      appendSummary(report, surroundings);
      assert.match(readFileSync(file, 'utf8'), /^# Before\n<!-- kindred -->\n## Kindred: 3 groups/);
      writeFileSync(file, 'x'.repeat(1_048_500));
      appendSummary(report, surroundings);
      assert.equal(readFileSync(file).length, 1_048_500);
      rmSync(file);
      appendSummary(report, { ...nowhere, environment: {} });
    });
  });
});

suite('old groups', () => {
  /** Marks the first group as new and the second as known, both in source. */
  const checkedAgainstBase = (report: ScanReport): ScanReport => {
    const { check, findings } = checked(report);
    const source = report.findings.groups.filter(({ category }) => category === 'source');
    return { ...report, findings: { ...findings, groups: [findings.groups[0], source[1]] }, check: check! };
  };
  /** Returns a path of a group that no format escapes. */
  const plainPathOf = ({ passages }: Group): string =>
    passages.find(({ path: name }) => /^src.[ad].ts$/.test(name))!.path;
  const formats = {
    github: renderGithub,
    rdjson: renderRdjson,
    junit: renderJunit,
    markdown: renderMarkdown,
    sarif: renderSarif,
    gitlab: renderCodeClimate,
    csv: renderCsv,
  };

  test('are omitted in a check with a base, unless the format marks or compares them', async () => {
    await inAwkwardTree((report) => {
      const one = checkedAgainstBase(report);
      const [fresh, old] = one.findings.groups;
      for (const [name, render] of Object.entries(formats)) {
        const text = textOf(render(one, nowhere));
        assert.ok(text.includes(plainPathOf(fresh)), name);
        assert.equal(text.includes(plainPathOf(old)), ['sarif', 'gitlab', 'csv'].includes(name), name);
      }
    });
  });

  test('are listed in a check without a base, in which nothing is new', async () => {
    await inAwkwardTree((report) => {
      const { check } = checked(report);
      const one = { ...report, check: { ...check!, baseline: undefined } };
      for (const [name, render] of Object.entries(formats)) {
        const text = textOf(render(one, nowhere));
        assert.ok(text.includes('src/a.ts') && /src\/(?:=|%3D)cmd/.test(text), name);
        assert.doesNotMatch(text, /baselineState|known group|no new/i, name);
      }
    });
  });

  test('are a passing test if nothing is new', async () => {
    await inAwkwardTree((report) => {
      const { check } = checked(report);
      const text = textOf(renderJunit({ ...report, check: { ...check!, holds: true } }, nowhere));
      assert.match(text, /tests="1" failures="0"[^]*name="No new near-duplicates"/);
    });
  });
});

suite('paths', () => {
  test('are relative to the repository, otherwise the current folder, otherwise the scanned one', () => {
    const folder = makeFolder({ 'repo/.git/HEAD': '', 'repo/src/deep/a.ts': '', 'plain/src/a.ts': '' });
    const at = (...names: string[]): string => path.join(folder, ...names);
    try {
      assert.equal(prefixFor(at('repo'), at('plain')), '');
      assert.equal(prefixFor(at('repo/src/deep'), at('repo/src')), 'src/deep/');
      assert.equal(prefixFor(at('plain/src'), at('plain')), 'src/');
      assert.equal(prefixFor(at('plain/src'), at('repo')), '');
    } finally {
      removeFolder(folder);
    }
  });
});
