/**
 * Trees with extreme repetition, on which any pairwise comparison fails. Each tree is scanned at half size and at full
 * size. The findings are checked: groups stay complete, and no file is lost.
 *
 *   npm run bench -- corners [--share PART] [--only NAME]
 *
 * --share  fraction of the full sizes, for a quick run (1)
 *
 * `growth` is the processor time at full size over that at half size, both without the cost of a start. 2 is linear,
 * and 4 is quadratic.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { machine, round, runKindred, table } from './measuring.mjs';

const { values } = parseArgs({ options: { share: { type: 'string', default: '1' }, only: { type: 'string' } } });

/**
 * Lehmer's generator of whole numbers below a limit. It is good enough for text that must only be equal on every run.
 */
function chanceOf(seed) {
  let state = seed;
  const chance = (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  for (let i = 0; i < 10; i++) chance(2);
  return chance;
}

/** Lines of code that differ in more than their names, from a seeded generator. */
function statements(count, seed) {
  const chance = chanceOf(seed);
  const name = () => `value${chance(9973)}`;
  const forms = [
    () => `  const ${name()} = ${name()}(${name()}, ${chance(90)});`,
    () => `  if (${name()} > ${chance(77)}) ${name()}.push(${name()});`,
    () => `  for (const ${name()} of ${name()}) ${name()} += ${name()}[${chance(31)}];`,
    () => `  return ${name()} ? ${name()} : { ${name()}: '${name()}' };`,
    () => `  ${name()} = [${name()}, ...${name()}.map((${name()}) => ${name()} * ${chance(9)})];`,
    () => `  while (${name()}-- > ${chance(50)}) ${name()}(${name()}, ${name()});`,
  ];
  return Array.from({ length: count }, () => forms[chance(forms.length)]?.()).join('\n');
}

/** Statements of one form with eight names. */
function calls(count) {
  const chance = chanceOf(4711);
  const letter = () => 'abcdefgh'[chance(8)];
  return Array.from({ length: count }, () => `${letter()}.${letter()}(${letter()}, ${letter()});\n`).join('');
}

/** Returns a body with eight lines replaced, added, or removed. */
function edited(body, i) {
  const chance = chanceOf(1000 + 7919 * i);
  const lines = body.split('\n');
  for (let edit = 0; edit < 8; edit++) {
    const line = statements(1, (77 + 8 * i + edit) * 31);
    const at = chance(lines.length);
    const how = chance(3);
    lines.splice(at, how === 1 ? 0 : 1, ...(how === 2 ? [] : [line]));
  }
  return `${lines.join('\n')}\n`;
}

const body = statements(120, 12_345);

const licence = `/*
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated files,
 * to deal in the software without restriction, including without limitation the rights to use, copy, modify, merge,
 * publish, distribute and sell copies of it, provided that this notice appears in all copies of it or large parts.
 * The software is provided as it is, without warranty of any kind, and nobody is liable for what comes of its use.
 */
`;

/** Trees by name, and the condition that their findings must meet. */
const corners = {
  'one file in 5,000 copies': {
    size: 5_000,
    files: (count) => ({ count, text: () => statements(120, 12_345) }),
    options: [],
    holds: ({ totals, groups }, count) =>
      totals.files === count && groups.some(({ passages }) => passages.length === count),
  },
  'a licence in 50,000 files': {
    size: 50_000,
    files: (count) => ({ count, text: (i) => licence + statements(6, 1000 + 7919 * i) }),
    options: [],
    holds: ({ totals }, count) => totals.files === count,
  },
  'the same, comments read': {
    size: 50_000,
    files: (count) => ({ count, text: (i) => licence + statements(6, 1000 + 7919 * i) }),
    options: ['--read-comments', 'asText'],
    holds: ({ totals, groups }, count) =>
      totals.files === count && groups.some(({ passages }) => passages.length === count),
  },
  'a table of 1,000,000 equal rows': {
    size: 1_000_000,
    files: (count) => ({ count: 1, text: () => `const rows = [\n${"  [1, 'two', 3, four],\n".repeat(count)}];\n` }),
    options: ['--max-file-size', '1gb', '--generated'],
    holds: ({ totals }) => totals.files === 1,
  },
  'the table in two files': {
    size: 500_000,
    files: (count) => ({ count: 2, text: () => `const rows = [\n${"  [1, 'two', 3, four],\n".repeat(count)}];\n` }),
    options: ['--max-file-size', '1gb', '--generated'],
    holds: ({ totals }) => totals.files === 2,
  },
  '200,000 lines of one statement': {
    size: 200_000,
    files: (count) => ({ count: 1, text: () => 'total = add(total, next(source), 1);\n'.repeat(count) }),
    options: ['--max-file-size', '1gb', '--generated'],
    holds: ({ totals }) => totals.files === 1,
  },
  '200,000 statements of one form': {
    size: 200_000,
    files: (count) => ({ count: 1, text: () => calls(count) }),
    options: ['--max-file-size', '1gb', '--generated'],
    holds: ({ totals }) => totals.files === 1,
  },
  'eight edits each in 10,000 copies': {
    size: 10_000,
    files: (count) => ({ count, text: (i) => edited(body, i) }),
    options: [],
    holds: ({ totals, groups }, count) =>
      totals.files === count && groups.some(({ kind, passages }) => kind === 'file' && passages.length === count),
  },
  '100,000 lines of one comment': {
    size: 100_000,
    files: (count) => ({
      count: 1,
      text: () => '// The quick brown fox jumps over the lazy dog and runs away.\n'.repeat(count),
    }),
    options: ['--read-comments', 'asText', '--max-file-size', '1gb', '--generated'],
    holds: ({ totals }) => totals.files === 1,
  },
};

const figures = Object.entries(corners)
  .filter(([name]) => name.includes(values.only ?? ''))
  .map(([name, corner]) => measure(name, corner));
console.log(`Trees that repeat themselves; ${machine()}\n`);
console.log(
  table(
    ['', 'size', 's', 'CPU s', 'MB', 'half: CPU s', 'growth', 'groups', 'largest group', 'left out'],
    figures.map((f) => [f.name, f.size, f.wall, f.cpu, f.peakMB, f.halfCpu, f.growth, f.groups, f.largest, f.skipped]),
  ),
);
console.log();
console.log(JSON.stringify({ bench: 'corners', machine: machine(), corners: figures }));

function measure(name, corner) {
  const size = Math.round(corner.size * Number(values.share));
  const empty = scanOf({ count: 1, text: () => 'nothing();\n' }, []).cpu;
  const half = scanOf(corner.files(size / 2), corner.options);
  const whole = scanOf(corner.files(size), corner.options);
  if (!corner.holds(whole.report, size)) {
    throw new Error(`${name}: ${JSON.stringify(whole.report.totals)}; something is lost.`);
  }
  const { groups, totals } = whole.report;
  return {
    name,
    size,
    wall: whole.wall,
    cpu: whole.cpu,
    peakMB: whole.peakMB,
    halfCpu: half.cpu,
    growth: round((whole.cpu - empty) / (half.cpu - empty), 1),
    groups: groups.length,
    largest: Math.max(0, ...groups.map(({ passages }) => passages.length)),
    skipped: totals.skipped,
  };
}

function scanOf({ count, text }, options) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-corner-'));
  try {
    for (let i = 0; i < count; i++) {
      const inner = path.join(folder, `folder${i >> 8}`);
      if ((i & 255) === 0) mkdirSync(inner);
      writeFileSync(path.join(inner, `file${i}.ts`), text(i));
    }
    const run = runKindred(folder, options, { whole: true });
    return {
      report: run.report,
      wall: round(run.wall, 1),
      cpu: round(run.user + run.system, 1),
      peakMB: round(run.peakMB, 0),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
