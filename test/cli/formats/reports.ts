/** Reports for tests of formats: of a tree with difficult names, with and without the result of a check. */
import path from 'node:path';
import type { JudgedGroup } from '../../../src/review/gate/judgeGroups.ts';
import type { Surroundings } from '../../../src/surfaces/cli/formats/listed.ts';
import type { ScanReport } from '../../../src/surfaces/cli/scanReport.ts';
import { makeFolder, removeFolder } from '../../io/temporaryFolder.ts';
import { type JsonReport, kindred } from '../kindred.ts';

const wrap = (name: string, body: string): string => `export function ${name}(input: string): string[] {\n${body}}\n`;

const parsing = wrap(
  'parse',
  `  const found: string[] = [];
  for (const line of input.split('\\n')) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [key, value = ''] = trimmed.split('=');
    if (key === undefined) throw new Error('there is no key in ' + line);
    found.push(key.toLowerCase() + ':' + value.replaceAll('"', ''));
  }
  return found.sort((a, b) => a.localeCompare(b));
`,
);

const drawing = wrap(
  'draw',
  `  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) return [];
  for (let x = 0; x < input.length * 12; x += 12) {
    context.fillStyle = x % 24 === 0 ? 'teal' : 'orange';
    context.fillRect(x, 40, 10, 10 + (x % 7) * 3);
    context.strokeText(input.charAt(x / 12), x, 36);
  }
  return [canvas.toDataURL('image/png')];
`,
);

const testing = wrap(
  'check',
  `  const seen = new Map<string, number>();
  for (const word of input.split(/[^a-z]+/)) seen.set(word, (seen.get(word) ?? 0) + 1);
  const rare = [...seen.entries()].filter(([, times]) => times < 3);
  assert.ok(rare.length > 4, 'too few rare words');
  assert.deepEqual(rare.map(([word]) => word).sort(), ['auk', 'bee', 'cat', 'dog', 'elk']);
  return rare.map(([word, times]) => word + times);
`,
);

/** Content that differs in each file, so that no two complete files match. */
const own = (seed: string): string =>
  Array.from(
    { length: 60 },
    (_, at) => `export const ${seed}${at} = ${seed}_${at * 7}(${at}, '${seed.repeat(2)}${at}');\n`,
  ).join('');

/** A repository with groups in source and in tests, in files whose names contain markup of every format. */
export const awkwardFiles: Readonly<Record<string, string>> = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  'src/a.ts': parsing + own('alpha'),
  'src/b [1], 50%: (x).ts': own('beta') + parsing,
  'src/=cmd`|<&>"é.ts': own('gamma') + drawing + own('delta'),
  'src/d.ts': drawing + own('epsilon'),
  'test/e.test.ts': testing + own('zeta'),
  'test/f.test.ts': own('eta') + testing,
};

/** Returns the report of a folder as passed to the renderers, with paths relative to it. */
export async function reportOf(folder: string): Promise<ScanReport> {
  const { stdout } = await kindred(['scan', '--format', 'json'], { cwd: folder });
  const report = JSON.parse(stdout) as JsonReport;
  return {
    scope: 'all',
    tool: { name: 'kindred', version: report.tool.version },
    root: report.root,
    options: report.options,
    findings: report,
    shown: report,
    ignoredGroups: 0,
    hidden: [],
    elapsedMs: 0,
  };
}

export async function inAwkwardTree<Result>(
  use: (report: ScanReport, folder: string) => Promise<Result> | Result,
): Promise<Result> {
  const folder = makeFolder(awkwardFiles);
  try {
    return await use(await reportOf(folder), path.resolve(folder));
  } finally {
    removeFolder(folder);
  }
}

/**
 * Adds a check to a report: the first group is new in its second place, the second is ignored, the others are known.
 */
export function checked(report: ScanReport): ScanReport {
  const [first, second, ...others] = report.findings.groups;
  const passages = first.passages.map((passage, at) => (at === 1 ? { ...passage, isNew: true as const } : passage));
  const groups: readonly JudgedGroup[] = [
    { ...first, passages, isNew: true },
    { ...second, ignored: { by: 'baseline', reason: 'Both <drafts> go in May.' } },
    ...others,
  ];
  const check = {
    holds: false,
    message: '1 new group; at most 0 are allowed (--max-new).',
    since: undefined,
    baseline: '.kindred-baseline.jsonc',
    diverged: [],
    uncompared: undefined,
  };
  return { ...report, findings: { ...report.findings, groups }, ignoredGroups: 1, check };
}

export const nowhere: Surroundings = { prefix: '', environment: {} };

export function textOf(pieces: Iterable<string>): string {
  return [...pieces].join('');
}
