/** Functions that were ported to another language. */
import assert from 'node:assert/strict';
import { type Documents, groupsOf, placesOf } from '../corpusOf.ts';

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
    const other = kotlin.map((line) => line.replace(/\w+/g, (word) => names[word] ?? word));
    assert.deepEqual(placesIn({ 'Planner.java': java.join('\n'), 'loading.kt': other.join('\n') }), []);
  });

  test('are not found if most words are common, but in another order', () => {
    const [head, body] = [kotlin.slice(0, 5), kotlin.slice(5, 19)];
    const other = [...head, ...body.slice(7), ...body.slice(0, 7), '}'];
    assert.deepEqual(placesIn({ 'Planner.java': java.join('\n'), 'planner.kt': other.join('\n') }), []);
  });
});

function placesIn(documents: Documents): string[][] {
  return groupsOf(documents).map((group) => [...placesOf(group)]);
}
