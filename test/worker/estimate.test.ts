/** Estimates of rows at stricter dial values, compared with real scans. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { type DialName, dials, dialValues, type DialValues, withDialValues } from '../../src/core/engine/dials.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import type { Findings, Group } from '../../src/core/engine/report/report.ts';
import { estimatedGroups, isStricter } from '../../src/session/worker/estimate.ts';
import { findingsOf } from '../engine/corpusOf.ts';

const inForce = dialValues(defaultOptions);

suite('estimates of stricter settings', () => {
  let found: Findings;

  suiteSetup(() => {
    found = scanWith(inForce);
  });

  test('are the findings themselves for their own values', () => {
    assert.deepEqual(estimatedGroups(found, inForce), found.groups);
    assert.ok(found.groups.length > 30, `${found.groups.length} groups`);
  });

  test('contain exactly the groups with a pair that meets all values, and only lose groups', () => {
    const stopsOf = (name: DialName): readonly number[] => dials.find((dial) => dial.name === name)!.stops;
    const values = fc.record(
      Object.fromEntries(
        dials.map(({ name }) => [
          name,
          fc.constantFrom(...stopsOf(name).filter((stop) => isStricter({ ...inForce, [name]: stop }, inForce))),
        ]),
      ),
    ) as fc.Arbitrary<DialValues>;
    fc.assert(
      fc.property(values, values, (some, others) => {
        const estimate = estimatedGroups(found, some);
        const kept = new Map(estimate.map((group) => [group.id, group]));
        for (const { id, kind, pairs, passages } of found.groups) {
          const meets = pairs.some(({ a, b, similarity, distance }) => {
            const sizes = [a, b].map((place) => passages[place]);
            const lines = Math.max(...sizes.map(({ startLine, endLine }) => endLine - startLine + 1));
            const tokens = Math.min(...sizes.map((passage) => passage.tokens));
            if (kind === 'file') return true;
            return kind === 'prose'
              ? similarity >= some['prose.minSimilarity'] &&
                  tokens >= some['prose.minWords'] &&
                  distance <= some['prose.maxDistance']
              : similarity >= some.minSimilarity &&
                  tokens >= some.minTokens &&
                  lines >= some.minLines &&
                  distance <= some.maxDistance;
          });
          assert.equal(kept.has(id), meets, id);
        }
        // Two steps lead to the groups of one step.
        const both = Object.fromEntries(
          dials.map(({ name }) => [
            name,
            isStricter({ ...inForce, [name]: some[name] }, { ...inForce, [name]: others[name] })
              ? some[name]
              : others[name],
          ]),
        ) as DialValues;
        const inTwo = estimatedGroups({ ...found, groups: estimate }, both);
        const inOne = estimatedGroups(found, both);
        assert.deepEqual(
          inTwo.filter(({ pairs }) => pairs.length === 1).map(({ id }) => id),
          inOne.filter(({ pairs }) => pairs.length === 1).map(({ id }) => id),
        );
        assert.ok(inTwo.length <= estimate.length);
      }),
      { numRuns: scaled(40) },
    );
  });

  test('differ little from the rows of a scan', () => {
    const stops: [DialName, number][] = [
      ['minLines', 8],
      ['minLines', 15],
      ['minTokens', 60],
      ['minTokens', 100],
      ['minSimilarity', 0.65],
      ['minSimilarity', 0.8],
      ['maxDistance', 1],
      ['prose.minWords', 150],
      ['prose.minSimilarity', 0.8],
    ];
    let isLess = false;
    for (const [name, stop] of stops) {
      const values = { ...inForce, [name]: stop };
      const estimate = passageGroups(estimatedGroups(found, values));
      const real = passageGroups(scanWith(values).groups);
      assert.ok(Math.abs(estimate - real) <= Math.max(3, real * 0.15), `${name} ${stop}: ${estimate} of ${real}`);
      isLess ||= real < found.groups.length / 2;
    }
    assert.ok(isLess);
  });
});

function scanWith(values: DialValues): Findings {
  return findingsOf(documents, withDialValues(defaultOptions, values));
}

/** Returns the number of groups of passages. No dial affects whole files. */
function passageGroups(groups: readonly Group[]): number {
  return groups.filter(({ kind }) => kind !== 'file').length;
}

/**
 * Copies of functions and of paragraphs in files of their own, of many lengths, with none to a third of lines edited.
 */
const documents = Object.fromEntries(
  Array.from({ length: 30 }, (_, origin) => origin).flatMap((origin) => {
    const isProse = origin % 5 === 4;
    const length = 5 + ((origin * 7) % 31);
    return [0, 1, 2].map((copy) => {
      const edited = copy === 0 ? 0 : (origin * copy) % 4;
      const lines = Array.from({ length }, (_, line) => {
        const isEdited = (line * 5 + origin + copy) % 12 < edited;
        const own = isEdited ? `${origin}x${copy}x${line}` : `${origin}x${line}`;
        return isProse ? sentenceOf(own) : statementOf(own, origin + line * (isEdited ? copy + 2 : 1));
      });
      const text = isProse ? lines.join(' ') : `export function origin${origin}(given) {\n${lines.join('\n')}\n}`;
      return [`${isProse ? 'docs' : 'src'}/${copy}/${origin}.${isProse ? 'md' : 'ts'}`, `${text}\n`];
    });
  }),
);

function statementOf(own: string, form: number): string {
  return [
    `  const total${own} = given.read${own}(limit, ${form});`,
    `  if (given.size${own} > ${form} && limit) throw new Error("too many ${own}");`,
    `  for (const entry${own} of given.list${own}) queue.push(entry${own}.name, ${form});`,
    `  given.set${own}(await fetch${own}(given.url, [${form}]));`,
  ][form % 4];
}

function sentenceOf(own: string): string {
  return `The parcel ${own} is kept in room ${own} for a week, and then carrier${own} brings it back to the shop.`;
}
