/** The kernel's idf table, compared with its definition: lists of documents and sets. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { documentBytes } from '../../../src/core/kernel/documents/documentLayout.ts';
import path from 'node:path';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { root } from '../../../scripts/project.mjs';
import { withArrays } from '../kernelArrays.ts';
import { lexFile } from '../lexing.ts';

interface Document {
  readonly tokens: readonly number[];
  /** Hash of the language of the document. */
  readonly languageHash: number;
  readonly prose: boolean;
}

const slots = 1 << 20;

/** Weight of unused slots: a new token is as rare as one that occurs in one document of 256. */
const ofNewToken = 16 * 8;

/** Returns the inverse document frequency of each used slot, as counted by the kernel. */
function idfTable(documents: readonly Document[]): Map<number, number> {
  return withArrays((arrays) => {
    const table = putDocuments(arrays, documents);
    const counts = arrays.room(arrays.exports.idfScratchBytes());
    const out = arrays.room(arrays.exports.idfTableBytes());
    arrays.exports.measureIdf(table, documents.length, counts, out);
    return readTable(arrays, out);
  });
}

type Arrays = Parameters<Parameters<typeof withArrays>[0]>[0];

/** Writes the records of documents as `gatherWindows` reads them, without windows and lines. */
function putDocuments(arrays: Arrays, documents: readonly Document[]): number {
  return arrays.putWords(
    documents.flatMap(({ tokens, languageHash, prose }) => [
      ...[arrays.putWords(tokens), tokens.length, (languageHash << 1) | (prose ? 1 : 0)],
      ...Array<number>(documentBytes / 4 - 3).fill(0),
    ]),
  );
}

function readTable({ kernel }: Arrays, out: number): Map<number, number> {
  const found = new Map<number, number>();
  kernel.bytes.subarray(out, out + slots).forEach((idf, slot) => {
    if (idf !== ofNewToken) found.set(slot, idf);
  });
  return found;
}

/** Like `idfTable`, but counts some documents at a time. */
function idfTableInParts(documents: readonly Document[], atOnce: number): Map<number, number> {
  return withArrays((arrays) => {
    const counts = arrays.room(arrays.exports.idfScratchBytes());
    arrays.kernel.bytes.fill(0, counts, counts + arrays.exports.idfScratchBytes());
    for (let first = 0; first < documents.length; first += atOnce) {
      const some = documents.slice(first, first + atOnce);
      arrays.exports.countDocuments(putDocuments(arrays, some), some.length, first, counts);
    }
    const out = arrays.room(arrays.exports.idfTableBytes());
    arrays.exports.writeIdf(counts, out);
    return readTable(arrays, out);
  });
}

function slotOf(token: number, languageHash: number): number {
  return Math.imul(token ^ Math.imul(languageHash, 0x85ebca6b), 0x9e3779b1) >>> 12;
}

/**
 * Defines the weight of each slot of a significant token (kinds from 3 on, of code). The weight is log2 of the number
 * of documents of its language (at least 256) over the number of those with such a token. The unit is a sixteenth of a
 * bit.
 */
function idfByDefinition(documents: readonly Document[]): Map<number, number> {
  const code = documents.filter(({ prose }) => !prose);
  const having = new Map<number, Set<Document>>();
  for (const document of code) {
    for (const token of document.tokens.filter((word) => (word & 15) >= 3)) {
      const slot = slotOf(token, document.languageHash);
      having.set(slot, (having.get(slot) ?? new Set()).add(document));
    }
  }
  const idfOf = (those: ReadonlySet<Document>): number => {
    // Languages may share a slot by chance. It belongs to the last of them.
    const { languageHash } = [...those].at(-1)!;
    const all = Math.max(256, code.filter((document) => document.languageHash === languageHash).length);
    return Math.min(255, Math.floor(16 * Math.log2(all / those.size)));
  };
  const found = [...having].map(([slot, those]): [number, number] => [slot, idfOf(those)]);
  return new Map(found.filter(([, idf]) => idf !== ofNewToken));
}

function check(documents: readonly Document[]): void {
  const byNumber = (map: ReadonlyMap<number, number>): [number, number][] => [...map].sort(([x], [y]) => x - y);
  assert.deepEqual(byNumber(idfTable(documents)), byNumber(idfByDefinition(documents)));
}

suite('measureIdf', () => {
  const word = fc
    .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 9 }))
    .map(([hash, kind]) => ((Math.imul(hash, 0x85ebca6b) & ~15) | kind) >>> 0);
  const document = fc.record({
    tokens: fc.array(word, { maxLength: 30 }),
    languageHash: fc.constantFrom(0, 1, 7, 255),
    prose: fc.boolean(),
  });

  test('counts the documents of random tokens like its definition', () => {
    fc.assert(fc.property(fc.array(document, { maxLength: 12 }), check), { numRuns: scaled(40) });
  });

  test('counts the same in parts as all at once', () => {
    const parts = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(fc.array(document, { maxLength: 12 }), parts, (documents, atOnce) => {
        assert.deepEqual(idfTableInParts(documents, atOnce), idfTable(documents));
      }),
      { numRuns: scaled(40) },
    );
  });

  test('counts more documents than its initial capacity', () => {
    const documents = Array.from({ length: 300 }, (_, i) => ({
      tokens: [1, 2, 3, 5, 7].filter((every) => i % every === 0).map((every) => (every << 8) | 3),
      languageHash: i % 11 === 0 ? 1 : 0,
      prose: false,
    }));
    check(documents);
  });

  test('counts real code like its definition', () => {
    const folder = path.join(root, 'src/core/engine');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const documents = names.map((name) => ({
      tokens: lexFile(name, readFileSync(path.join(folder, name))).tokens.map((t) => t.word >>> 0),
      languageHash: 3,
      prose: false,
    }));
    assert.ok(documents.length > 40);
    check(documents);
  });
});
