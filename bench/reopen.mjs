/**
 * Reopening a folder, each time in a new process: the time from the start of the extension's worker to the previous
 * findings from the stored index, and to the updated findings.
 *
 *   npm run bench -- reopen [--tree FOLDER] [--touched N] [--edited N]
 *
 * --tree      the tree (`corpora/go` in the project), which is copied
 * --touched   files whose modification time changes between the two processes (5)
 * --edited    files to which two copies of a function are added (5)
 *
 * At the end, the findings are compared with those of a scan that uses only the stored idf table.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { root } from '../scripts/project.mjs';
import { digestOfFindings } from './digestOfFindings.mjs';
import { machine, round, table } from './measuring.mjs';
import { importSources } from './sources.mjs';

const { values } = parseArgs({
  options: {
    tree: { type: 'string', default: path.join(root, 'corpora', 'go') },
    touched: { type: 'string', default: '5' },
    edited: { type: 'string', default: '5' },
  },
});

/**
 * Result of a process (openFolder.mjs): milliseconds since the start of the worker, and a digest of the findings.
 *
 * @typedef {object} Opening
 * @property {number} [firstMs]     until the previous findings were available
 * @property {number} upToDateMs    until the new findings were available, or the previous ones were confirmed
 * @property {number} [firstCpuMs]    the same in processor time of all threads
 * @property {number} upToDateCpuMs
 * @property {number} filesRead
 * @property {string} findings
 * @property {{ files: number, lines: number, groups: number }} totals
 */

/** @param {string} tree */
async function main(tree) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-bench-'));
  try {
    const copy = path.join(folder, path.basename(tree));
    const storage = path.join(folder, 'storage');
    cpSync(tree, copy, { recursive: true, verbatimSymlinks: true });
    // Files that were just written would be read again.
    await setTimeout(3_000);
    const first = open(copy, storage);
    const again = open(copy, storage);
    const changed = change(copy);
    const reopened = open(copy, storage);
    const fresh = await findAfresh(copy, path.join(storage, 'index.matches'));
    assert.equal(again.findings, first.findings, 'The stored findings are not those of the scan.');
    assert.equal(reopened.findings, fresh, 'The findings are not those of a fresh scan.');
    if (Number(values.edited) > 0) assert.notEqual(reopened.findings, first.findings, 'The changes were not seen.');
    const storeMB = readdirSync(storage).reduce((sum, name) => sum + statSync(path.join(storage, name)).size, 0) / 1e6;

    const { files, lines, groups } = first.totals;
    console.log(`${path.basename(tree)}: ${files} files, ${lines} lines, ${groups} groups; ${machine()}\n`);
    const row = (/** @type {string} */ name, /** @type {Opening} */ opening) => {
      const { firstMs, firstCpuMs, upToDateMs, upToDateCpuMs, filesRead } = opening;
      const times = [firstMs, firstCpuMs, upToDateMs, upToDateCpuMs];
      return [name, ...times.map((ms) => (ms === undefined ? null : round(ms, 0))), filesRead];
    };
    const rows = [
      row('without an index', first),
      row('nothing changed', again),
      row(`${changed.length} files changed`, reopened),
    ];
    const heads = ['opened', 'first findings, ms', 'CPU ms', 'up to date, ms', 'CPU ms', 'files read'];
    console.log(table(heads, rows));
    const figures = {
      firstFindingsMs: round(reopened.firstMs ?? NaN, 0),
      upToDateMs: round(reopened.upToDateMs, 0),
      firstFindingsCpuMs: round(reopened.firstCpuMs ?? NaN, 0),
      upToDateCpuMs: round(reopened.upToDateCpuMs, 0),
      unchangedMs: round(again.upToDateMs, 0),
      withoutIndexMs: round(first.upToDateMs, 0),
      filesChanged: changed.length,
      filesRead: reopened.filesRead,
      files,
      lines,
      storeMB: round(storeMB, 1),
    };
    console.log(`\n${JSON.stringify(figures)}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {string} folder
 * @param {string | undefined} storage
 * @returns {Opening}
 */
function open(folder, storage) {
  const program = path.join(root, 'bench/openFolder.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, folder, ...(storage ? [storage] : [])], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/**
 * Returns the digest of the findings of a scan that uses the stored idf table and no other stored data.
 *
 * @param {string} folder
 * @param {string} matchesFile
 */
async function findAfresh(folder, matchesFile) {
  const sources = await importSources({
    'core/methods/hash64.ts': ['hashBytes64'],
    'core/engine/matches/knownMatches.ts': ['noMatches'],
    'core/engine/options.ts': ['defaultOptions'],
    'scan/indexer/earlierMatches.ts': ['noComparisons'],
    'scan/indexer/matchesFile.ts': ['readMatchesFile'],
    'scan/indexer/nodeSystem.ts': ['nodeSystem'],
    'scan/indexer/scan.ts': ['scanToFollow'],
    'scan/io/checkedFile.ts': ['openChecked'],
    'scan/io/listSources.ts': ['listSources'],
    'scan/io/sources.ts': ['defaultSourceOptions'],
    'scan/io/packedGroups.ts': ['unpackGroups'],
    'session/protocol/packedFindings.ts': ['packFindings'],
  });
  const { defaultOptions: options, defaultSourceOptions } = sources;
  const key = readFileSync(matchesFile).readBigUInt64LE(16);
  const file = sources.openChecked(matchesFile, key, sources.hashBytes64);
  const { epoch } = sources.readMatchesFile(file, options, '');
  file.close();
  const nothing = () => undefined;
  const comparisons = sources.noComparisons;
  const store = { openDocuments: nothing, findingsOf: nothing, replace: nothing, findings: nothing };
  const { findings } = await sources.scanToFollow(
    {
      listing: await sources.listSources([folder], defaultSourceOptions, () => false),
      texts: [],
      options,
      sources: defaultSourceOptions,
      configured: [],
      lexicons: [],
      scope: 'all',
      workers: 1,
      memoryMB: 0,
      system: sources.nodeSystem(pathToFileURL(path.join(root, 'dist/scanThread.js'))),
      store: { ...store, matches: () => ({ documents: [], epoch, matches: sources.noMatches, comparisons }) },
      weighing: 'kept',
      whenCancelled: 'stop',
    },
    { onProgress: nothing, cancelled: () => false },
    'findings',
  );
  const packed = sources.packFindings(findings);
  return digestOfFindings(packed.totals, sources.unpackGroups(packed), packed.skipped);
}

/**
 * Touches some source files and adds a pair of copies to others. Returns all changed files.
 *
 * @param {string} folder
 */
function change(folder) {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(go|java|ts|py|c)$/.test(name))
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile() && statSync(file).size < 100_000)
    .sort();
  const count = Number(values.touched) + Number(values.edited);
  // Spread evenly over the tree.
  const changedFiles = Array.from(
    { length: count },
    (_, i) => sources[Math.floor(((i + 0.5) * sources.length) / count)],
  );
  changedFiles.forEach((file = '', i) => {
    if (i < Number(values.touched)) utimesSync(file, 1_000_000_000, 1_000_000_000);
    else appendFileSync(file, copied);
  });
  return changedFiles;
}

/** A passage that no tree contains, with words that the lexers of all their languages accept. */
const copied = `
kindredBench(harbour, tonnage) {
  vessels = sortByDraught(harbour.quays, tonnage * 17);
  if (vessels.length > 4) { berths.push(vessels.shift()); signals += lantern(berths, "north pier"); }
  while (tide.height() < draughtOf(vessels)) { pilot.wait(minutes + 12); log.write("slack", tide.height()); }
  for (buoy in channel.marks) { course = bearing(buoy, compass.needle) - drift; helm.steer(course, 3.5); }
  manifest[vessels.name] = crane.unload(vessels.hold, stevedores.gang(7));
  return customs.clear(manifest, duty * 0.075, "bonded");
}
`;

await main(path.resolve(values.tree));
