/**
 * Runs that are equal except for consistently renamed names are matched completely, whatever their context. Compared
 * with all diagonals of all pairs of documents (oracles/renamedRuns.ts).
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { sampled, scaled } from '../../scripts/scaled.mjs';
import { type Documents, findingsOf, LiveTextCorpus, matchesOf } from './corpusOf.ts';
import { fixtureFolder, fixtureNames } from './lexing.ts';
import { type LostSection, lostSections, renamedRuns } from './oracles/renamedRuns.ts';
import { repeatingDocuments } from './repeatingDocuments.ts';

suite('renamed runs: the oracle', () => {
  // Identifiers have kind 3 and punctuation has kind 0.
  const [x, y, z, comma] = [19, 35, 51, 16];
  const check = (left: number[], right: number[], runs: [a: number, b: number, length: number][]): void => {
    const found = renamedRuns(left, right, 2).map(({ a, b, length }) => [a, b, length]);
    assert.deepEqual(found, runs);
  };
  test('renames names consistently', () => {
    check([x, comma, x, y], [z, comma, z, x], [[0, 0, 4]]);
  });
  test('ends a run where a name corresponds to another one, and begins the next after its last occurrence', () => {
    check(
      [x, comma, y, x],
      [z, comma, z, y],
      [
        [0, 0, 2],
        [1, 1, 3],
      ],
    );
  });
  test('ends a run at a different token', () => {
    check(
      [x, comma, y, 32, x, y],
      [y, comma, x, 48, x, y],
      [
        [0, 0, 3],
        [4, 4, 2],
      ],
    );
  });
});

suite('renamed runs are matched completely', () => {
  /** Checks documents and returns the number of their sections. */
  function check(documents: Documents): number {
    const { looked, lost } = lostSections(documents, matchesOf(documents));
    assert.deepEqual(lost.map(asText), []);
    return looked;
  }

  test('in documents that repeat themselves', () => {
    let looked = 0;
    fc.assert(
      fc.property(renamedDocuments, (documents) => {
        looked += check(documents);
      }),
      { numRuns: scaled(150) },
    );
    assert.ok(looked > scaled(15), `${looked}`);
  });
  test('in a copy of each lexer fixture with other names', () => {
    let looked = 0;
    for (const [name, text] of fixtureTexts()) {
      looked += check({ [`a/${name}`]: text, [`b/${name}`]: camelRenamed(text) });
    }
    assert.ok(looked > 0);
  });
  test('in renamed copies of real files after other text', () => {
    const texts = engineTexts();
    const sampledTexts = sampled(texts);
    let looked = 0;
    sampledTexts.forEach((text, i) => {
      const other = texts[(i + 1) % texts.length];
      looked += check({ 'a.ts': text, 'b.ts': `${other}\n${camelRenamed(text)}` });
    });
    assert.ok(looked > sampledTexts.length / 2, `${looked} of ${sampledTexts.length}`);
  });
  test('in a live corpus as in a new one', () => {
    fc.assert(
      fc.property(renamedDocuments, fc.nat(2), (documents, changed) => {
        const texts = Object.entries(documents);
        const [name, text] = texts[changed % texts.length];
        const live = new LiveTextCorpus({ ...documents, [name]: 'begin();\n' });
        live.put(name, text);
        const found = live.findings();
        assert.deepEqual(found, findingsOf(documents, {}, live.idfTable()));
      }),
      { numRuns: scaled(50) },
    );
  });
});

function asText({ left, right, run: { a, b, length }, found }: LostSection): string {
  return `${left}:${a} ~ ${right}:${b}: ${found} of ${length} tokens`;
}

/** Documents that repeat themselves, with names of some pieces replaced consistently within the piece. */
const renamedDocuments: fc.Arbitrary<Documents> = fc
  .tuple(repeatingDocuments, fc.array(fc.constantFrom('', '', 'Own', 'Other'), { minLength: 21, maxLength: 21 }))
  .map(([documents, endings]) => {
    let piece = 0;
    const renamed = (text: string): string => {
      const ending = endings[piece++ % endings.length];
      return text.replace(/\b(alpha|beta|gamma|delta|count|first|last|index|source|list|read)\b/g, `$1${ending}`);
    };
    return Object.fromEntries(
      Object.entries(documents).map(([name, text]) => [name, text.split('\n\n').map(renamed).join('\n\n')]),
    );
  });

/** Returns a text in which each name of several words is replaced. */
function camelRenamed(text: string): string {
  return text.replace(/\b[a-z]+[A-Z]\w*\b/g, (name) => `other${name}`);
}

function fixtureTexts(): [string, string][] {
  return fixtureNames().map((name) => [name, readFileSync(path.join(fixtureFolder, name), 'utf8')]);
}

/** Returns some files of the engine. */
function engineTexts(): string[] {
  const folder = path.resolve('src/core/engine/matches');
  return readdirSync(folder)
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .filter((text) => text.split('\n').length < 150);
}
