/** find_similar: does this exist already, where, and how alike. */
import type { Report } from '../client/report.ts';
import type { Passage } from '../engine/report/report.ts';
import type { SimilarPassage } from '../engine/similar/findSimilar.ts';
import { tellingLine } from '../wording/tellingLine.ts';
import { type Access, type IndexNote, reportFor, type ToolAnswer } from './access.ts';
import { linesIn, outside, parseWrittenPlace, writePlace } from './places.ts';
import { indexSchema, type InputSchema, listOf, nextSchema, objectOf, share, truth, whole } from './schemas.ts';

export interface FindSimilarInput {
  readonly text?: string;
  readonly language?: string;
  readonly place?: string;
  readonly minSimilarity?: number;
  readonly limit?: number;
}

const defaultLimit = 10;

/** More than a person writes at once, and less than keeps the index busy for seconds. */
const mostCharacters = 200_000;

export const findSimilarInput: InputSchema = {
  type: 'object',
  properties: {
    text: {
      type: 'string',
      description: 'The code or prose to look for: at least a whole function or paragraph. Give this or place.',
    },
    language: {
      type: 'string',
      description:
        'The language of text, as an identifier or a file ending: typescript, ts, py, go, markdown. It decides how text is read.',
    },
    place: {
      type: 'string',
      description: 'Lines of a file that exists, such as src/a.ts:10-42, or a whole file. Give this or text.',
    },
    minSimilarity: {
      type: 'number',
      minimum: 0.3,
      maximum: 1,
      description: 'The least similarity of what is found. Lower finds more distant relatives.',
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 50,
      description: `Passages to list at most; ${defaultLimit} when not given.`,
    },
  },
  additionalProperties: false,
};

export const findSimilarOutput = objectOf({
  total: { type: 'integer', description: 'Passages that were found, with those past the limit.' },
  passages: listOf(
    objectOf(
      {
        place: { type: 'string', description: 'path:start-end' },
        similarity: share,
        type: { type: 'string', description: 'exact, renamed (other names or literals) or near (edited)' },
        covered: { type: 'number', description: 'The share of the text that is found here, from 0 to 1.' },
        textLines: { type: 'string', description: 'The lines of the text that are found here: start-end' },
        begins: { type: 'string', description: 'The line by which a person knows it.' },
        duplicateId: { type: 'string', description: 'For get_duplicate, where the passage has copies already.' },
      },
      ['begins', 'duplicateId'],
    ),
  ),
  leftOut: objectOf({
    passages: { type: 'integer', description: 'Found, but past the limit.' },
    files: { type: 'integer', description: 'Not compared, since too many files resemble the text.' },
  }),
  tooShort: { ...truth, description: 'The text is too short or too uniform to be looked for.' },
  tokens: { ...whole, description: 'The length of the text.' },
  searchMs: { type: 'number' },
  index: indexSchema,
  next: nextSchema,
});

export interface FindSimilarData {
  readonly total: number;
  readonly passages: readonly {
    readonly place: string;
    readonly similarity: number;
    readonly type: SimilarPassage['type'];
    readonly covered: number;
    readonly textLines: string;
    readonly begins?: string;
    readonly duplicateId?: string;
  }[];
  readonly leftOut: { readonly passages: number; readonly files: number };
  readonly tooShort: boolean;
  readonly tokens: number;
  readonly searchMs: number;
  readonly index: IndexNote;
  readonly next: string;
}

export async function findSimilar(
  access: Access,
  { text: given, language = '', place, minSimilarity, limit = defaultLimit }: FindSimilarInput,
): Promise<ToolAnswer<FindSimilarData>> {
  if ((given === undefined) === (place === undefined)) {
    return { problem: 'Give text, with its language, or a place such as src/a.ts:10-42: one of them.' };
  }
  if (given !== undefined && given.length > mostCharacters) {
    return {
      problem: `The text has ${given.length} characters; give at most ${mostCharacters}, such as one function.`,
    };
  }
  const where = place === undefined ? undefined : parseWrittenPlace(place);
  const path = where && access.pathOf(where.path);
  if (where && path === undefined) return outside(where.path);
  const state = await reportFor(access, 'heard');
  if ('problem' in state) return state;
  const found = await access.find({
    ...(given === undefined ? {} : { text: given }),
    ...(where?.lines === undefined ? {} : { lines: where.lines }),
    ...(minSimilarity === undefined ? {} : { minSimilarity }),
    ...(path === undefined ? languageOf(language) : { path, languageId: '' }),
    most: limit,
  });
  if (found.similar === undefined) {
    const { state: condition, detail = '' } = state.index;
    return condition === 'indexing' && found.reason === 'noIndex'
      ? {
          problem: `The index is still being loaded. ${detail} Ask again in some seconds; list_duplicates answers already.`,
        }
      : { problem: sentence(found.problem) };
  }
  const { passages, total, hasNoWindow, leftOut, tokens } = found.similar;
  return {
    data: {
      total,
      passages: await Promise.all(passages.map((one) => describe(access, one, state.report))),
      leftOut: { passages: total - passages.length, files: leftOut.documents },
      tooShort: hasNoWindow,
      tokens,
      searchMs: Math.round(found.elapsedMs * 10) / 10,
      index: state.index,
      next: nextOf(total, hasNoWindow),
    },
  };
}

/** A name for the text by which its language is told, and the identifier where the name says nothing. */
function languageOf(language: string): { readonly path: string; readonly languageId: string } {
  const name = language.toLowerCase().replace(/^\./, '');
  return { path: /^[\w+#-]+$/.test(name) ? `text.${name}` : '', languageId: name };
}

async function describe(
  access: Access,
  { passage, similarity, type, kind, covered, textLines }: SimilarPassage,
  report: Report,
): Promise<FindSimilarData['passages'][number]> {
  const content = await access.textOf(passage.path);
  const begins = content && tellingLine(linesIn(content, passage), kind, passage.path);
  const group = groupAround(report, passage);
  return {
    place: writePlace(passage),
    ...{ similarity, type, covered, textLines: `${textLines.start}-${textLines.end}` },
    ...(begins ? { begins } : {}),
    ...(group === undefined ? {} : { duplicateId: group }),
  };
}

/** The id of the group that has most of a passage. */
function groupAround({ copies }: Report, { path, startLine, endLine }: Passage): string | undefined {
  const around = copies.get(path)?.find(({ passage }) => {
    const common = Math.min(endLine, passage.endLine) - Math.max(startLine, passage.startLine) + 1;
    return 2 * common > Math.max(endLine - startLine, passage.endLine - passage.startLine) + 1;
  });
  return around?.group.id;
}

function nextOf(total: number, isTooShort: boolean): string {
  if (isTooShort) return 'Give more of the text: a whole function, or a paragraph.';
  if (total === 0) return 'Nothing like it is there: go on and write it.';
  return 'Read the first passage. Call it, or extend it, instead of writing it again; get_duplicate shows all copies of one that has a duplicateId.';
}

function sentence(problem: string): string {
  return /[.!?]$/.test(problem) ? problem : `${problem}.`;
}
