/**
 * How fast the lexer is on real files: MB/s of each language in some folders, on one thread, reading not counted.
 *
 *   node bench/lex.mjs <folder>…
 *
 * Time is the processor's, so that other work on the machine disturbs it less; the least of ten rounds counts.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { importSources } from './sources.mjs';

const rounds = 10;
/** Languages with less than that say nothing about speed. */
const leastBytes = 1_000_000;

const { createMemory, Kernel, lexiconBytes, lexiconForPath } = await importSources({
  'engine/kernel.ts': ['createMemory', 'Kernel'],
  'engine/languages/lexicon.ts': ['lexiconForPath'],
  'engine/languages/lexiconBytes.ts': ['lexiconBytes'],
});

const byLanguage = new Map();
for (const file of process.argv.slice(2).flatMap(filesBelow)) {
  const { id } = lexiconForPath(file);
  if (!byLanguage.has(id)) byLanguage.set(id, []);
  byLanguage.get(id).push(file);
}

console.log('| language | files | MB | lines | tokens | ms | MB/s | ns a token |');
console.log('| --- | --: | --: | --: | --: | --: | --: | --: |');
for (const [language, files] of [...byLanguage].sort()) {
  const texts = files.map((file) => readFileSync(file));
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  if (bytes >= leastBytes) console.log(row(language, texts, bytes, lexiconForPath(files[0])));
}

/** Lexes all texts some times and says how long it took. */
function row(language, texts, bytes, lexicon) {
  const kernel = new Kernel(createMemory());
  const sources = texts.map((text) => {
    const address = kernel.allocate(text.length + 32);
    kernel.bytes.set(text, address);
    return address;
  });
  const room = Math.max(...texts.map((text) => text.length)) + 1;
  const compiled = lexiconBytes(lexicon, { imports: false });
  const lexiconAddress = kernel.allocate(compiled.length);
  kernel.bytes.set(compiled, lexiconAddress);
  const [tokens, starts, lengths, lines, result] = [4 * room, 4 * room, 2 * room, 12 * room, 32].map((size) =>
    kernel.allocate(size),
  );
  let least = Infinity;
  let tokenCount = 0;
  let lineCount = 0;
  for (let round = 0; round < rounds; round++) {
    tokenCount = lineCount = 0;
    const before = process.cpuUsage();
    texts.forEach((text, index) => {
      kernel.bytes.fill(0, result, result + 32);
      kernel.exports.lex(
        ...[sources[index], text.length, lexiconAddress, tokens, starts, lengths, lines, result, 0, 0, text.length],
      );
      tokenCount += kernel.words[result / 4];
      lineCount += kernel.words[result / 4 + 2];
    });
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  const cells = [
    language,
    texts.length,
    (bytes / 1e6).toFixed(1),
    lineCount,
    tokenCount,
    (least / 1000).toFixed(0),
    (bytes / least).toFixed(0),
    ((least * 1000) / tokenCount).toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
