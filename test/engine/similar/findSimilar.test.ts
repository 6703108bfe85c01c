/**
 * Find Similar: the result equals that of a scan with the text as an additional file, with and without a complete
 * index, and leaves no trace.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { defaultOptions } from '../../../src/core/engine/options.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import type { Passage } from '../../../src/core/engine/report/report.ts';
import type { SimilarPassages, SimilarQuery } from '../../../src/core/engine/similar/findSimilar.ts';
import { findingsOf, LiveTextCorpus, matchesOf, placeOf, TextCorpus } from '../corpusOf.ts';
import { withoutWindows } from '../matches/portedTexts.ts';
import { changesOf, document, lineOfOwn, options, steps } from '../histories.ts';
import { memoriesInTurn } from '../usedMemory.ts';

/** Returns a text of numbered lines that equal those of other texts only where the numbers do. */
function linesOf(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => lineOfOwn(from + n));
}

function textOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

/** A realistic function. */
const reader = `export async function readAll(folder: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  const queue = [folder];
  while (queue.length > 0 && found.length < limit) {
    const entries = await readdir(queue.pop()!, { withFileTypes: true });
    for (const entry of entries) {
      const name = path.join(entry.parentPath, entry.name);
      if (entry.isDirectory()) queue.push(name);
      else if (entry.isFile() && !entry.name.startsWith('.')) found.push(name);
    }
  }
  found.sort();
  return found;
}
`;

function placesOf({ passages }: SimilarPassages): string[] {
  return passages.map(({ passage }) => placeOf(passage));
}

/** Returns the share of the lines of a passage that are in another passage. */
function shareIn(passage: Passage, other: Passage): number {
  if (passage.path !== other.path) return 0;
  const common = Math.min(passage.endLine, other.endLine) - Math.max(passage.startLine, other.startLine) + 1;
  return common / (passage.endLine - passage.startLine + 1);
}

/**
 * Returns the share of a passage that is in any passage of an answer, in UTF-16 code units. Each place is reported
 * once, for the most similar part of the text. Repetitive text is reported in parts.
 */
function shareInAny(passage: Passage, answers: SimilarPassages['passages'], text: string): number {
  const [from, to] = rangeOf(passage, text);
  const told = new Set<number>();
  for (const { passage: answer } of answers) {
    if (answer.path !== passage.path) continue;
    const [start, end] = rangeOf(answer, text);
    for (let at = Math.max(start, from); at < Math.min(end, to); at++) told.add(at);
  }
  return told.size / (to - from);
}

/** Returns the range of a passage in its text: UTF-16 code units from 0, end exclusive. */
function rangeOf({ startLine, startColumn, endLine, endColumn }: Passage, text: string): [number, number] {
  const lines = text.split('\n');
  const offset = (line: number): number => lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  return [offset(startLine) + startColumn - 1, offset(endLine) + endColumn - 1];
}

suite('find similar', () => {
  const common = linesOf(100, 20);
  const documents = {
    'a.ts': textOf([...linesOf(0, 30), ...common, ...linesOf(30, 30)]),
    'b.ts': textOf([...common, ...linesOf(60, 30)]),
    'c.ts': textOf(linesOf(200, 60)),
  };

  test('finds every copy of a text, with its place and the matching part of the text', () => {
    const live = new LiveTextCorpus(documents);
    const { passages, total, tokens, hasNoWindow, leftOut } = live.similar('x.ts', textOf(common));
    assert.deepEqual(
      passages.map(({ passage, type, similarity, covered, textLines }) => [
        ...[placeOf(passage), type, similarity, covered],
        ...[textLines.start, textLines.end],
      ]),
      [
        ['a.ts:31-50', 'exact', 1, 1, 1, 20],
        ['b.ts:1-20', 'exact', 1, 1, 1, 20],
      ],
    );
    assert.deepEqual([total, hasNoWindow, leftOut], [2, false, { documents: 0, windows: 0 }]);
    assert.equal(tokens, passages[0].passage.tokens);
  });

  test('finds a copy of a part of a text after the copies of all of it', () => {
    const live = new LiveTextCorpus({ ...documents, 'd.ts': textOf(common.slice(5, 15)) });
    const { passages } = live.similar('x.ts', textOf(common));
    assert.deepEqual(
      passages.map(({ passage, textLines, covered }) => [placeOf(passage), textLines, covered === 1]),
      [
        ['a.ts:31-50', { start: 1, end: 20 }, true],
        ['b.ts:1-20', { start: 1, end: 20 }, true],
        ['d.ts:1-10', { start: 6, end: 15 }, false],
      ],
    );
  });

  test('excludes the text itself, but includes its other copies in the same file', () => {
    const live = new LiveTextCorpus({ 'a.ts': textOf([...common, ...linesOf(0, 30), ...common]) });
    const searchedText = textOf(common);
    assert.deepEqual(placesOf(live.similar('a.ts', searchedText)), ['a.ts:1-20', 'a.ts:51-70']);
    const origin = { path: 'a.ts', startLine: 1, endLine: 20 };
    assert.deepEqual(placesOf(live.similar('a.ts', searchedText, { origin })), ['a.ts:51-70']);
    const elsewhere = { path: 'b.ts', startLine: 1, endLine: 20 };
    assert.equal(live.similar('a.ts', searchedText, { origin: elsewhere }).total, 2);
  });

  test('includes a copy of which only the first line is in the text itself', () => {
    const live = new LiveTextCorpus({ 'a.ts': textOf([...common, ...common]) });
    const origin = { path: 'a.ts', startLine: 1, endLine: 21 };
    assert.deepEqual(placesOf(live.similar('a.ts', textOf([...common, common[0]]), { origin })), ['a.ts:21-40']);
  });

  test('excludes only the cell itself in a notebook on one line', () => {
    const searchedText = textOf(common);
    const sources = [searchedText, textOf(linesOf(0, 30)), searchedText];
    const cells = sources.map((source) => ({ cell_type: 'code', metadata: {}, outputs: [], source: [source] }));
    const file = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 });
    const live = new LiveTextCorpus({ 'a.ipynb': file });
    const columnsOf = (origin: SimilarQuery['origin']): number[] =>
      live.similar('x.py', searchedText, { origin }).passages.map(({ passage }) => passage.startColumn);
    const written = JSON.stringify(searchedText).slice(1, -1);
    const [first, second] = [file.indexOf(written) + 1, file.lastIndexOf(written) + 1];
    const line = { path: 'a.ipynb', startLine: 1, endLine: 1 };
    assert.deepEqual(columnsOf(undefined), [first, second]);
    assert.deepEqual(columnsOf({ ...line, startColumn: first, endColumn: first + written.length }), [second]);
    assert.deepEqual(columnsOf({ ...line, startColumn: second, endColumn: second + written.length }), [first]);
    assert.deepEqual(columnsOf(line), []);
  });

  test('lowers the minimum size for a short text', () => {
    const live = new LiveTextCorpus(documents);
    // Three lines are fewer than a passage of a report has.
    assert.deepEqual(placesOf(live.similar('x.ts', textOf(common.slice(4, 7)))), ['a.ts:35-37', 'b.ts:5-7']);
    assert.deepEqual(placesOf(live.similar('x.ts', textOf(common.slice(4, 6)))), ['a.ts:35-36', 'b.ts:5-6']);
  });

  test('reports that a text is too short to look up any window', () => {
    const live = new LiveTextCorpus(documents);
    for (const text of ['', 'a b c\n', '// a comment\n']) {
      assert.deepEqual(live.similar('x.ts', text).hasNoWindow, true, text);
      assert.deepEqual(live.similar('x.ts', text).passages, []);
    }
    assert.equal(live.similar('x.ts', textOf(linesOf(900, 5))).hasNoWindow, false);
  });

  test('reports that a text is shorter than a window only if nothing was found', () => {
    // The window of the first line has 18 tokens, and the first two texts contain fewer.
    const [line, call] = ['const total = count(first, second) + last', '.at(index, 7).end;'];
    const files = { 'a.ts': `${line}${call}\n${textOf(common)}`, 'b.ts': `${textOf(common)}\n${line};\n` };
    for (const [text, found, tokens] of [
      [`${line}.at;\n`, [], 14],
      [`${line};\n`, [], 12],
      [`${line}${call}\n`, ['a.ts:1-1'], 21],
    ] as const) {
      const similar = new LiveTextCorpus(files).similar('x.ts', text);
      assert.deepEqual(
        [placesOf(similar), similar.tokens, similar.hasNoWindow],
        [found, tokens, found.length === 0],
        text,
      );
    }
    const ending = new LiveTextCorpus({ 'a.ts': `${textOf(common)}${line}.at;\n` }).similar('x.ts', `${line}.at;\n`);
    assert.deepEqual([ending.total, ending.hasNoWindow], [1, false]);
  });

  test('limits the number of results and reports the total', () => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`${n}.ts`, textOf(common)]));
    const similar = new LiveTextCorpus(files).similar('x.ts', textOf(common), { limit: 5 });
    assert.deepEqual([similar.passages.length, similar.total], [5, 12]);
    assert.deepEqual(
      placesOf(similar),
      ['0.ts', '1.ts', '10.ts', '11.ts', '2.ts'].map((name) => `${name}:1-20`),
    );
  });

  test('excludes documents with the fewest common windows if very many have some, and reports it', () => {
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`${n}.ts`, textOf(common.slice(0, 10))]));
    const similar = new LiveTextCorpus({ ...files, 'z.ts': textOf(common) }).similar('x.ts', textOf(common));
    assert.equal(similar.passages[0].passage.path, 'z.ts');
    assert.deepEqual([similar.total, similar.leftOut], [500, { documents: 101, windows: 0 }]);
  });

  test('compares a copy even if hundreds of documents contain part of the text more often', () => {
    const repeated = [...common, ...common, ...common];
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`${n}.ts`, textOf(repeated)]));
    const own = linesOf(300, 30);
    const live = new LiveTextCorpus({ ...files, 'z.ts': textOf([...common, ...own]) });
    const similar = live.similar('x.ts', textOf([...repeated, ...own]));
    assert.equal(similar.leftOut.documents, 101);
    assert.ok(placesOf(similar).includes('z.ts:1-50'), placesOf(similar).at(-1));
  });

  test('prefers documents with windows of the text to those with its phrases', () => {
    const { 'Planner.java': planner, 'planner.kt': port } = withoutWindows;
    const text = `${port}\n\n${textOf(common)}`;
    const copies = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${n}.kt`, textOf(common)]));
    const similar = new LiveTextCorpus({ ...copies, 'A.java': planner }).similar('x.kt', text);
    assert.equal(similar.total, 500);
    assert.deepEqual(similar.leftOut, { documents: 1, windows: 0 });
    assert.ok(placesOf(similar).every((place) => place.includes('.kt')));
    const few = new LiveTextCorpus({ '0.kt': textOf(common), 'A.java': planner }).similar('x.kt', text);
    assert.deepEqual(
      placesOf(few)
        .map((place) => place.split(':')[0])
        .sort(),
      ['0.kt', 'A.java'],
    );
  });

  test('returns results from chosen documents only', () => {
    const isWanted = (path: string): boolean => path !== 'a.ts';
    assert.deepEqual(placesOf(new LiveTextCorpus(documents).similar('x.ts', textOf(common), { isWanted })), [
      'b.ts:1-20',
    ]);
  });

  test('finds copies with other names, and edited copies down to the requested similarity', () => {
    const renamed = reader.replaceAll(/\b(?:entries|folder|found|queue)\b/g, 'my$&');
    const edited = reader.replace(
      'found.sort();',
      'found.sort((x, y) => compareNames(x.name, y.name));\n  log.info("read", found.length);',
    );
    const live = new LiveTextCorpus({ 'a.ts': renamed, 'b.ts': edited, 'c.ts': documents['c.ts'] });
    const found = live.similar('x.ts', reader);
    assert.deepEqual(
      found.passages.map(({ passage, type }) => [passage.path, type]),
      [
        ['a.ts', 'renamed'],
        ['b.ts', 'near'],
      ],
    );
    const strict = live.similar('x.ts', reader, { minSimilarity: 0.95 });
    assert.ok(strict.passages.every(({ similarity }) => similarity >= 0.95));
    assert.ok(found.passages.some(({ similarity }) => similarity < 0.95));
  });

  test('measures the nearest passage if there is no copy, and leaves no trace', () => {
    const live = new LiveTextCorpus({ 'a.ts': reader, 'c.ts': documents['c.ts'] });
    const copies = live.similar('x.ts', reader);
    const beginning = `${reader.split('\n').slice(0, 3).join('\n')}\n${textOf(linesOf(500, 12))}`;
    assert.equal(live.similar('x.ts', beginning).nearest, undefined);
    const { passages, nearest } = live.similar('x.ts', beginning, { explains: true });
    assert.deepEqual([passages.length, nearest && placeOf(nearest.passage)], [0, 'a.ts:1-3']);
    assert.deepEqual([nearest!.similarity, nearest!.lines, nearest!.textLines], [1, 3, { start: 1, end: 3 }]);
    const { minSimilarity, minTokens, minLines } = defaultOptions;
    assert.deepEqual(nearest!.required, { similarity: minSimilarity, tokens: minTokens, lines: minLines });
    assert.ok(nearest!.tokens > 15 && nearest!.tokens < minTokens, String(nearest!.tokens));
    assert.equal(live.similar('x.ts', textOf(linesOf(700, 12)), { explains: true }).nearest, undefined);
    assert.equal(live.similar('x.ts', reader, { explains: true }).nearest, undefined);
    assert.deepEqual(live.similar('x.ts', reader), copies);
  });

  /** Edit every window of a text in one place, by this many of its tokens. */
  test('accepts longer and shorter distances than those of the index', () => {
    const edited = common.map((line, n) => line.replace(`call${100 + n}`, `other.call${n}`));
    for (const ofIndex of [0, 1, 3, 7, 16]) {
      const live = new LiveTextCorpus(
        { ...documents, 'd.ts': textOf(edited) },
        { maxDistance: ofIndex, renamed: false },
      );
      const distances = [0, 1, 2, 3, 5, 8, 11, 14, 16].map((maxDistance) => {
        const similar = live.similar('x.ts', textOf(common), { maxDistance });
        const inEdited = similar.passages.filter(({ passage }) => passage.path === 'd.ts');
        for (const { distance } of similar.passages) assert.ok(distance <= maxDistance);
        assert.deepEqual(placesOf(similar).slice(0, 2), ['a.ts:31-50', 'b.ts:1-20']);
        return inEdited.length;
      });
      // The options of the index do not matter.
      const fresh = new LiveTextCorpus({ ...documents, 'd.ts': textOf(edited) }, { maxDistance: 16, renamed: false });
      assert.deepEqual(
        distances,
        [0, 1, 2, 3, 5, 8, 11, 14, 16].map(
          (maxDistance) =>
            fresh
              .similar('x.ts', textOf(common), { maxDistance })
              .passages.filter(({ passage }) => passage.path === 'd.ts').length,
        ),
      );
      assert.deepEqual([distances[0], distances.at(-1)], [0, 1]);
    }
  });

  test('finds prose, and code that a page quotes', () => {
    const sentence =
      'Every document has a name by which people know it, and the index keeps each of them apart from others. ';
    const page = (own: string): string =>
      `# ${own}\n\n${sentence.repeat(1)}When ${own} changes its text, all the windows that it had are taken out, and those that it has now are put in, one after the other.\n\nNothing else is read again, since no other document has become another by that.\n`;
    const live = new LiveTextCorpus({ 'a.md': page('one'), 'b.md': page('two'), 'c.ts': documents['b.ts'] });
    assert.deepEqual(
      live.similar('x.md', page('three')).passages.map(({ passage, kind }) => [passage.path, kind]),
      [
        ['a.md', 'prose'],
        ['b.md', 'prose'],
      ],
    );
    const fenced = live.similar('x.md', `Do this:\n\n~~~ts\n${textOf(common)}~~~\n`);
    assert.deepEqual(placesOf(fenced), ['c.ts:1-20']);
  });

  test('finds a function that was ported from one of the languages of the corpus', () => {
    const { 'Planner.java': planner, 'planner.kt': port } = withoutWindows;
    const pages = [
      'fun headings(pages: List<Page>, minSize: Int): String {',
      '    val visible = pages.filter { page -> page.size > minSize && !page.hidden }',
      '    if (visible.isEmpty()) return "no page"',
      '    return visible.sortedBy { page -> page.title }.joinToString(separator = ", ") { page -> page.title.trim() }',
      '}',
    ];
    const several = { 'Planner.java': planner, 'pages.kt': textOf(pages) };
    const crowd = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`copies/${i}.java`, planner]));
    for (const [documents, places] of [
      [several, ['Planner.java:6-21']],
      [{ ...several, ...crowd }, []],
      [{ 'Planner.java': planner }, ['Planner.java:6-21']],
    ] as const) {
      const live = new LiveTextCorpus(documents);
      const similar = live.similar('planner.kt', port);
      assert.deepEqual(placesOf(similar), places);
      for (const { distance } of similar.passages) assert.ok(distance < 64, String(distance));
      assert.deepEqual(placesOf(live.similar('planner.java', port)), [], 'lines in one language');
      const once = new TextCorpus({}, new Kernel(createMemory()), live.idfTable());
      for (const [path, text] of Object.entries(documents)) once.put(path, text);
      assert.deepEqual(once.similarOnce('planner.kt', port, {}), similar);
      const selected = new TextCorpus({}, new Kernel(createMemory()), live.idfTable());
      for (const [path, text] of Object.entries(documents)) selected.put(path, text);
      assert.deepEqual(placesOf(selected.similarOnce('planner.kt', port, {}, () => false)), []);
    }
  });

  test('finds the same as a scan with the text as a file, and leaves no trace', () => {
    let [expected, found, both] = [0, 0, 0];
    const memory = memoriesInTurn(3);
    fc.assert(
      fc.property(
        fc.array(document, { maxLength: 8, size: 'max' }),
        document,
        options,
        fc.array(steps, { maxLength: 3 }),
        fc.integer({ min: 0, max: 16 }),
        (first, [name, text], chosenOptions, history, maxDistance) => {
          const texts = new Map(first);
          const changes = { ...chosenOptions, minLines: 1 };
          const live = new LiveTextCorpus(Object.fromEntries(texts), changes, memory);
          const idfTable = live.idfTable();
          const query = `!${name.split('/').pop()!}`;
          const before = live.findings();
          const similar = live.similar(query, text);
          const used = live.kernel.usedBytes();
          for (let i = 0; i < 3; i++) assert.deepEqual(live.similar(query, text), similar);
          assert.equal(live.kernel.usedBytes(), used);
          assert.equal(JSON.stringify(live.findings()), JSON.stringify(before));
          const once = new TextCorpus(changes, new Kernel(memory()), idfTable);
          for (const [path, own] of texts) once.put(path, own);
          assert.deepEqual(once.similarOnce(query, text, { maxDistance }), live.similar(query, text, { maxDistance }));
          const scan = matchesOf({ ...Object.fromEntries(texts), [query]: text }, changes, idfTable);
          for (const match of scan.matches) {
            const [own, other] = scan.passagesOf(match);
            if (own.path !== query || other.path === query) continue;
            expected++;
            const share = shareInAny(other, similar.passages, texts.get(other.path)!);
            assert.ok(share >= 0.7, `${share}: ${placeOf(own)} ${placeOf(other)}`);
          }
          for (const { passage } of similar.passages) {
            found++;
            const isScanMatch = scan.matches.some((match) => {
              const [own, other] = scan.passagesOf(match);
              return own.path === query && shareIn(passage, other) >= 0.5;
            });
            if (isScanMatch) both++;
          }
          for (const step of history) {
            if (step.type !== 'put' && step.type !== 'remove' && step.type !== 'rename' && step.type !== 'edit')
              continue;
            for (const [path, now] of changesOf(step, texts)) {
              if (now === undefined) {
                texts.delete(path);
                live.remove(path);
              } else {
                texts.set(path, now);
                live.put(path, now);
              }
            }
            assert.deepEqual(live.findings(), findingsOf(Object.fromEntries(texts), changes, live.idfTable()));
            live.similar(query, text);
          }
        },
      ),
      { numRuns: scaled(150) },
    );
    assert.ok(expected > scaled(100), `only ${expected} pairs were expected`);
    // With more seeds and a lower minimum size than in a report, it finds more.
    assert.ok(both >= 0.9 * found, `only ${both} of ${found} are found by scans`);
  });
});
