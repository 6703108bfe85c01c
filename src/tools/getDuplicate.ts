/** get_duplicate: returns all copies of a duplicate with their texts and differences. */
import type { Report } from '../client/report.ts';
import type { Group } from '../engine/report/report.ts';
import { type Access, type IndexNote, reportFor, type ToolAnswer } from './access.ts';
import { copiesOf, type ShownCopy } from './copyTexts.ts';
import { placeIn } from './places.ts';
import { indexSchema, type InputSchema, listOf, nextSchema, objectOf, text, truth, whole } from './schemas.ts';

export interface GetDuplicateInput {
  readonly id: string;
  readonly limit?: number;
}

const defaultLimit = 10;

export const getDuplicateInput: InputSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'From list_duplicates, find_similar or check_changes.' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 50,
      description: `Copies to show with text at most; ${defaultLimit} when not given.`,
    },
  },
  required: ['id'],
  additionalProperties: false,
};

export const getDuplicateOutput = objectOf(
  {
    id: text,
    kind: text,
    type: text,
    similarity: { type: 'number' },
    category: text,
    worth: whole,
    total: { type: 'integer', description: 'Copies in all.' },
    copies: listOf(
      objectOf(
        {
          place: text,
          text: { type: 'string', description: 'The lines of the copy; empty when there is no room for more.' },
          isCut: { ...truth, description: 'The text is not all of the copy.' },
          differs: {
            type: 'string',
            description:
              'What another one is than in the first copy, as a unified diff in the names of the first; empty when nothing but names is, or too much (isUnlike). It ends with … where there is no room for all of it.',
          },
          isUnlike: { ...truth, description: 'They differ in too much for a diff, which is empty then.' },
          names: {
            ...listOf(text),
            description: 'Names that it has throughout for those of the first copy: "its → first".',
          },
        },
        ['differs', 'isUnlike', 'names'],
      ),
    ),
    places: { ...listOf(text), description: 'The copies that are not shown with text.' },
    leftOut: objectOf({ copies: { type: 'integer', description: 'Copies whose place is not named either.' } }),
    ignored: { type: 'string', description: 'Why it is meant to be, as somebody has written.' },
    isIn: { type: 'string', description: 'The id of the duplicate that it lies in.' },
    contains: { ...listOf(text), description: 'The ids of duplicates that lie in it.' },
    index: indexSchema,
    next: nextSchema,
  },
  ['ignored', 'isIn'],
);

export interface GetDuplicateData {
  readonly id: string;
  readonly kind: Group['kind'];
  readonly type: Group['type'];
  readonly similarity: number;
  readonly category: Group['category'];
  readonly worth: number;
  readonly total: number;
  readonly copies: readonly ShownCopy[];
  readonly places: readonly string[];
  readonly leftOut: { readonly copies: number };
  readonly ignored?: string;
  readonly isIn?: string;
  readonly contains: readonly string[];
  readonly index: IndexNote;
  readonly next: string;
}

/** Maximum number of ids and places without text. */
const mostNamed = 100;

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
      problem: `There is no duplicate ${id}: it was removed, or edited so far that it is another one. Ask list_duplicates.`,
    };
  }
  const { kind, type, similarity, category, worth, passages, parent } = group;
  const copies = await copiesOf(group, { textOf: (path) => access.textOf(path), withTexts: true }, limit);
  const others = passages.slice(copies.length);
  const ignored = ignoredReason(state.report, group);
  return {
    data: {
      ...{ id, kind, type, similarity, category, worth, total: passages.length, copies },
      places: others.slice(0, mostNamed).map((passage) => placeIn(group, passage)),
      leftOut: { copies: Math.max(0, others.length - mostNamed) },
      ...(ignored === undefined ? {} : { ignored: ignored.reason ?? 'no reason is given' }),
      ...(parent === undefined ? {} : { isIn: parent }),
      contains: all.flatMap((one) => (one.parent === id ? [one.id] : [])).slice(0, mostNamed),
      index: state.index,
      next: nextOf(group, ignored !== undefined),
    },
  };
}

/** Returns the reason of an ignored group; `undefined` if it is not ignored. */
function ignoredReason({ judgement }: Report, { id }: Group): { readonly reason: string | undefined } | undefined {
  const source = judgement.sources.find(({ groups }) => groups.includes(id));
  return source && { reason: source.by === 'comment' ? source.region.reason : source.entry.reason };
}

function nextOf({ type, passages, kind }: Group, isIgnored: boolean): string {
  if (isIgnored) return 'It is meant to be: leave it as it is.';
  if (kind === 'file')
    return 'Keep one of the files and use it from the other places, or move what they share to a file of its own.';
  const keep = passages.length > 2 ? `all ${passages.length} places` : 'both places';
  if (type === 'exact') return `Move it to one function or section that ${keep} use.`;
  return `Keep it in one place with a parameter for what differs, and use it in ${keep}; until then, an edit of one copy has to be made in all.`;
}
