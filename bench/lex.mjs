/**
 * Speed of the lexer on real files: MB/s for each language of the given folders, on one thread, without reading.
 *
 *   npm run bench -- lex --tree FOLDER… [--runs N] [--least BYTES]
 *
 * --runs   runs for each language (10)
 * --least  minimum bytes of a language for a meaningful result (1,000,000)
 *
 * The result is the minimum processor time of the runs, which depends less on other load.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { round, table } from './measuring.mjs';
import { importSources } from './sources.mjs';

const { values } = parseArgs({
  options: {
    tree: { type: 'string', multiple: true, default: [] },
    runs: { type: 'string', default: '10' },
    least: { type: 'string', default: '1000000' },
  },
});
const rounds = Number(values.runs);

const { createMemory, Kernel, lexiconBytes, lexiconForPath } = await importSources({
  'core/engine/kernel.ts': ['createMemory', 'Kernel'],
  'core/engine/languages/allLexicons.ts': ['lexiconForPath'],
  'core/engine/languages/lexiconBytes.ts': ['lexiconBytes'],
});

const byLanguage = new Map();
for (const file of values.tree.flatMap(filesBelow)) {
  const { id } = lexiconForPath(file);
  if (!byLanguage.has(id)) byLanguage.set(id, []);
  byLanguage.get(id).push(file);
}

const figures = [...byLanguage].sort().flatMap(([language, files]) => {
  const texts = files.map((file) => readFileSync(file));
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  return bytes >= Number(values.least) ? [measure(language, texts, bytes, lexiconForPath(files[0]))] : [];
});
console.log(
  table(
    ['language', 'files', 'MB', 'lines', 'tokens', 'ms', 'MB/s', 'ns a token'],
    figures.map((figure) => Object.values(figure)),
  ),
);
console.log(JSON.stringify({ bench: 'lex', languages: figures }));

/** Lexes all texts several times, and returns the figures of the fastest run. */
function measure(language, texts, bytes, lexicon) {
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
  const scratch = kernel.allocate(kernel.exports.lexScratchBytes());
  let least = Infinity;
  let tokenCount = 0;
  let lineCount = 0;
  for (let run = 0; run < rounds; run++) {
    tokenCount = lineCount = 0;
    const before = process.cpuUsage();
    texts.forEach((text, index) => {
      kernel.bytes.fill(0, result, result + 32);
      kernel.exports.lex(
        ...[
          scratch,
          sources[index],
          text.length,
          lexiconAddress,
          tokens,
          starts,
          lengths,
          lines,
          result,
          0,
          0,
          text.length,
        ],
      );
      tokenCount += kernel.words[result / 4];
      lineCount += kernel.words[result / 4 + 2];
    });
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return {
    language,
    files: texts.length,
    megabytes: round(bytes / 1e6, 1),
    lines: lineCount,
    tokens: tokenCount,
    ms: round(least / 1000, 0),
    megabytesPerSecond: round(bytes / least, 0),
    nanosecondsPerToken: round((least * 1000) / tokenCount, 1),
  };
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
