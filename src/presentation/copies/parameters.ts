/**
 * Derives the parameters of a merged function from the holes in the shared text of copies. Holes with the same fillings
 * become one parameter. Proposes a name for each.
 */
import { append, setOf } from '../../core/collections/lists.ts';
import { isMember } from './declaredNames.ts';
import type { Hole, Template } from './antiUnify.ts';
import { type HoleKind, kindsOfHoles, type ParameterKind } from './holes.ts';
import { isReserved } from './reservedWords.ts';
import { onOneLine } from './tokens.ts';
import { parameterName, uniqueName } from './proposedNames.ts';

export interface Parameter {
  readonly name: string;
  readonly kind: HoleKind;
  /** For each copy, its text for the hole, with white space collapsed. Empty if the copy has no tokens there. */
  readonly fillings: readonly string[];
  /** Holes that this parameter replaces, in order. */
  readonly holes: readonly Hole[];
}

/** Kinds by precedence. A parameter for holes with the same fillings gets the first of their kinds. */
const deciding: readonly HoleKind[] = [
  'statements',
  'operators',
  'arguments',
  'variables',
  'type',
  'function',
  'value',
  'member',
];

/** Returns true if the copies' differences can be passed as a parameter of this kind. */
export function isParameter({ kind }: Pick<Parameter, 'kind'>): boolean {
  return (['value', 'function', 'type', 'member'] satisfies ParameterKind[] as readonly HoleKind[]).includes(kind);
}

/** Languages in which a string can select a member: `row[key]`. */
const withKeys = setOf('javascript javascriptreact lua php python ruby typescript typescriptreact vue svelte');

/**
 * Returns the parameters, in the order of their first holes.
 *
 * @param texts  text of each copy
 */
export function parametersOf(template: Template, texts: readonly string[], language = ''): Parameter[] {
  const { copies, holes } = template;
  const kinds = kindsOfHoles(template, language);
  const byFillings = new Map<string, FilledHole[]>();
  for (const [at, hole] of holes.entries()) {
    const kind = kinds[at]!;
    if (kind === 'layout') continue;
    const fillings = hole.fillings.map(({ start, end }, copy) =>
      onOneLine(texts[copy]!, copies[copy]!.slice(start, end)),
    );
    append(byFillings, keyOf(kind, fillings, language), { hole, kind, fillings });
  }
  const inHoles = new Set(
    holes.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)),
  );
  const inText = new Set(
    copies[0]!.flatMap(({ text }, at) => (inHoles.has(at) || isMember(copies[0]!, at) ? [] : [text])),
  );
  const taken = new Set<string>();
  return [...byFillings.values()].map((same): Parameter => {
    const own = same.map(({ hole }) => hole);
    const kind = deciding.find((one) => same.some((it) => it.kind === one))!;
    const { fillings } = same.find((it) => it.kind === kind)!;
    const sign = language === 'php' && kind !== 'type' ? '$' : '';
    const name = uniqueName(
      sign + parameterName(template, own, { kind, fillings }),
      { kind, fillings },
      (one) => inText.has(one) || isReserved(one, language),
      (one) => taken.has(one),
    );
    taken.add(name);
    return { name, kind, fillings, holes: own };
  });
}

interface FilledHole {
  readonly hole: Hole;
  readonly kind: HoleKind;
  readonly fillings: readonly string[];
}

/** Returns a key for holes of the same parameter: the same fillings, or a member's name, also as a string. */
function keyOf(kind: HoleKind, fillings: readonly string[], language: string): string {
  if (withKeys.has(language) && (kind === 'member' || kind === 'value')) {
    const names = fillings.map((filling) => /^(["'`]?)([\p{L}_$][\p{L}\p{N}_$]*)\1$/u.exec(filling));
    if (names.every((name) => name !== null && (kind === 'member' || name[1] !== '')))
      return JSON.stringify(['key', ...names.map((name) => name![2])]);
  }
  return JSON.stringify([kind === 'member', ...fillings]);
}
