/** Code for the repositories of the tests: functions that are long enough to be found, and unlike each other. */
import type { DocumentIndex } from '../../src/core/engine/documents/documents.ts';
import { DocumentIndexer } from '../../src/core/engine/documents/indexDocument.ts';
import type { Kernel } from '../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../src/core/engine/languages/allLexicons.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';

/** Returns a function that resembles no other. Its names and steps derive from its own name. */
export function functionText(name: string, lines = 24): string {
  const steps = Array.from({ length: lines }, (_, line) => {
    const word = `${name}${line}`;
    const kinds = [
      `  const ${word} = read${word}(input.${word}, ${line * 7 + name.length});`,
      `  if (${word}Limit > total.${word}) throw new RangeError('${word} is too large');`,
      `  for (const item of input.list${word}) total.${word} += item.size * ${line + name.length};`,
      `  total.${word} = Math.max(total.${word}, cache.get('${word}') ?? ${line});`,
    ];
    return kinds[(line + name.length) % kinds.length];
  });
  return [`export function ${name}(input: Input, total: Total): Total {`, ...steps, '  return total;', '}', ''].join(
    '\n',
  );
}

/** Indexes a text with its comments and its quoted code. */
export function indexText(kernel: Kernel, path: string, text: string): DocumentIndex {
  const indexer = new DocumentIndexer(kernel, { ...defaultOptions, readComments: 'asText' });
  const bytes = Buffer.from(text);
  const reserved = indexer.reserve(bytes.length);
  reserved.set(bytes);
  return indexer.index(reserved, lexiconForPath(path));
}
