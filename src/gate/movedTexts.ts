/**
 * Whether a passage is one that was moved and edited a little, or that begins a line earlier in its new place: by what the two
 * texts have in common. Only passages that are gone from their places come into question, which are few.
 */
import type { Passage } from '../engine/report/report.ts';

/** The lines of a file, of the base or of now; undefined when they cannot be had. */
export type LinesOf = (path: string) => readonly string[] | undefined;

/** Words or signs in a shingle: as many as the engine takes of code. */
const shingleSize = 4;
/** Two passages that resemble each other have one of so many least hashes in common, almost always. */
const leastHashes = 16;
/** The share of all shingles of two passages that both have, for one to be the other. */
const leastResemblance = 0.6;

/** Passages that are gone, to be found by what they said. */
export class GoneTexts<Item> {
  readonly #byHash = new Map<number, { readonly item: Item; readonly shingles: ReadonlySet<number> }[]>();

  add(item: Item, passage: Passage, linesOf: LinesOf): void {
    const shingles = shinglesOf(passage, linesOf);
    for (const hash of leastOf(shingles)) {
      const others = this.#byHash.get(hash);
      if (others) others.push({ item, shingles });
      else this.#byHash.set(hash, [{ item, shingles }]);
    }
  }

  /** Those that a passage resembles, each once, with their resemblance. */
  like(passage: Passage, linesOf: LinesOf): ReadonlyMap<Item, number> {
    const shingles = shinglesOf(passage, linesOf);
    const found = new Map<Item, number>();
    const seen = new Set<Item>();
    for (const hash of leastOf(shingles)) {
      for (const { item, shingles: others } of this.#byHash.get(hash) ?? []) {
        if (seen.has(item)) continue;
        seen.add(item);
        const resemblance = resemblanceOf(shingles, others);
        if (resemblance >= leastResemblance) found.set(item, resemblance);
      }
    }
    return found;
  }
}

function shinglesOf({ path, startLine, endLine }: Passage, linesOf: LinesOf): ReadonlySet<number> {
  const text =
    linesOf(path)
      ?.slice(startLine - 1, endLine)
      .join('\n') ?? '';
  const tokens = text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
  const shingles = new Set<number>();
  for (let at = 0; at + shingleSize <= tokens.length; at++) {
    shingles.add(hashOf(tokens.slice(at, at + shingleSize).join(' ')));
  }
  return shingles;
}

/** FNV-1a, with the bits mixed: which hashes are least must not depend on how texts begin. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function leastOf(shingles: ReadonlySet<number>): number[] {
  return [...shingles].sort((x, y) => x - y).slice(0, leastHashes);
}

function resemblanceOf(x: ReadonlySet<number>, y: ReadonlySet<number>): number {
  let common = 0;
  for (const shingle of x) if (y.has(shingle)) common++;
  return common / Math.max(1, x.size + y.size - common);
}
