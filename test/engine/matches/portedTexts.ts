/** A function in Java, and its port to Kotlin. */

export const java = [
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

export const kotlin = [
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
/** Both texts, changed so that no window of one is near a window of the other. */
export const withoutWindows = {
  'Planner.java': java.join('\n').replaceAll('isPinned(owner)', 'isPinned()'),
  'planner.kt': kotlin.join('\n').replaceAll('isPinned(owner)', 'isPinned'),
};
