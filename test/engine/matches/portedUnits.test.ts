/** Functions that were ported to another language. */
import assert from 'node:assert/strict';
import { type Documents, findingsOf, groupsOf, LiveTextCorpus, placesOf } from '../corpusOf.ts';
import { java, kotlin, withoutWindows } from './portedTexts.ts';

/** Other words for those of the Kotlin function. */
const names: Readonly<Record<string, string>> = {
  renewLeases: 'collectParcels',
  registry: 'harbor',
  Registry: 'Harbor',
  owner: 'vessel',
  patience: 'limit',
  Duration: 'Weight',
  Lease: 'Parcel',
  renewed: 'loaded',
  deadline: 'maximum',
  clock: 'scale',
  instant: 'reading',
  plus: 'minus',
  toEpochMilli: 'toKilograms',
  lease: 'parcel',
  leasesOf: 'parcelsOn',
  isExpired: 'isHeavier',
  isPinned: 'isFragile',
  release: 'unload',
  key: 'label',
  renewedUntil: 'weighedAt',
  isEmpty: 'hasNone',
  MissingLeaseException: 'EmptyHoldException',
  journal: 'manifest',
  append: 'note',
  size: 'count',
  values: 'items',
  toList: 'sorted',
};

suite('functions ported to another language', () => {
  test('are found from Java to Kotlin', () => {
    assert.deepEqual(placesIn({ 'Planner.java': java.join('\n'), 'planner.kt': kotlin.join('\n') }), [
      ['Planner.java:6-21', 'planner.kt:5-20'],
    ]);
  });

  test('are found although no window of both is alike', () => {
    assert.deepEqual(placesIn(withoutWindows), [['Planner.java:6-21', 'planner.kt:5-20']]);
  });

  test('are found in a live corpus, also if the second language is new', () => {
    const { 'Planner.java': planner, 'planner.kt': port } = withoutWindows;
    const documents: Record<string, string> = { 'Planner.java': planner };
    const live = new LiveTextCorpus(documents);
    const check = (path: string, text: string, groups: number): void => {
      documents[path] = text;
      live.put(path, text);
      const findings = live.findings();
      assert.deepEqual(findings, findingsOf(documents, {}, live.idfTable()));
      assert.equal(findings.groups.length, groups);
    };
    check('planner.kt', 'fun pause() = clock.sleep(20)', 0);
    check('planner.kt', port, 1);
    const { updates } = live;
    check('planner.kt', inOtherWords(port), 0);
    check('planner.kt', `val rounds = 4\n${port}`, 1);
    // Phrases of more than eight lines are not linked.
    for (let copy = 0; copy < 9; copy++) check(`copies/${copy}.java`, planner, 2);
    assert.equal(live.updates, updates + 11);
  });

  test('are not searched for by phrases in C++ and its headers', () => {
    const [planner, port] = Object.values(withoutWindows);
    assert.deepEqual(placesIn({ 'planner.h': planner, 'planner.kt': port }), [['planner.h:6-21', 'planner.kt:5-20']]);
    assert.deepEqual(placesIn({ 'planner.h': planner, 'planner.cc': port }), []);
  });

  test('are not found if they share only their form', () => {
    const other = inOtherWords(kotlin.join('\n'));
    assert.deepEqual(placesIn({ 'Planner.java': java.join('\n'), 'loading.kt': other }), []);
  });

  test('are not found if fewer than .55 of the words are common', () => {
    assert.deepEqual(placesWithout(['lease', 'renewed', 'owner']), [['Planner.java:6-21', 'planner.kt:5-20']]);
    assert.deepEqual(placesWithout(['lease', 'renewed', 'deadline', 'owner', 'registry']), []);
  });

  test('are not found if their common words have fewer than 60 bits', () => {
    // They share 22 or 23 words.
    assert.deepEqual(placesWithout(['lease', 'renewed', 'owner'], 2.5), []);
    assert.deepEqual(placesWithout(['lease', 'renewed', 'owner'], 2.75), [['Planner.java:6-21', 'planner.kt:5-20']]);
  });
});

/**
 * Returns the places in the Java function and in a port without some of its words.
 *
 * @param bits  weight of each word
 */
function placesWithout(words: readonly string[], bits = 8): string[][] {
  const other = kotlin.map((line) => line.replace(/\w+/g, (word) => (words.includes(word) ? names[word] : word)));
  const documents = { 'Planner.java': java.join('\n'), 'planner.kt': other.join('\n') };
  const table = new Uint8Array(2 ** 20).fill(16 * bits);
  return findingsOf(documents, {}, table).groups.map((group) => placesOf(group));
}

function inOtherWords(text: string): string {
  return text.replace(/\w+/g, (word) => names[word] ?? word);
}

function placesIn(documents: Documents): string[][] {
  return groupsOf(documents).map((group) => [...placesOf(group)]);
}
