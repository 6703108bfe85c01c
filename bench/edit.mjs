/**
 * Edits in a large tree: the time from the new bytes of a file to the packed report, and the memory before and after a
 * thousand edits.
 *
 *   npm run bench -- edit [--tree FOLDER] [--edits N] [--cycles N] [--seed N] [--method NAME]
 *
 * --tree      the tree (`corpora/java` in the project)
 * --edits     number of edits (1,000)
 * --cycles    number of rounds of edits that are then undone (1). Times are measured in the first round, and the
 *             remaining memory in each
 * --seed      seed of the random edits (1)
 * --method    method that compares whole files (minhash)
 *
 * The edits resemble those of a user: a line is added, removed, or changed, or lines of another file are pasted. One
 * edit in five restores a file. At the end, the findings are compared with those of a fresh scan with the same idf
 * weights.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { root } from '../scripts/project.mjs';
import { machine, median, quantile, round, table } from './measuring.mjs';
import { randomNumbers } from './randomNumbers.mjs';
import {
  context,
  createMemory,
  defaultOptions,
  FindingsPacker,
  Kernel,
  lastOf,
  lexiconForPath,
  readTree,
  scanTexts,
} from './treeCorpus.mjs';

const { values } = parseArgs({
  options: {
    tree: { type: 'string', default: path.join(root, 'corpora', 'java') },
    edits: { type: 'string', default: '1000' },
    cycles: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    method: { type: 'string', default: 'minhash' },
  },
});
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const options = { ...defaultOptions, method: values.method };
const random = randomNumbers(Number(values.seed));
/** Generation of the last packed report. */
let generation = 0;

await main(path.resolve(values.tree));

/** @param {string} tree */
async function main(tree) {
  const texts = await readTree(tree);
  const kernel = new Kernel(createMemory());
  const scanned = scanTexts(kernel, options, texts);
  let { findings } = scanned;
  const corpus = scanned.corpus.keep();
  const indexing = performance.now();
  lastOf(corpus.indexSteps());
  const keptMs = performance.now() - indexing;
  const packer = new FindingsPacker();
  packer.pack(findings, generation, undefined);
  const { files, lines, groups } = findings.totals;
  console.log(`${path.basename(tree)}: ${files} files, ${lines} lines, ${groups} groups; ${machine()}\n`);

  const names = [...texts.keys()].sort();
  const originals = new Map();
  const all = [];
  const cpu = [];
  let memoryBefore = { kernel: 0, heap: 0 };
  // Scratch memory is never released. The largest file makes it as large as it can get.
  const largest = names.reduce((x, y) => (texts.get(y).length > texts.get(x).length ? y : x));
  timeEdit(corpus, packer, largest, texts.get(largest));
  // In a function, so that no variable keeps an outdated report alive.
  const edit = () => {
    const { name, text } = nextEdit(names, texts, originals);
    texts.set(name, text);
    const processor = process.cpuUsage();
    const edited = timeEdit(corpus, packer, name, text);
    const { user, system } = process.cpuUsage(processor);
    findings = edited.findings;
    return { times: edited.times, cpuMs: (user + system) / 1000 };
  };
  for (let i = 0; i < Number(values.edits); i++) {
    if (i === Math.min(50, Number(values.edits) >> 1)) memoryBefore = memoryMB(kernel);
    const { times, cpuMs } = edit();
    all.push(times);
    cpu.push(cpuMs);
  }
  const memoryAfter = memoryMB(kernel);
  assertFresh(findings, texts, corpus.idfTable());
  // After all files are restored, any remaining growth does not come from text.
  const undo = () => {
    for (const [name, text] of originals) {
      texts.set(name, text);
      findings = timeEdit(corpus, packer, name, text).findings;
    }
    originals.clear();
    return memoryMB(kernel);
  };
  const memoryUndone = undo();
  const cycles = [[memoryAfter, memoryUndone]];
  while (cycles.length < Number(values.cycles)) {
    for (let i = 0; i < Number(values.edits); i++) edit();
    cycles.push([memoryMB(kernel), undo()]);
  }

  const stages = [...Object.keys(all[0] ?? {})];
  const total = all.map((times) => stages.reduce((sum, stage) => sum + times[stage], 0));
  const row = (/** @type {string} */ name, /** @type {number[]} */ list) => [
    name,
    ...[0.5, 0.9, 0.95, 0.99, 1].map((share) => round(quantile(list, share))),
  ];
  console.log(
    table(
      ['ms', 'median', '90%', '95%', '99%', 'most'],
      [
        ...stages.map((stage) =>
          row(
            stage,
            all.map((times) => times[stage]),
          ),
        ),
        row('all', total),
        row('processor time', cpu),
      ],
    ),
  );
  const figures = {
    bench: 'edit',
    tree: path.basename(tree),
    method: options.method,
    machine: machine(),
    files,
    lines,
    edits: all.length,
    p50Ms: round(median(total)),
    p95Ms: round(quantile(total, 0.95)),
    mostMs: round(Math.max(...total)),
    p50CpuMs: round(median(cpu)),
    p95CpuMs: round(quantile(cpu, 0.95)),
    memoryBeforeMB: sum(memoryBefore),
    memoryAfterMB: sum(memoryAfter),
    memoryUndoneMB: sum(memoryUndone),
    cyclesMB: cycles.map((cycle) => cycle.map(sum)),
    keptMs: round(keptMs, 0),
  };
  console.log('\nThe findings equal those of a fresh scan.\n');
  console.log(
    table(
      ['MB', 'before', ...cycles.flatMap(() => ['after the edits', 'with all undone'])],
      ['kernel', 'heap'].map((part) => [
        part,
        ...[memoryBefore, ...cycles.flat()].map((memory) => round(memory[part], 1)),
      ]),
    ),
  );
  console.log();
  console.log(JSON.stringify(figures));
}

/** Applies a new text and packs the report. Returns the duration of each stage. */
function timeEdit(corpus, packer, name, text) {
  const times = {};
  let last = performance.now();
  const lap = (/** @type {string} */ stage) => {
    const now = performance.now();
    times[stage] = now - last;
    last = now;
  };
  const bytes = corpus.reserve(text.length);
  bytes.set(text);
  corpus.put(name, bytes.subarray(0, text.length), lexiconForPath(name));
  lap('tokens, windows');
  const findings = lastOf(corpus.updateSteps({ ...context, onStage: lap }));
  if (findings === undefined) throw new Error(`${name} could not be taken in.`);
  lap('report');
  packer.pack(findings, ++generation, generation - 1);
  lap('packing');
  return { times, findings };
}

/** Chooses the next file to change, and its new text. */
function nextEdit(names, texts, originals) {
  const changed = [...originals.keys()];
  if (changed.length > 0 && random() < 0.2) {
    const name = pick(changed);
    const text = originals.get(name);
    originals.delete(name);
    return { name, text };
  }
  const name = pick(names);
  if (!originals.has(name)) originals.set(name, texts.get(name));
  const lines = linesOf(texts.get(name));
  const at = Math.floor(random() * lines.length);
  const kind = random();
  if (kind < 0.3) lines.splice(at, 0, pick(linesOf(texts.get(pick(names)))));
  else if (kind < 0.5) lines.splice(at, 1);
  else if (kind < 0.75) lines[at] = (lines[at] ?? '').replace(/\b[A-Za-z_]\w+/, (word) => `${word}Changed`);
  else {
    const others = linesOf(texts.get(pick(names)));
    const start = Math.floor(random() * others.length);
    lines.splice(at, 0, ...others.slice(start, start + 10 + Math.floor(random() * 30)));
  }
  return { name, text: Buffer.from(lines.join('\n'), 'latin1') };
}

/** Splits a text as Latin-1, so that no byte is lost. */
function linesOf(text) {
  return text.toString('latin1').split('\n');
}

function pick(list) {
  return list[Math.floor(random() * list.length)];
}

function assertFresh(findings, texts, idfTable) {
  const { findings: fresh } = scanTexts(new Kernel(createMemory()), options, texts, idfTable);
  assert.equal(JSON.stringify(findings.totals), JSON.stringify(fresh.totals));
  assert.deepEqual([findings.files, findings.folders], [fresh.files, fresh.folders]);
  fresh.groups.forEach((group, i) => assert.deepEqual(findings.groups[i], group));
}

/** Returns the memory of the kernel in use and the size of the heap, after garbage collection. */
function memoryMB(kernel) {
  collectGarbage();
  return { kernel: kernel.usedBytes() / 2 ** 20, heap: process.memoryUsage().heapUsed / 2 ** 20 };
}

function sum({ kernel, heap }) {
  return round(kernel + heap, 1);
}
