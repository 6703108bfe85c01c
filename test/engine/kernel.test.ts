import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { TextCorpus } from './corpusOf.ts';

/** Start of allocated memory, after the bump pointer at byte 8 and the kernel's constants. */
const arenaStart = 65_536;

suite('kernel', () => {
  // Instances on other threads would read each other's writes.
  test('instances share nothing but what is allocated', () => {
    const kernel = new Kernel(createMemory());
    const shared = (): Uint8Array => {
      const bytes = kernel.bytes.slice(0, arenaStart);
      bytes.fill(0, 8, 12);
      return bytes;
    };
    const constants = shared();
    const corpus = new TextCorpus({ readComments: 'asText' }, kernel);
    const lines = (name: string): string =>
      Array.from(
        { length: 30 },
        (_, i) => `  ${name} = ${name}.step${i}(${name}, ${i}); // The step ${i} of ${name}.`,
      ).join('\n');
    corpus.put('a.ts', `function first() {\n${lines('alpha')}\n}\n`);
    corpus.put('b.ts', `function first() {\n${lines('beta')}\n}\n`);
    corpus.put('a.md', `# Text\n\n${lines('gamma')}\n`);
    corpus.put('b.md', `# Text\n\n${lines('gamma')} and more\n`);
    assert.ok(corpus.findings().groups.length >= 2);
    assert.deepEqual(shared(), constants);
  });

  test('exports the declared functions with the declared number of parameters', () => {
    const declared = readFileSync('src/core/kernel/kernelExports.ts', 'utf8').matchAll(/readonly (\w+): \((.*)\) =>/g);
    const counts = Object.fromEntries(
      Array.from(declared, ([, name, parameters]) => [name, parameters === '' ? 0 : parameters.split(',').length]),
    );
    const { exports } = new Kernel(createMemory());
    const functions = Object.entries(exports as unknown as Record<string, unknown>).filter(
      (entry): entry is [string, (...values: never[]) => unknown] => typeof entry[1] === 'function',
    );
    assert.deepEqual(counts, Object.fromEntries(functions.map(([name, { length }]) => [name, length])));
  });
});
