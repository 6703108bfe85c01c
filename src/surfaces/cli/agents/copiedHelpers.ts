/** Finds the functions that were copied most often, as a list for agents, which should call them instead. */
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import { lexiconForPath } from '../../../core/engine/languages/allLexicons.ts';
import {
  type CopiedFunction,
  copiedFunctions,
  sentenceAbove,
  typeWord,
} from '../../../presentation/wording/copiedFunctions.ts';
import { type Declaration, declarationsIn, lastName } from '../../../presentation/wording/declarations.ts';
import { homeOf } from '../../../presentation/wording/homeCopy.ts';
import { isSourcePath } from '../../../review/check/homeFacts.ts';
import type { NamedFunction } from './countUses.ts';

export interface Helper {
  /** Name of the function. For a static method, the name of its class comes first. */
  readonly name: string;
  readonly signature: string;
  /** Path of the copy that other code should call. */
  readonly path: string;
  /** First sentence of the function's comment; if there is none, a sentence about its copies. */
  readonly about: string;
}

/** A helper, its place, and its copies in other files. `about` is `undefined` if the function has no comment. */
export interface CopiedHelper extends Omit<Helper, 'about'> {
  readonly about: string | undefined;
  /** First line of the function, counted from 1. */
  readonly startLine: number;
  readonly copies: readonly Passage[];
}

/** Maximum number of groups to consider; four for each function that is listed. */
const maxCandidates = 40;
/** Maximum number of functions from one group. Otherwise, one long run of copied functions would fill the list. */
const maxOfGroup = 3;
/** Minimum similarity of the copies, as for notes of `kindred hook`. Less similar code is often just a pattern. */
const minAlike = 0.7;

/** Facts about the tree from which helpers are chosen. */
export interface HelperSource {
  /** Returns the lines of a file; `undefined` if it cannot be read. */
  readonly linesOf: (path: string) => readonly string[] | undefined;
  /** Returns true if a file is a symbolic link. Only links to files elsewhere are compared. */
  readonly isLink: (path: string) => boolean;
  /** Returns true if most lines of a passage are not committed. */
  readonly isNew: (passage: Passage) => boolean;
  /** Returns for each named function the number of other files that use it. */
  readonly countUses: (functions: readonly NamedFunction[]) => readonly number[];
}

/** A group of copies, and the functions in each copy. */
interface CopiedGroup extends Pick<Group, 'id' | 'passages' | 'tokens'> {
  readonly copies: readonly (readonly CopiedFunction[])[];
}

/**
 * Returns the functions that were copied to other files, most files first. Files with the same function name count
 * before files with different names. There are more than needed, because `kindred find` may not find the copies of
 * some.
 *
 * Variants in a single file are left out, because anyone who adds a variant sees the others.
 */
export function copiedHelpers(groups: readonly Group[], source: HelperSource): readonly CopiedHelper[] {
  const { linesOf } = source;
  const declaredIn = cachedDeclarations(linesOf);
  const functionsIn = (passage: Passage): CopiedFunction[] => {
    const { path } = passage;
    const lines = linesOf(path) ?? [];
    const declared = declaredIn(path);
    return copiedFunctions(passage, lines, lexiconForPath(path).id, declared).map((one) => ({
      ...one,
      isCallable: one.isCallable && !namesOwnType(one, lines, declared),
    }));
  };
  const copied = groups
    .filter(({ kind, category, similarity }) => kind === 'code' && category === 'source' && similarity >= minAlike)
    .map((group) => ({ ...group, files: new Set(group.passages.map(({ path }) => path)).size }))
    .filter(({ files }) => files > 1)
    .map((group) => ({ ...group, copies: group.passages.map(functionsIn) }))
    .filter(({ copies, passages }) =>
      copies.some((functions, at) => callableIn(functions).length > 0 && isHome(passages[at]!.path, source)),
    )
    .map((group) => ({ ...group, named: countNamed(group) }))
    .sort((a, b) => b.named - a.named || b.files - a.files || b.tokens - a.tokens || (a.id < b.id ? -1 : 1))
    .slice(0, maxCandidates);
  const uses = usesIn(copied, source);
  const helpers: CopiedHelper[] = [];
  const listed = new Set<string>();
  for (const [at, group] of copied.entries()) {
    const { passages, copies } = group;
    const home = homeIn(group, source, uses[at]!);
    if (home === undefined) continue;
    const { path } = passages[home]!;
    let ofGroup = 0;
    for (const one of callableIn(copies[home]!)) {
      const types = typesAround(one, declaredIn(path)).map(({ name }) => name);
      const name = [...types, one.name].join(withColons.has(lexiconForPath(path).id) ? '::' : '.');
      if (ofGroup === maxOfGroup || listed.has(name) || listed.has(keyOf(path, one))) continue;
      ofGroup++;
      listed.add(name);
      const signature = one.signature.replaceAll(/\(\s+/g, '(').replaceAll(/,?\s+\)/g, ')');
      const about = sentenceAbove(linesOf(path)!, one);
      const others = passages.filter((passage) => passage.path !== path);
      helpers.push({ name, signature, path, about, startLine: one.startLine, copies: others });
    }
    for (const [i, functions] of copies.entries()) {
      for (const one of functions) listed.add(keyOf(passages[i]!.path, one));
    }
  }
  return helpers;
}

/** Returns a function that finds the declarations of a file. It caches them, because many groups may share a file. */
function cachedDeclarations(linesOf: HelperSource['linesOf']): (path: string) => readonly Declaration[] {
  const declarationsByPath = new Map<string, readonly Declaration[]>();
  return (path) => {
    let declared = declarationsByPath.get(path);
    if (declared === undefined) {
      declared = declarationsIn(linesOf(path) ?? []);
      declarationsByPath.set(path, declared);
    }
    return declared;
  };
}

/** Returns for each copy of each group the number of files that use its functions. */
function usesIn(groups: readonly CopiedGroup[], { countUses }: HelperSource): number[][] {
  const all = groups.flatMap(({ passages, copies }, group) =>
    copies.flatMap((functions, copy) =>
      callableIn(functions).map(({ name }) => ({ group, copy, name, path: passages[copy]!.path })),
    ),
  );
  const uses = groups.map(({ copies }) => copies.map(() => 0));
  for (const [at, count] of countUses(all).entries()) {
    const { group, copy } = all[at]!;
    uses[group]![copy]! += count;
  }
  return uses;
}

/** Languages in which a static member follows its class after `::`. */
const withColons = new Set(['php', 'cpp']);

/** Returns the declarations of the types that contain a function, outermost first. */
function typesAround(one: Declaration, declared: readonly Declaration[]): Declaration[] {
  return declared.filter(
    (outer) => typeWord.test(outer.signature) && outer.startLine < one.startLine && outer.endLine >= one.endLine,
  );
}

/**
 * Returns true if a method mentions the type around it, as `instance` of a singleton or `fromJson` of a record does. If
 * many types have such a method, no type can use the method of another type.
 */
function namesOwnType(one: Declaration, lines: readonly string[], declared: readonly Declaration[]): boolean {
  const words = new Set(
    lines
      .slice(one.startLine - 1, one.endLine)
      .join('\n')
      .match(/[\p{L}\p{N}_$]+/gu),
  );
  return typesAround(one, declared)
    .map(lastName)
    .some((type) => words.has(type) || words.has(`${type[0]!.toLowerCase()}${type.slice(1)}Instance`));
}

/** Returns the index of the copy to call (see `homeOf`). Returns `undefined` if there is none. */
function homeIn({ passages, copies }: CopiedGroup, source: HelperSource, uses: readonly number[]): number | undefined {
  const facts = passages.map((passage, at) => ({
    isSource: isHome(passage.path, source),
    callable: callableIn(copies[at]!).length,
    isNew: source.isNew(passage),
    uses: uses[at]!,
    isDocumented: copies[at]!.some((one) => sentenceAbove(source.linesOf(passage.path)!, one) !== undefined),
  }));
  const home = homeOf(facts);
  return facts[home]!.isSource && facts[home]!.callable > 0 ? home : undefined;
}

/** Returns true if other files may call functions in a file: it is source, and not a link to a file elsewhere. */
function isHome(path: string, { isLink }: HelperSource): boolean {
  return isSourcePath(path, lexiconForPath(path).prose === true) && !isLink(path);
}

function callableIn(functions: readonly CopiedFunction[]): CopiedFunction[] {
  return functions.filter((one) => one.isCallable);
}

/** Returns the number of files that contain the most frequent function name; 0 if all function names are different. */
function countNamed({ passages, copies }: CopiedGroup): number {
  const files = new Map<string, Set<string>>();
  for (const [at, functions] of copies.entries()) {
    for (const { name } of functions) files.set(name, (files.get(name) ?? new Set()).add(passages[at]!.path));
  }
  const maxSize = Math.max(0, ...[...files.values()].map(({ size }) => size));
  return maxSize > 1 ? maxSize : 0;
}

function keyOf(path: string, { startLine }: Declaration): string {
  return `${path}:${startLine}`;
}
