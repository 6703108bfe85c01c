/** Tool `list_duplicates`: lists duplicates in the order of the *Duplicates* view and of `kindred scan`. */
import type { Category } from '../../core/engine/rows/category.ts';
import type { Group } from '../../core/engine/report/report.ts';
import { sizeOf } from '../../presentation/wording/likeness.ts';
import { bySection } from '../../presentation/wording/outline.ts';
import type { Report } from '../../session/client/report.ts';
import { type Access, type IndexNote, reportFor, type ToolAnswer } from './access.ts';
import { isIn, isThere, outside, placeIn, unknownFolder } from './places.ts';
import { type InputSchema, limitSchema } from './schemas.ts';
import { sharedPart } from './sharedPart.ts';
import { type DuplicateSummary, summaryOf } from './summaryOf.ts';

export interface ListDuplicatesInput {
  readonly folder?: string;
  readonly category?: Category;
  readonly changedSince?: string;
  readonly limit?: number;
  readonly offset?: number;
}

const defaultLimit = 20;

/** Maximum number of places to list per duplicate. get_duplicate returns all. */
const maxPlaces = 5;

export const listDuplicatesInput: InputSchema = {
  type: 'object',
  properties: {
    folder: {
      type: 'string',
      description: 'Only with a copy in this folder or file, such as src/server.',
    },
    category: {
      type: 'string',
      enum: ['source', 'text', 'tests', 'examples', 'data', 'boilerplate'],
      description: 'source and text by default.',
    },
    changedSince: {
      type: 'string',
      description: 'Only with a copy in a file changed since this Git ref: HEAD for uncommitted changes.',
    },
    limit: limitSchema('duplicates', 100, defaultLimit),
    offset: {
      type: 'integer',
      minimum: 0,
      maximum: 1_000_000,
      description: 'Number of duplicates to skip.',
    },
  },
  additionalProperties: false,
};

export interface ListDuplicatesData {
  readonly total: number;
  readonly duplicates: readonly (DuplicateSummary & {
    readonly lines: number;
    readonly copies: number;
    /** Places of the first copies, as "path:start-end". */
    readonly places: readonly string[];
    readonly alsoInside: number;
  })[];
  /**
   * `after`: number of duplicates that follow the last one listed. `ignored`: number of duplicates that a comment or
   * the baseline marks as intended.
   */
  readonly leftOut: { readonly after: number; readonly ignored: number };
  readonly index: IndexNote;
  readonly next: string;
}

export async function listDuplicates(
  access: Access,
  { folder = '', category, changedSince, limit = defaultLimit, offset = 0 }: ListDuplicatesInput,
): Promise<ToolAnswer<ListDuplicatesData>> {
  const within = folder === '' ? '' : access.pathOf(folder);
  if (within === undefined) return outside(folder);
  const state = await reportFor(access, 'stored');
  if ('problem' in state) return state;
  if (!(await isThere(access, within))) return unknownFolder(access, folder, state.report.all);
  const changed = changedSince === undefined ? undefined : await access.changedSince(changedSince);
  if (changed !== undefined && 'problem' in changed) return { problem: `changedSince: ${changed.problem}` };
  const { all } = state.report;
  const wantedCategories: readonly Category[] = category === undefined ? ['source', 'text'] : [category];
  const isWanted = ({ category: about, passages }: Group): boolean =>
    wantedCategories.includes(about) &&
    passages.some(({ path }) => isIn(within, path)) &&
    (changed === undefined || passages.some(({ path }) => changed.has(path)));
  const rows = bySection(all).filter((group) => group.parent === undefined && isWanted(group));
  const reason = rows.length === 0 && within !== '' ? await access.whyNotCompared(within) : undefined;
  if (reason !== undefined) return { problem: `${folder} is not compared: ${reason}.` };
  const shown = rows.slice(offset, offset + limit);
  const inside = countsInside(all);
  const after = Math.max(0, rows.length - offset - shown.length);
  return {
    data: {
      total: rows.length,
      duplicates: shown.map((group) => rowOf(group, state.report, inside.get(group.id) ?? 0)),
      leftOut: { after, ignored: state.report.ignored.filter(isWanted).length },
      index: state.index,
      next: nextOf(shown.length, after, offset + shown.length),
    },
  };
}

function rowOf(group: Group, report: Report, alsoInside: number): ListDuplicatesData['duplicates'][number] {
  const shared = sharedPart(group, report);
  const { kind, passages } = shared?.here ?? group;
  return {
    ...summaryOf(group, shared),
    lines: sizeOf(shared?.here ?? group).lines,
    copies: passages.length,
    places: passages.slice(0, maxPlaces).map((passage) => placeIn({ kind }, passage)),
    alsoInside,
  };
}

/** Returns for each group id the number of groups inside that group. */
function countsInside(groups: readonly Group[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { parent } of groups) if (parent !== undefined) counts.set(parent, (counts.get(parent) ?? 0) + 1);
  return counts;
}

function nextOf(shown: number, after: number, offset: number): string {
  const more = after > 0 ? ` For the next page, use offset ${offset}.` : '';
  if (shown === 0) return `Nothing to list here.${more}`;
  return `get_duplicate with an id shows all copies with their text, and what differs.${more}`;
}
