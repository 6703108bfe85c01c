/** Functions that were ported to another language. */
import assert from 'node:assert/strict';
import { type Documents, findingsOf, groupsOf, placesOf } from '../corpusOf.ts';

const java = [
  'package depot;',
  '',
  'class Planner {',
  '  private int rounds;',
  '',
  '  public List<Lease> renewLeases(Registry registry, String owner, Duration patience) {',
  '    Map<String, Lease> renewed = new HashMap<>();',
  '    long deadline = clock.instant().plus(patience).toEpochMilli();',
  '    for (Lease lease : registry.leasesOf(owner)) {',
  '      if (lease.isExpired(deadline) && !lease.isPinned(owner)) {',
  '        registry.release(lease.key(), owner);',
  '        continue;',
  '      }',
  '      renewed.put(lease.key(), lease.renewedUntil(deadline));',
  '    }',
  '    if (renewed.isEmpty()) {',
  '      throw new MissingLeaseException("nothing left for " + owner);',
  '    }',
  '    journal.append(owner, renewed.size());',
  '    return new ArrayList<>(renewed.values());',
  '  }',
  '}',
];
const kotlin = [
  'package depot',
  '',
  'fun pause() = clock.sleep(20)',
  '',
  'fun renewLeases(registry: Registry, owner: String, patience: Duration): List<Lease> {',
  '    val renewed = mutableMapOf<String, Lease>()',
  '    val deadline = clock.instant().plus(patience).toEpochMilli()',
  '    for (lease in registry.leasesOf(owner)) {',
  '        if (lease.isExpired(deadline) && !lease.isPinned(owner)) {',
  '            registry.release(lease.key, owner)',
  '            continue',
  '        }',
  '        renewed[lease.key] = lease.renewedUntil(deadline)',
  '    }',
  '    if (renewed.isEmpty()) {',
  '        throw MissingLeaseException("nothing left for " + owner)',
  '    }',
  '    journal.append(owner, renewed.size)',
  '    return renewed.values.toList()',
  '}',
];
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
