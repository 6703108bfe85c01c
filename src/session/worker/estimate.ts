/**
 * Estimates the groups at stricter dial values from findings at looser ones, without comparing texts. The result is
 * approximate, because a scan also narrows passages, and so forms other groups. With a smaller distance, a scan may
 * also reject pairs, because it requires a higher score.
 */
import { dialNames, type DialValues } from '../../core/engine/dials.ts';
import type { Findings, Group, Pair, Passage } from '../../core/engine/report/report.ts';
import { withoutIgnored } from '../../review/gate/withoutIgnored.ts';

/** Returns true if no dial in `values` finds more than the same dial in `than`. */
export function isStricter(values: DialValues, than: DialValues): boolean {
  return dialNames.every((name) =>
    name.endsWith('axDistance') ? values[name] <= than[name] : values[name] >= than[name],
  );
}

/**
 * Returns the groups without the passages, and without the groups, that have no pair that meets the values. The pairs
 * of the remaining passages stay, even those that do not meet the values.
 *
 * @param values  stricter than the values of the findings
 */
export function estimatedGroups(findings: Pick<Findings, 'groups'>, values: DialValues): readonly Group[] {
  const groups = new Set<string>();
  const passages = new Map<string, readonly number[]>();
  const types = new Map<string, Group['type']>();
  for (const group of findings.groups) {
    const meets = pairTestFor(group, values);
    const pairs = meets ? group.pairs.filter(meets) : group.pairs;
    if (pairs.length === group.pairs.length) continue;
    if (pairs.length === 0) {
      groups.add(group.id);
      continue;
    }
    const kept = new Set(pairs.flatMap(({ a, b }) => [a, b]));
    passages.set(
      group.id,
      Array.from(group.passages.keys()).filter((place) => !kept.has(place)),
    );
    types.set(group.id, typeOf(group, pairs));
  }
  const left = withoutIgnored({ groups: findings.groups, files: [], folders: [] }, { groups, passages });
  return left.groups.map((group) => {
    const type = types.get(group.id) ?? group.type;
    return type === group.type ? group : { ...group, type };
  });
}

/** Returns the condition for pairs of a group. `undefined` for whole files, which no dial affects. */
function pairTestFor({ kind, passages }: Group, values: DialValues): ((pair: Pair) => boolean) | undefined {
  if (kind === 'file') return undefined;
  const isProse = kind === 'prose';
  const tokens = isProse ? values['prose.minWords'] : values.minTokens;
  // Prose has no minimum of lines, because a whole paragraph may be on one line.
  const lines = isProse ? 1 : values.minLines;
  const similarity = isProse ? values['prose.minSimilarity'] : values.minSimilarity;
  const distance = isProse ? values['prose.maxDistance'] : values.maxDistance;
  return (pair) => {
    const [a, b] = [passages[pair.a]!, passages[pair.b]!];
    return (
      pair.similarity >= similarity &&
      pair.distance <= distance &&
      Math.min(a.tokens, b.tokens) >= tokens &&
      Math.max(linesOf(a), linesOf(b)) >= lines
    );
  };
}

function linesOf({ startLine, endLine }: Passage): number {
  return endLine - startLine + 1;
}

/** Returns the type of a group that has only these pairs. */
function typeOf({ type }: Group, pairs: readonly Pair[]): Group['type'] {
  const types = new Set(pairs.map((pair) => pair.type ?? type));
  if (types.has('near')) return 'near';
  return types.has('renamed') ? 'renamed' : 'exact';
}
