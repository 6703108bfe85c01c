/**
 * Precision and recall of the methods on pairs of near-duplicate files, as Henzinger 2006 measured them on pairs of
 * pages.
 *
 *   npm run bench -- files <folder>…
 *
 * Real pairs. The pool consists of all pairs of files of a folder that the loosest criterion of some method accepts:
 * fingerprints within 12 bits, or an estimated resemblance of 0.2. A sample of the pool is judged by aligning the two
 * files token by token. A pair is a near-duplicate if 2 × common tokens in order / tokens of both is at least 0.7, a
 * measure that neither method uses. Precision is the share of near-duplicates among the accepted pairs. Recall is the
 * share of the pool's near-duplicates that are accepted. It is relative, because the pool lacks pairs that no method
 * can find.
 *
 * Edited files. Files are edited line by line at rates from 2 to 30%: a line is deleted, replaced by a line of another
 * file, or followed by one. Recall is the share of files that a method pairs with their edited versions.
 *
 * These methods use the exact resemblance and the distance. `bands` is the share of the pairs with a resemblance of at
 * least 0.5 that the banded signatures nominate.
 */
import path from 'node:path';
import { randomNumbers } from './randomNumbers.mjs';
import { importSources } from './sources.mjs';

const engine = await importSources({
  'core/methods/bits.ts': ['hammingDistance'],
  'core/engine/files/fileOverlap.ts': ['FileComparer', 'KnownOverlaps'],
  'core/engine/documents/fileSketch.ts': ['readSketch'],
  'core/engine/documents/indexDocument.ts': ['DocumentIndexer'],
  'core/engine/kernel.ts': ['createMemory', 'Kernel'],
  'core/engine/languages/allLexicons.ts': ['lexiconForPath'],
  'core/methods/longestCommonSubsequence.ts': ['commonLength'],
  'core/engine/options.ts': ['defaultOptions'],
  'core/engine/constants.ts': ['constants'],
  'scan/io/listSources.ts': ['listSources'],
  'scan/io/readSource.ts': ['readSource'],
  'scan/io/sources.ts': ['defaultSourceOptions'],
});
const { defaultOptions: options, constants } = engine;
const { bins, rows } = constants.files;
/** Maximum number of judged pairs per folder, of edited files, and of the product of the token counts of a pair. */
const [samplePairs, sampleFiles, maxCells] = [2_500, 300, 4e8];
const minAligned = 0.7;
const rates = [0.02, 0.05, 0.1, 0.2, 0.3];
const random = randomNumbers(1);

/** Criteria to measure: those in use (constants.files), printed in bold, and their neighbors. */
const criteria = [
  ...[3, 4, 6, 8, 10].map((k) => criterion('simhash', { minResemblance: 0, maxDistance: k })),
  ...[0.3, 0.4, 0.5, 0.6, 0.7].map((j) => criterion('minhash', { minResemblance: j, maxDistance: 64 })),
  ...[0.3, 0.4, 0.5].flatMap((j) =>
    [8, 12, 16].map((k) => criterion('combined', { minResemblance: j, maxDistance: k })),
  ),
];

const folders = process.argv.slice(2);
if (folders.length === 0) throw new Error('Name folders to take the files from.');
const judged = [];
const edited = new Map(rates.map((rate) => [rate, []]));
for (const folder of folders) await measure(folder);

report();

/** @param {string} folder */
async function measure(folder) {
  const kernel = new engine.Kernel(engine.createMemory());
  const indexer = new engine.DocumentIndexer(kernel, options);
  const compare = comparer(kernel);
  const { files } = await engine.listSources([folder], engine.defaultSourceOptions, () => false);
  const documents = [];
  const texts = [];
  for (const file of files) {
    const source = engine.readSource(file, engine.defaultSourceOptions, (size) => indexer.reserve(size));
    if (!source.bytes) continue;
    const text = Buffer.from(source.bytes);
    const index = indexer.index(source.bytes, engine.lexiconForPath(file.path));
    if (!index.sketch) continue;
    documents.push(index);
    texts.push({ path: file.path, text });
  }
  const pool = shuffled(poolOf(documents.map((index) => sketchOf(kernel, index)))).slice(0, samplePairs);
  let count = 0;
  for (const [a, b] of pool) {
    const [x, y] = [documents[a], documents[b]];
    if (x.prose !== y.prose || x.tokenCount * y.tokenCount > maxCells) continue;
    judged.push({ folder, ...compare(x, y), isDuplicate: aligned(kernel, x, y) >= minAligned });
    count++;
  }
  const lines = texts.flatMap(({ text }) => text.toString('utf8').split('\n')).filter((line) => line.trim().length > 3);
  const sampledPlaces = shuffled(documents.map((_, place) => place))
    .filter((place) => documents[place].tokenCount >= 200 && documents[place].tokenCount <= 5_000)
    .slice(0, sampleFiles);
  for (const place of sampledPlaces) {
    for (const rate of rates) {
      const { path: name, text } = texts[place];
      const bytes = Buffer.from(edit(text.toString('utf8'), rate, lines));
      const reserved = indexer.reserve(bytes.length);
      reserved.set(bytes);
      const index = indexer.index(reserved, engine.lexiconForPath(name));
      if (index.sketch) edited.get(rate)?.push(compare(documents[place], index));
    }
  }
  console.error(
    `${path.basename(folder)}: ${documents.length} files, ${count} pairs judged, ${sampledPlaces.length} files edited`,
  );
}

/** Returns the pairs of positions that the loosest criterion of some method accepts. */
function poolOf(sketches) {
  const pool = [];
  for (let i = 0; i < sketches.length; i++) {
    for (let j = i + 1; j < sketches.length; j++) {
      const bits = distance(sketches[i], sketches[j]);
      // Sets that share a fifth are seldom farther apart. This check saves most comparisons of signatures.
      if (bits > 24) continue;
      if (bits <= 12 || agreement(sketches[i], sketches[j]) >= 0.2) pool.push([i, j]);
    }
  }
  return pool;
}

function sketchOf(kernel, index) {
  const { high, low, signature } = engine.readSketch(kernel, index);
  return { high, low, signature: signature.slice() };
}

function distance(x, y) {
  return engine.hammingDistance(x.high, x.low, y.high, y.low);
}

function agreement(x, y) {
  let equal = 0;
  for (let bin = 0; bin < bins; bin++) if (x.signature[bin] === y.signature[bin]) equal++;
  return equal / bins;
}

/**
 * Returns a function that computes the resemblance and distance of two documents, and if a band of their signatures is
 * equal.
 */
function comparer(kernel) {
  const exact = new engine.FileComparer(kernel, options, new engine.KnownOverlaps(), undefined);
  return (x, y) => {
    const overlap = exact.overlap(x, y);
    const [a, b] = [sketchOf(kernel, x), sketchOf(kernel, y)];
    let nominated = false;
    for (let first = 0; first + rows <= bins; first += rows) {
      nominated ||= a.signature.slice(first, first + rows).every((value, i) => value === b.signature[first + i]);
    }
    return { resemblance: overlap.resemblance, bits: overlap.distance, nominated };
  };
}

/** Returns 2 × the length of the longest common subsequence / tokens of both. */
function aligned(kernel, x, y) {
  const [a, b] = [x, y].map(({ tokens, tokenCount }) => kernel.words.slice(tokens >>> 2, (tokens >>> 2) + tokenCount));
  return (2 * engine.commonLength(a, b)) / (a.length + b.length);
}

/** Returns a text with a share of the lines deleted, replaced, or followed by another line. */
function edit(text, rate, lines) {
  const other = () => lines[Math.floor(random() * lines.length)];
  return text
    .split('\n')
    .flatMap((line) => {
      if (random() >= rate) return [line];
      const kind = random() * 3;
      return kind < 1 ? [] : kind < 2 ? [other()] : [line, other()];
    })
    .join('\n');
}

function criterion(method, { minResemblance, maxDistance }) {
  const own = constants.files[method];
  const isInUse = own.minResemblance === minResemblance && own.maxDistance === maxDistance;
  const words = [
    ...(minResemblance > 0 ? [`resemblance ≥ ${minResemblance}`] : []),
    ...(maxDistance < 64 ? [`distance ≤ ${maxDistance}`] : []),
  ];
  return {
    method,
    isInUse,
    words: words.join(', '),
    takes: ({ resemblance, bits }) => resemblance >= minResemblance && bits <= maxDistance,
  };
}

function report() {
  const duplicates = judged.filter(({ isDuplicate }) => isDuplicate);
  console.log(`${judged.length} pairs judged, ${duplicates.length} of them near-duplicates; Node ${process.version}\n`);
  console.log(
    `| method | takes | pairs | precision | recall | F1 |${rates.map((rate) => ` ${100 * rate}% |`).join('')}`,
  );
  console.log(`| --- | --- | --: | --: | --: | --: |${rates.map(() => ' --: |').join('')}`);
  const figures = criteria.map(({ method, words, isInUse, takes }) => {
    const taken = judged.filter(takes);
    const right = taken.filter(({ isDuplicate }) => isDuplicate).length;
    const [precision, recall] = [right / taken.length, right / duplicates.length];
    const byRate = rates.map((rate) => shareOf(edited.get(rate), takes));
    const mark = isInUse ? '**' : '';
    const cells = [precision, recall, (2 * precision * recall) / (precision + recall), ...byRate].map((x) =>
      x.toFixed(3),
    );
    console.log(`| ${mark}${method}${mark} | ${words} | ${taken.length} | ${cells.join(' | ')} |`);
    return { method, words, isInUse, pairs: taken.length, precision, recall, byRate };
  });
  const alike = [...judged, ...[...edited.values()].flat()].filter(({ resemblance }) => resemblance >= 0.5);
  const bands = shareOf(alike, ({ nominated }) => nominated);
  console.log(
    `\nOf ${alike.length} pairs that resemble each other by 0.5 and more, bands nominate ${bands.toFixed(4)}.`,
  );
  console.log(JSON.stringify({ bench: 'files', judged: judged.length, duplicates: duplicates.length, bands, figures }));
}

function shareOf(list, takes) {
  return list.filter(takes).length / list.length;
}

function shuffled(list) {
  for (let i = 0; i < list.length; i++) {
    const j = i + Math.floor(random() * (list.length - i));
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}
