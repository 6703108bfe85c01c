/** Functions that were ported to another language. */
import assert from 'node:assert/strict';
import { type Documents, findingsOf, groupsOf, LiveTextCorpus, placesOf } from '../corpusOf.ts';

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

const withoutWindows = {
  'Planner.java': java.join('\n').replaceAll('isPinned(owner)', 'isPinned()'),
  'planner.kt': kotlin.join('\n').replaceAll('isPinned(owner)', 'isPinned'),
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

  test('are not found if they share only their form', () => {
    const other = inOtherWords(kotlin.join('\n'));
    assert.deepEqual(placesIn({ 'Planner.java': java.join('\n'), 'loading.kt': other }), []);
  });

  test('are not found if most words are common, but in another order', () => {
    const [head, body] = [kotlin.slice(0, 5), kotlin.slice(5, 19)];
    const other = [...head, ...body.slice(7), ...body.slice(0, 7), '}'];
    assert.deepEqual(placesIn({ 'Planner.java': java.join('\n'), 'planner.kt': other.join('\n') }), []);
  });
});

function inOtherWords(text: string): string {
  return text.replace(/\w+/g, (word) => names[word] ?? word);
}

function placesIn(documents: Documents): string[][] {
  return groupsOf(documents).map((group) => [...placesOf(group)]);
}
