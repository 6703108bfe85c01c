/**
 * jscpd on a folder, and what it finds as pairs of line ranges: `[{ a: { file, startLine, endLine }, b: … }]`, the form in
 * which the injected-clone benchmark takes the report of any program.
 *
 *   node bench/jscpdPairs.mjs JSCPD FOLDER OUTPUT [option…]
 *
 * JSCPD is its executable (npm: jscpd 5 with the package of the platform), OUTPUT the file for the pairs; options go to
 * jscpd. Everything on: --mode weak --min-tokens 30 --max-gap-lines 10 --ignore-identifiers --ignore-literals --ignore-annotations
 * --similarity 0.85
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const [jscpd, folder, output, ...options] = process.argv.slice(2);
if (jscpd === undefined || folder === undefined || output === undefined) {
  console.error('usage: node bench/jscpdPairs.mjs JSCPD FOLDER OUTPUT [option…]');
  process.exit(2);
}
const reports = mkdtempSync(path.join(tmpdir(), 'jscpd-'));
try {
  execFileSync(jscpd, [folder, ...options, '--reporters', 'json', '--output', reports], { stdio: 'ignore' });
  const { duplicates } = JSON.parse(readFileSync(path.join(reports, 'jscpd-report.json'), 'utf8'));
  const pairs = duplicates.map((/** @type {Duplicate} */ { firstFile, secondFile }) => ({
    a: placeOf(firstFile),
    b: placeOf(secondFile),
  }));
  writeFileSync(output, JSON.stringify(pairs));
  console.log(`${pairs.length} pairs`);
} finally {
  rmSync(reports, { recursive: true });
}

/**
 * @typedef {{ name: string, start: number, end: number }} Fragment  lines from 1, inclusive
 * @typedef {{ firstFile: Fragment, secondFile: Fragment }} Duplicate
 */

/**
 * The language of a part of a document comes behind its name: a.md:javascript.
 *
 * @param {Fragment} fragment
 */
function placeOf({ name, start, end }) {
  return { file: name.replace(/:[\w-]+$/, ''), startLine: start, endLine: end };
}
