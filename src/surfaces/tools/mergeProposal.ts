/**
 * Proposes how to merge copies into a function: their shared text with a parameter for each difference, signatures, and
 * obstacles. There is no parser, so the proposal is a draft for a person or an agent.
 */
import { add, setOf } from '../../core/collections/lists.ts';
import { antiUnify, type Template } from '../../presentation/copies/antiUnify.ts';
import { isAssigned } from '../../presentation/copies/declaredNames.ts';
import type { HoleKind } from '../../presentation/copies/holes.ts';
import { isParameter, type Parameter, parametersOf } from '../../presentation/copies/parameters.ts';
import { textWithParameters } from '../../presentation/copies/shownTemplate.ts';
import { signaturesOf } from './mergeSignatures.ts';
import { type CopyInFile, maxParameters } from './mergeStatements.ts';

export interface MergeProposal {
  /** Lines of the first copy, with ⟨name⟩ in place of each parameter. */
  readonly template: readonly string[];
  readonly parameters: readonly Pick<Parameter, 'name' | 'kind' | 'fillings'>[];
  /** Signatures of the merged functions. Empty if there are obstacles. */
  readonly signatures: readonly string[];
  readonly obstacles: readonly Obstacle[];
  /** Total number of lines of all copies, minus the lines of the merged text and its calls. At least 0. */
  readonly savedLines: number;
}

/**
 * Reason why copies cannot be merged into a function without changes. `blocks`: the copies begin or end inside a block.
 * `returns`: they return from the function that contains them. `results`: they set more variables than a function can
 * return. `parameters`: too many parameters would be needed. `types`: the language has no type parameters, or not for
 * this use. `members`: the language cannot pass these members.
 */
export interface Obstacle {
  readonly kind:
    | Exclude<HoleKind, 'value' | 'function' | 'type' | 'member' | 'layout'>
    | 'blocks'
    | 'returns'
    | 'results'
    | 'parameters'
    | 'types'
    | 'members';
  /** Lines with the obstacle in the first copy's file, ascending. */
  readonly lines: readonly number[];
}

const withoutFunctions = setOf(
  'asm json jsonc yaml toml ini properties css less html xml svg markdown plaintext unknown ignore dockerfile po graphql proto3 latex cmake meson makefile nginx puppet terraform nix',
);
/** Languages in which a member cannot be set by a key. */
const withoutKeys = setOf('c cpp csharp go java kotlin objective-c rust scala swift zig');
/** Languages whose type parameters cannot be primitive types. */
const withoutPrimitives = setOf('java apex');
const withoutGenerics = setOf('c objective-c glsl');

/**
 * Returns a proposal for merging copies. Returns `undefined` if the language has no functions, or if the copies are
 * declarations outside of functions.
 *
 * @param copies    at least two, all of them code
 * @param language  VS Code id of the language
 */
export function mergeProposal(copies: readonly CopyInFile[], language = ''): MergeProposal | undefined {
  if (withoutFunctions.has(language)) return undefined;
  const [first] = copies;
  const texts = copies.map(({ lines, startLine, endLine }) => lines.slice(startLine - 1, endLine).join('\n'));
  const template = antiUnify(texts, language);
  const proposed = parametersOf(template, texts, language);
  const merged = signaturesOf(template, proposed, copies, language);
  if (merged === undefined) return undefined;
  const { parameters, signatures, names, obstacles: others } = merged;
  const lineOf = (at: number): number => first!.startLine + (template.copies[0]![at]?.line ?? 0);
  const obstacles = new Map<Obstacle['kind'], Set<number>>();
  const addObstacle = (kind: Obstacle['kind'], at: number): void => add(obstacles, kind, lineOf(at));
  for (const parameter of parameters) {
    const kind = obstacleOf(parameter, template, language);
    if (kind) for (const { start } of parameter.holes) addObstacle(kind, start);
  }
  for (const { kind, at } of others) addObstacle(kind, at);
  if (parameters.length > maxParameters) addObstacle('parameters', 0);
  return {
    template: shownTemplate(template, parameters, names).split('\n'),
    parameters: parameters.map(({ name, kind, fillings }) => ({ name, kind, fillings })),
    signatures: obstacles.size > 0 ? [] : signatures,
    obstacles: [...obstacles].map(([kind, lines]) => ({ kind, lines: [...lines].sort((x, y) => x - y) })),
    savedLines: savedLines(template, parameters, copies),
  };
}

/** Returns the kind of obstacle if a parameter cannot be passed to a function; otherwise `undefined`. */
function obstacleOf(
  { kind, fillings, holes }: Parameter,
  { copies }: Template,
  language: string,
): Obstacle['kind'] | undefined {
  if (!isParameter({ kind })) return kind as Obstacle['kind'];
  if (kind === 'member') {
    const isSet = holes.some(({ end }) => isAssigned(copies[0]!, end - 1));
    // The name of a private member cannot be passed: `this.#name`.
    const isPrivate = holes.some(({ start }) => copies[0]![start - 1]?.text === '#');
    // Otherwise, the caller can pass a function that reads the member, except in C, which has no anonymous functions.
    return isPrivate || language === 'c' || (isSet && withoutKeys.has(language)) ? 'members' : undefined;
  }
  if (kind !== 'type') return undefined;
  const hasPrimitive = withoutPrimitives.has(language) && fillings.some((filling) => /^\p{Ll}+$/u.test(filling));
  return withoutGenerics.has(language) || hasPrimitive ? 'types' : undefined;
}

function shownTemplate(
  template: Template,
  parameters: readonly Parameter[],
  names: ReadonlyMap<string, string>,
): string {
  return textWithParameters(template, parameters, {
    from: 0,
    to: template.text.length,
    names,
    mark: (name) => `⟨${name}⟩`,
  });
}

/**
 * Returns the number of lines that merging would save. Assumes that each copy becomes a call on one line, and keeps the
 * statements that no other copy has.
 */
function savedLines(template: Template, parameters: readonly Parameter[], copies: readonly CopyInFile[]): number {
  const [kept = 0] = copies.map(({ startLine, endLine }) => endLine - startLine + 1);
  const all = copies.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0);
  const apart = parameters
    .filter((parameter) => !isParameter(parameter))
    .flatMap(({ holes }) => holes)
    .flatMap(({ fillings }) => fillings.map(({ start, end }, copy) => ({ start, end, tokens: template.copies[copy]! })))
    .reduce(
      (sum, { start, end, tokens }) => sum + (end > start ? tokens[end - 1]!.line - tokens[start]!.line + 1 : 0),
      0,
    );
  return Math.max(0, all - kept - copies.length - apart);
}
