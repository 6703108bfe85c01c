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

const sources = await importSources({
  'core/engine/documents/lexRoom.ts': ['lexBytesPerByte', 'lexRoom', 'loadLexed', 'storeLexed'],
  'core/engine/kernel.ts': ['createMemory', 'Kernel'],
  'core/engine/languages/allLexicons.ts': ['lexiconForPath'],
  'core/engine/languages/lexiconBytes.ts': ['lexiconBytes'],
  'core/kernel/lex/lexedLayout.ts': [
    ...['lexedArraysBytes', 'lexedTextBytes', 'lexedTextLengthAt', 'lexedTextLineAt', 'lexedTextSourceAt'],
  ],
});
const { createMemory, Kernel, lexiconBytes, lexiconForPath } = sources;

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
  const addresses = texts.map((text) => {
    const address = kernel.allocate(text.length + 32);
    kernel.bytes.set(text, address);
    return address;
  });
  const room = Math.ceil((Math.max(...texts.map((text) => text.length)) + 1) / 8) * 8;
  const compiled = lexiconBytes(lexicon, { imports: false });
  const lexiconAddress = kernel.allocate(compiled.length);
  kernel.bytes.set(compiled, lexiconAddress);
  const lexed = { room: sources.lexRoom(kernel.allocate(room * sources.lexBytesPerByte), room) };
  const [text, arrays] = [kernel.allocate(sources.lexedTextBytes), kernel.allocate(sources.lexedArraysBytes)];
  const state = kernel.words.subarray(text / 4, (text + sources.lexedTextBytes) / 4);
  const scratch = kernel.allocate(kernel.exports.lexScratchBytes());
  let minMillis = Infinity;
  let tokenCount = 0;
  let lineCount = 0;
  for (let run = 0; run < rounds; run++) {
    tokenCount = lineCount = 0;
    const before = process.cpuUsage();
    texts.forEach(({ length }, index) => {
      state.fill(0);
      state[sources.lexedTextSourceAt / 4] = addresses[index];
      state[sources.lexedTextLengthAt / 4] = length;
      sources.storeLexed(kernel, arrays, { ...lexed, tokenCount: 0, lineCount: 0 });
      kernel.exports.lex(scratch, text, 0, length, lexiconAddress, arrays, 0);
      sources.loadLexed(kernel, arrays, lexed);
      tokenCount += lexed.tokenCount;
      lineCount += state[sources.lexedTextLineAt / 4];
    });
    const { user, system } = process.cpuUsage(before);
    minMillis = Math.min(minMillis, user + system);
  }
  return {
    language,
    files: texts.length,
    megabytes: round(bytes / 1e6, 1),
    lines: lineCount,
    tokens: tokenCount,
    ms: round(minMillis / 1000, 0),
    megabytesPerSecond: round(bytes / minMillis, 0),
    nanosecondsPerToken: round((minMillis * 1000) / tokenCount, 1),
  };
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
