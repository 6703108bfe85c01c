/**
 * An index of many patterns, of which only a few can match a given name. Most patterns end in a fixed name or
 * extension, by which the index finds them. Without it, long lists would be slow, because every file of a tree is
 * compared with them.
 */
import { append } from '../../core/collections/lists.ts';
import { hasWildcards, lastPartOf, type PathPattern } from './pathPattern.ts';

interface RulePattern {
  readonly pattern: PathPattern;
}

/** A pattern whose last segment contains wildcards, and the longest text without wildcards in that segment. */
interface WildPattern {
  readonly place: number;
  readonly text: string;
}

export class PatternIndex<Rule extends RulePattern> {
  /** Total length of the patterns with wildcards, to which the cost of a lookup is proportional. */
  readonly wildcardSigns: number;
  readonly #rules: readonly Rule[];
  /** Ascending indexes of the rules that end in a fixed name (`#byName`), and of those that end in `*.extension`. */
  readonly #byName = new Map<string, number[]>();
  readonly #byEnding = new Map<string, number[]>();
  readonly #others: WildPattern[] = [];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    let wildcardSigns = 0;
    for (const [place, { pattern }] of rules.entries()) {
      if (hasWildcards(pattern)) wildcardSigns += pattern.tokens.length;
      const part = lastPartOf(pattern);
      if (part.type === 'name') append(this.#byName, part.name, place);
      else if (/^\.[^.]+$/.test(part.ending)) append(this.#byEnding, part.ending, place);
      else this.#others.push({ place, text: part.longest });
    }
    this.wildcardSigns = wildcardSigns;
  }

  get size(): number {
    return this.#rules.length;
  }

  /** Returns the last rule for which `matches` returns true, and whose pattern may match a last segment `name`. */
  lastFor(name: string, matches: (rule: Rule) => boolean): Rule | undefined {
    let best = -1;
    const dot = name.lastIndexOf('.');
    for (const places of [this.#byName.get(name), dot < 0 ? undefined : this.#byEnding.get(name.slice(dot))]) {
      if (places === undefined) continue;
      for (let i = places.length - 1; i >= 0 && places[i]! > best; i--) {
        if (matches(this.#rules[places[i]!]!)) best = places[i]!;
      }
    }
    for (let i = this.#others.length - 1; i >= 0; i--) {
      const { place, text } = this.#others[i]!;
      if (place < best) break;
      if (name.includes(text) && matches(this.#rules[place]!)) {
        best = place;
        break;
      }
    }
    return this.#rules[best];
  }
}
