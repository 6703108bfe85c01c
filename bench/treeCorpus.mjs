/** A corpus of the files of a tree, for benches that measure operations after a scan. */
import { importSources } from './sources.mjs';

const engine = await importSources({
  'core/engine/corpus.ts': ['Corpus'],
  'core/engine/documents/indexDocument.ts': ['DocumentIndexer'],
  'core/engine/kernel.ts': ['createMemory', 'Kernel'],
  'core/engine/languages/allLexicons.ts': ['lexiconForPath'],
  'core/engine/matches/matches.ts': ['Matcher'],
  'core/engine/options.ts': ['defaultOptions'],
  'core/engine/steps.ts': ['lastOf'],
  'scan/io/listSources.ts': ['listSources'],
  'scan/io/readSource.ts': ['readSource'],
  'scan/io/sources.ts': ['defaultSourceOptions'],
  'session/protocol/packedFindings.ts': ['FindingsPacker'],
});

export const { FindingsPacker, Kernel, createMemory, defaultOptions, lastOf, lexiconForPath } = engine;

/** Inputs of a report other than the documents. */
export const context = { skipped: [], complete: true };

/**
 * Reads the texts that a scan of a tree would compare, by name. Ends the process if there are none.
 *
 * @param {string} tree
 * @returns {Promise<Map<string, Buffer>>}
 */
export async function readTree(tree) {
  const { defaultSourceOptions, listSources, readSource } = engine;
  const { files } = await listSources([tree], defaultSourceOptions, () => false);
  const texts = new Map();
  for (const file of files) {
    const source = readSource(file, defaultSourceOptions, (/** @type {number} */ size) => new Uint8Array(size));
    if ('bytes' in source) texts.set(file.path, Buffer.from(source.bytes));
  }
  if (texts.size === 0) {
    console.error(`There are no files to compare in ${tree}: name a folder with --tree.`);
    process.exit(2);
  }
  return texts;
}

/**
 * Creates a corpus of texts and its findings on this thread.
 *
 * @param {ReadonlyMap<string, Uint8Array>} texts
 * @param {Uint8Array} [idfTable]  as in `Corpus`
 */
export function scanTexts(kernel, options, texts, idfTable) {
  const corpus = new engine.Corpus(kernel, options, idfTable);
  const indexer = new engine.DocumentIndexer(kernel, options);
  for (const [name, text] of texts) {
    const bytes = indexer.reserve(text.length);
    bytes.set(text);
    corpus.adopt(name, indexer.index(bytes.subarray(0, text.length), lexiconForPath(name)));
  }
  const plan = lastOf(corpus.planSteps());
  const records = new engine.Matcher(kernel, plan.task, options).matchSeeds(0, plan.task.seeds.count);
  return { corpus, findings: lastOf(plan.finishSteps(records, context)) };
}
