/** Tool `get_duplicate`: returns all copies of a duplicate, with texts and differences. */
import type { Report } from '../../session/client/report.ts';
import type { Group } from '../../core/engine/report/report.ts';
import { type Access, type IndexNote, reportFor, type ToolAnswer } from './access.ts';
import { copiesOf, type CopySources, type Difference, maxCharacters, type ShownCopy } from './copyTexts.ts';
import { homeFirst } from './homeFirst.ts';
import type { Obstacle } from './mergeProposal.ts';
import { placeIn } from './places.ts';
import { type InputSchema, limitSchema } from './schemas.ts';
import { sharedPart } from './sharedPart.ts';
import { mergeOf, type ShownMerge } from './shownMerge.ts';
import { type DuplicateSummary, summaryOf } from './summaryOf.ts';

export interface GetDuplicateInput {
  readonly id: string;
  readonly limit?: number;
}

const defaultLimit = 10;

export const getDuplicateInput: InputSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'From list_duplicates, find_similar or check_changes.' },
    limit: limitSchema('copies with text', 50, defaultLimit),
  },
  required: ['id'],
  additionalProperties: false,
};

export interface GetDuplicateData extends DuplicateSummary {
  readonly total: number;
  /**
   * Differences of the other copies from the first one, which is the one to keep (see `homeOf`). They precede the
   * texts, because clients truncate long answers.
   */
  readonly differences: readonly (Pick<ShownCopy, 'place'> & Difference)[];
  /**
   * Proposal for merging the copies into a function. Missing if the copies are not code or cannot be merged, or if
   * `part` has further copies, which should be merged as well.
   */
  readonly merge?: (Omit<ShownMerge, 'obstacles'> & { readonly obstacles: readonly string[] }) | undefined;
  readonly copies: readonly Pick<ShownCopy, 'place' | 'text' | 'isCut'>[];
  /** Places of copies whose texts are not included. */
  readonly places: readonly string[];
  /** Number of copies that are not mentioned at all. */
  readonly leftOut: { readonly copies: number };
  /** Reason that the user gave for ignoring the duplicate. Missing if it is not ignored. */
  readonly ignored?: string | undefined;
  /** Id of the larger duplicate that this one is part of. */
  readonly isIn?: string | undefined;
  /** Ids of smaller duplicates inside this one. */
  readonly contains: readonly string[];
  readonly index: IndexNote;
  readonly next: string;
}

/** Maximum number of ids, and maximum number of places without text. */
const maxNamed = 100;

export async function getDuplicate(
  access: Access,
  { id, limit = defaultLimit }: GetDuplicateInput,
): Promise<ToolAnswer<GetDuplicateData>> {
  const state = await reportFor(access, 'thorough');
  if ('problem' in state) return state;
  const { all, found } = state.report;
  const hasId = (one: Group): boolean => one.id === id;
  const group = all.find(hasId) ?? found.all.find(hasId);
  if (group === undefined) {
    return {
      problem: `There is no duplicate ${id}: it was removed, or changed by an edit. Call list_duplicates.`,
    };
  }
  const shared = sharedPart(group, state.report);
  const complete = await homeFirst(shared?.part ?? group, access);
  const shownGroup = shared === undefined ? complete : inOrderOf(complete, shared.here);
  const { passages } = shownGroup;
  const hasMore = passages.length < complete.passages.length;
  const sources: CopySources = {
    textOf: (path) => access.textOf(path),
    languageOf: (path) => access.languageOf(path),
    withTexts: true,
    leftOut: (lines) => `… lines left out: ${lines} …`,
  };
  const shown = hasMore ? undefined : await mergeOf(shownGroup, sources, limit);
  const merge = shown && { ...shown, obstacles: shown.obstacles.map(obstacleSentence) };
  const room = maxCharacters - JSON.stringify(merge ?? '').length;
  const copies = await copiesOf(shownGroup, { ...sources, room }, limit);
  const others = passages.slice(copies.length);
  const ignored = ignoredReason(state.report, group);
  const contains = all.flatMap((one) => (one.parent === id ? [one.id] : [])).slice(0, maxNamed);
  const advice = hasMore ? adviceForPart(complete) : nextOf(shownGroup, shown, contains);
  return {
    data: {
      ...summaryOf(group, shared),
      total: passages.length,
      differences: copies.flatMap(({ place, difference }) => (difference ? [{ place, ...difference }] : [])),
      merge,
      copies: copies.map(({ place, text, isCut }) => ({ place, text, isCut })),
      places: others.slice(0, maxNamed).map((passage) => placeIn(shownGroup, passage)),
      leftOut: { copies: Math.max(0, others.length - maxNamed) },
      ignored: ignored && (ignored.reason ?? 'no reason is given'),
      isIn: group.parent,
      contains,
      index: state.index,
      next: ignored === undefined ? advice : 'It is intended: leave it unchanged.',
    },
  };
}

/** Returns the reason that the user gave for ignoring a group; `undefined` if the group is not ignored. */
function ignoredReason({ judgement }: Report, { id }: Group): { readonly reason: string | undefined } | undefined {
  const source = judgement.sources.find(({ groups }) => groups.includes(id));
  return source && { reason: source.by === 'comment' ? source.region.reason : source.entry.reason };
}

/** Returns a group with its passages in the order that they have in another group. */
function inOrderOf({ passages }: Group, group: Group): Group {
  return { ...group, passages: passages.filter((passage) => group.passages.includes(passage)) };
}

/** Returns advice for files that share a passage with other files. The home is the first copy. */
function adviceForPart(part: Group): string {
  const { id, passages } = part;
  return `This passage has ${passages.length} copies, also in other files: merge all of them, as get_duplicate ${id} shows, and keep ${placeIn(part, passages[0]!)}.`;
}

/** Returns advice for the reader. The home is the first copy. */
function nextOf(group: Group, merge: ShownMerge | undefined, contains: readonly string[]): string {
  const { type, passages, kind } = group;
  const home = placeIn(group, passages[0]!);
  const others = passages.length > 2 ? `the ${passages.length - 1} other places` : 'the other place';
  const inStep = 'apply each edit of one copy to all';
  if (kind === 'file' && type === 'exact') return `Keep ${home}, and use it from ${others}.`;
  if (kind === 'file') {
    return contains.length > 0
      ? `These files share no passage that is in all of them: merge the passages that some of them share, see contains.`
      : `These files are alike, but share no passage that is long enough to merge: leave them, and ${inStep}.`;
  }
  if (merge === undefined) {
    return type === 'exact'
      ? `Keep ${home}, and use it in ${others}; until then, ${inStep}.`
      : `Keep what they have in common in ${home}, and refer to it from ${others}; until then, ${inStep}.`;
  }
  if (merge.obstacles.length > 0) {
    return `One function cannot replace them as they are: see merge.obstacles. Extract only the part that is equal from ${home} and call it in ${others}, or leave the copies and ${inStep}.`;
  }
  if (merge.savedLines === 0) return `Merging them saves no lines: leave the copies, and ${inStep}.`;
  const all = passages.length > 2 ? `all ${passages.length} places` : 'both places';
  return `Make one function of ${home}, ${merge.signatures[0]}, and call that in ${all}; until then, ${inStep}.`;
}

/** Describes an obstacle to merging. Line numbers refer to the first copy. */
function obstacleSentence({ kind, lines }: Obstacle): string {
  const shown = lines.slice(0, maxLines).join(', ');
  return `${obstacles[kind]} (line ${shown}${lines.length > maxLines ? ', …' : ''})`;
}

const maxLines = 10;

const obstacles: Readonly<Record<Obstacle['kind'], string>> = {
  statements: 'statements differ',
  operators: 'operators or keywords differ',
  arguments: 'only some copies have an argument or item',
  variables: 'different local variables, or expressions of them',
  types: 'types differ that cannot be parameters',
  members: 'members differ that the language cannot pass',
  blocks: 'the copies begin or end inside a block',
  returns: 'they return from the enclosing function, or leave its loop',
  results: 'they set several variables that are used later',
  parameters: 'there are too many parameters for one function',
};
