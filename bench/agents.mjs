/**
 * Questions of an agent in a large tree: the time from the call of `find_similar` to the answer, as the client measures
 * it over stdio. If jscpd is available, its MCP server is measured too.
 *
 *   npm run bench -- agents [--tree FOLDER] [--texts N] [--lines N] [--language NAME] [--seed N] [--jscpd PROGRAM]
 *
 * --tree   the folder that is served (`corpora/java` in the project)
 * --texts  number of random passages to search for (200)
 * --lines  lines of each passage (30)
 * --language  language of the files that passages are drawn from: java (the default), typescript, python, go, or c
 * --seed   seed of the random choice (1)
 * --jscpd  program of jscpd, and the number of passages to search for with it, as PROGRAM:N
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { root } from '../scripts/project.mjs';
import { machine, median, quantile, round, table } from './measuring.mjs';
import { randomNumbers } from './randomNumbers.mjs';

const { values } = parseArgs({
  options: {
    tree: { type: 'string', default: path.join(root, 'corpora', 'java') },
    texts: { type: 'string', default: '200' },
    lines: { type: 'string', default: '30' },
    language: { type: 'string', default: 'java' },
    seed: { type: 'string', default: '1' },
    jscpd: { type: 'string' },
  },
});

const extensions = new Map(Object.entries({ java: '.java', typescript: '.ts', python: '.py', go: '.go', c: '.c' }));
const extension = extensions.get(values.language);
if (extension === undefined) throw new Error(`--language is one of ${[...extensions.keys()].join(', ')}.`);
const tree = path.resolve(values.tree);
const texts = drawTexts(Number(values.texts), Number(values.lines));
const cache = mkdtempSync(path.join(tmpdir(), 'kindred-agents-'));
console.log(machine());

const cold = await serve();
const searchTimes = [];
for (const text of texts) searchTimes.push(await ask(cold.client, text));
// The server stores its index after a few idle seconds.
while (!readdirSync(cache).includes('index.findings')) await wait(500);
await wait(2_000);
await cold.client.close();
const warm = await serve();
const firstFindMs = await ask(warm.client, texts[0] ?? '');
await warm.client.close();
rmSync(cache, { recursive: true, force: true });

const theirs = values.jscpd === undefined ? [] : await askJscpd(values.jscpd);
const figures = {
  ...timesOf(searchTimes),
  ...cold.index,
  coldMs: cold.readyMs,
  warmMs: warm.readyMs,
  warmFirstMs: warm.firstMs,
  firstFindMs,
  jscpd: timesOf(theirs),
};
console.log(
  `${figures.files} files, ${figures.lines} lines; the first answer after ${round(cold.readyMs)} ms, with a stored index after ${round(warm.firstMs ?? 0)} ms, which is checked after ${round(warm.readyMs)} ms; the first look-up then takes ${round(firstFindMs)} ms`,
);
const row = (/** @type {string} */ name, /** @type {number[]} */ times) => [
  name,
  String(times.length),
  ...Object.values(timesOf(times)).map((time) => String(round(time))),
];
const head = ['', 'questions', 'median ms', '95% ms', 'most ms'];
console.log(table(head, [row('find_similar', searchTimes), ...(theirs.length > 0 ? [row('jscpd', theirs)] : [])]));
console.log(JSON.stringify(figures));

/** Starts a server and waits until its index is ready. */
async function serve() {
  const started = performance.now();
  const client = new Client({ name: 'bench', version: '1' });
  const args = [path.join(root, 'dist', 'cli.js'), 'mcp', tree, '--cache', cache];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  let index;
  let firstMs;
  do {
    // The stored findings are available while the files are checked.
    if (firstMs !== undefined) await wait(100);
    const { structuredContent } = await client.callTool(
      { name: 'list_duplicates', arguments: { limit: 1 } },
      { timeout: 600_000 },
    );
    index = /** @type {any} */ (structuredContent)?.index;
    if (index !== undefined) firstMs ??= performance.now() - started;
  } while (index?.state !== 'ready');
  return { client, index: { files: index.files, lines: index.lines }, firstMs, readyMs: performance.now() - started };
}

/**
 * @param {Client} client
 * @param {string} text
 */
async function ask(client, text) {
  const started = performance.now();
  const { isError, content } = await client.callTool({
    name: 'find_similar',
    arguments: { text, language: values.language },
  });
  if (isError) throw new Error(JSON.stringify(content));
  return performance.now() - started;
}

/** @param {string} programAndCount */
async function askJscpd(programAndCount) {
  const [, program = '', count = '0'] = /^(.*?)(?::(\d+))?$/.exec(programAndCount) ?? [];
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command: program, args: ['--mcp', tree] }), { timeout: 600_000 });
  const times = [];
  for (const code of texts.slice(0, Number(count) || 10)) {
    const started = performance.now();
    await client.callTool(
      { name: 'check_duplication', arguments: { code, format: values.language } },
      { timeout: 600_000 },
    );
    times.push(performance.now() - started);
  }
  await client.close();
  return times;
}

/** @param {number[]} times */
function timesOf(times) {
  if (times.length === 0) return {};
  return { medianMs: median(times), p95Ms: quantile(times, 0.95), maxMs: Math.max(...times) };
}

/**
 * @param {number} count
 * @param {number} lines
 */
function drawTexts(count, lines) {
  const random = randomNumbers(Number(values.seed));
  const files = readdirSync(tree, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension) && statSync(path.join(tree, name)).size > 4_000)
    .sort();
  if (files.length === 0) throw new Error(`${tree} has no large file of ${values.language}.`);
  return Array.from({ length: count }, () => {
    const all = readFileSync(path.join(tree, files[Math.floor(random() * files.length)]), 'utf8').split('\n');
    const start = Math.floor(random() * Math.max(1, all.length - lines));
    return all.slice(start, start + lines).join('\n');
  });
}

/** @param {number} ms */
function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
