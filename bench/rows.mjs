/**
 * Rows of a report: lines that are in several rows, rows that repeat earlier ones, the sizes of the sections, and the
 * first rows.
 *
 *   npm run bench -- rows [--top N] [--folders N] FOLDER…
 *
 * --top      number of rows of source and of text to print for each tree (0)
 * --folders  number of pairs of similar folders to print (0)
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/project.mjs';
import { machine, round, table } from './measuring.mjs';
import { importSources } from './sources.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { top: { type: 'string', default: '0' }, folders: { type: 'string', default: '0' } },
});
const { outlineOf } = await importSources({ 'presentation/wording/outline.ts': ['outlineOf'] });

const rows = positionals.map((tree) => ({ tree, ...measure(path.resolve(tree)) }));
console.log(`${machine()}\n`);
console.log(
  table(
    [
      'tree',
      'groups',
      'rows',
      'lines in several rows',
      'rows that repeat',
      'folders',
      'file pairs',
      'source',
      'text',
      'tests',
      'data',
      'boilerplate',
    ],
    rows.map(({ tree, figures: f }) => [
      path.basename(tree),
      ...[f.groups, f.rows, f.linesInSeveralRows, f.rowsThatRepeat, f.folders, f.files],
      ...['source', 'text', 'tests', 'data', 'boilerplate'].map((name) => f.sections[name] ?? 0),
    ]),
  ),
);
for (const { tree, report } of rows) printFirst(tree, report);
console.log(
  JSON.stringify({
    bench: 'rows',
    machine: machine(),
    trees: rows.map(({ tree, figures }) => ({ tree: path.basename(tree), ...figures })),
  }),
);

/** @param {string} tree */
function measure(tree) {
  const command = [path.join(root, 'dist/cli.js'), 'scan', tree, '--format', 'json', '--no-progress'];
  const text = execFileSync(process.execPath, command, { maxBuffer: 2 ** 30, encoding: 'utf8' });
  const report = JSON.parse(text);
  const top = report.groups.filter(({ kind, parent }) => kind !== 'file' && parent === undefined);
  /** Number of rows of each line, by path. */
  const depths = new Map();
  let repeating = 0;
  for (const { passages } of top) {
    let share = 0;
    for (const { path: name, startLine, endLine } of passages) {
      if (!depths.has(name)) depths.set(name, []);
      const depth = depths.get(name);
      let nestedLines = 0;
      for (let line = startLine; line <= endLine; line++) if (depth[line] > 0) nestedLines++;
      share += nestedLines / (endLine - startLine + 1);
    }
    if (share / passages.length >= 0.5) repeating++;
    for (const { path: name, startLine, endLine } of passages) {
      const depth = depths.get(name);
      for (let line = startLine; line <= endLine; line++) depth[line] = (depth[line] ?? 0) + 1;
    }
  }
  const all = [...depths.values()].flatMap((depth) => Object.values(depth));
  const sections = Object.fromEntries(outlineOf(report).map(({ name, rows: list }) => [name, list.length]));
  const figures = {
    groups: report.groups.length,
    rows: report.groups.filter(({ parent }) => parent === undefined).length,
    linesInSeveralRows: round(all.filter((count) => count > 1).length / Math.max(1, all.length), 3),
    rowsThatRepeat: round(repeating / Math.max(1, top.length), 3),
    folders: report.folders.length,
    files: report.files.length,
    sections,
  };
  return { figures, report };
}

/**
 * @param {string} tree
 * @param {any} report
 */
function printFirst(tree, report) {
  for (const { name, rows: list } of outlineOf(report)) {
    const count =
      name === 'folders' ? Number(values.folders) : ['source', 'text'].includes(name) ? Number(values.top) : 0;
    if (count === 0) continue;
    console.log(`\n${path.basename(tree)}, ${name}`);
    for (const [i, row] of list.slice(0, count).entries()) console.log(`${i + 1}. ${describe(row)}`);
  }
}

/** @param {any} row */
function describe(row) {
  if (row.type === 'folders') {
    const { paths, alike, files, lines, worth } = row.folders;
    return `worth ${worth}: ${paths.map((name, i) => `${name} (${alike[i]} of ${files[i]} files, ${lines[i]} lines)`).join(' | ')}`;
  }
  if (row.type === 'files') {
    const { paths, groups, lines, shares, worth } = row.files;
    return `worth ${worth}: ${groups.length} rows of ${paths.map((name, i) => `${name} (${lines[i]} lines, ${shares[i]})`).join(' | ')}`;
  }
  if (row.type === 'peers') {
    const { name, paths, groups, worth } = row.peers;
    return `worth ${worth}: ${groups.length} rows of ${paths.length} files ${name}: ${paths.join(' | ')}`;
  }
  const { worth, kind, type, similarity, passages, lines } = row.group;
  const places = passages.slice(0, 3).map((it) => `${it.path}:${it.startLine}-${it.endLine}`);
  return `worth ${worth}: ${kind} ${type} ${similarity}, ${passages.length} × ${lines} lines: ${places.join(' | ')}`;
}
