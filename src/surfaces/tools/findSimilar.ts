/** Tool `find_similar`: finds existing code that is similar to a text. */
import type { Report } from '../../session/client/report.ts';
import type { Passage } from '../../core/engine/report/report.ts';
import type { NearestPassage, SimilarPassage, SimilarPassages } from '../../core/engine/similar/findSimilar.ts';
import type { FindParams, AnswerFailure } from '../../session/protocol/calls.ts';
import { tellingLine } from '../../presentation/wording/tellingLine.ts';
import { type Access, type IndexNote, type OrganisationQuery, reportFor, type ToolAnswer } from './access.ts';
import {
  linesIn,
  outside,
  parseWrittenPlace,
  placeOfSymbol,
  withoutText,
  writePlace,
  type WrittenPlace,
} from './places.ts';
import { type InputSchema, limitSchema } from './schemas.ts';

export interface FindSimilarInput {
  readonly text?: string;
  /** Texts to search for, all in the same language. */
  readonly texts?: readonly string[];
  readonly language?: string;
  readonly place?: string;
  readonly minSimilarity?: number;
  readonly limit?: number;
  readonly scope?: 'worktree' | 'all worktrees';
  readonly where?: 'workspace' | 'organisation';
}

const defaultLimit = 10;

/** Maximum number of characters of a text. New code is usually shorter, and longer searches take seconds. */
const maxCharacters = 200_000;
const maxTexts = 20;

export const findSimilarInput: InputSchema = {
  type: 'object',
  properties: {
    text: {
      type: 'string',
      description: 'Code or prose: at least a complete function or paragraph. Specify text, texts or place.',
    },
    texts: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      maxItems: maxTexts,
      description: 'Several texts in one language; each has its own section in the answer.',
    },
    language: {
      type: 'string',
      description: 'Required with text or texts: typescript, ts, py, markdown, or a file name that implies it.',
    },
    place: {
      type: 'string',
      description: 'src/a.ts:10-42, src/a.ts#parseDay, src/a.ts#Class.member, or a file.',
    },
    minSimilarity: {
      type: 'number',
      minimum: 0.3,
      maximum: 1,
      description: 'Minimum similarity; lower values find more.',
    },
    limit: limitSchema('passages', 50, defaultLimit),
  },
  additionalProperties: false,
};

/** Inputs that the tool offers only with additional access, by the name of that access. */
export const furtherInputs = {
  findInWorktrees: {
    scope: {
      type: 'string',
      enum: ['worktree', 'all worktrees'],
      description: 'all worktrees: also the lines that other Git worktrees have added.',
    },
  },
  findInOrganisation: {
    where: {
      type: 'string',
      enum: ['workspace', 'organisation'],
      description: 'workspace by default; organisation for all repositories of the organization.',
    },
  },
} as const satisfies Partial<Record<keyof Access, InputSchema['properties']>>;

export interface FindSimilarData {
  /** Number of passages found, including those not listed. */
  readonly total: number;
  readonly passages: readonly {
    readonly place: string;
    readonly similarity: number;
    readonly type: SimilarPassage['type'];
    /** Share of the text that the passage contains, from 0 to 1. */
    readonly covered: number;
    /** Lines of the text that the passage contains, as "start-end". */
    readonly textLines: string;
    /** The most recognizable line of the passage. */
    readonly begins?: string | undefined;
    /** Id to pass to get_duplicate. Present if the passage is part of a known duplicate. */
    readonly duplicateId?: string | undefined;
  }[];
  /** Passages that other worktrees have added, if `scope` was given. Places are absolute paths with lines. */
  readonly otherWorktrees?: {
    readonly total: number;
    readonly passages: readonly Omit<FindSimilarData['passages'][number], 'begins' | 'duplicateId'>[];
  };
  /** Present if nothing was found: a sentence about the most similar passage and why it does not qualify. */
  readonly nearest?: string | undefined;
  /** Number of passages that are not listed, and of files that were not compared because too many are similar. */
  readonly leftOut: { readonly passages: number; readonly files: number };
  /** True if nothing was found because the text is too short or too repetitive to search for. */
  readonly tooShort: boolean;
  readonly tokens: number;
  readonly searchMs: number;
  readonly index: IndexNote;
  readonly next: string;
}

/** Result for one of several texts. */
type Section = Pick<
  FindSimilarData,
  'total' | 'passages' | 'otherWorktrees' | 'nearest' | 'leftOut' | 'tooShort' | 'tokens'
>;

export interface FindTextsData {
  /** False if the time limit was reached before the last text was searched for. */
  readonly complete: boolean;
  /** Results for the texts that were searched for, in order. `text` is the number of the text, counted from 1. */
  readonly texts: readonly (Section & { readonly text: number })[];
  readonly leftOut: { readonly texts: number };
  readonly searchMs: number;
  readonly index: IndexNote;
  readonly next: string;
}

export async function findSimilar(
  access: Access,
  input: FindSimilarInput,
): Promise<ToolAnswer<FindSimilarData | FindTextsData>> {
  const { text: writtenText, texts, language = '', place, minSimilarity, limit = defaultLimit } = input;
  const wrong = problemOfQuestion(input);
  if (wrong !== undefined) return { problem: wrong };
  const where = place === undefined ? undefined : await placeWanted(access, place);
  if (where && 'problem' in where) return where;
  const path = where?.path;
  if (input.where === 'organisation') return findInOrganisation(access, input, where);
  const state = await reportFor(access, 'reported');
  if ('problem' in state) return state;
  const params: FindParams = {
    lines: where?.lines,
    minSimilarity,
    ...(path === undefined ? languageOf(language) : { path, languageId: '' }),
    explains: true,
    limit,
  };
  const search = (request: FindParams): Promise<SectionAnswer> =>
    searchWorkspace(access, request, state, input.scope === 'all worktrees');
  if (texts !== undefined) return findTexts(texts, (text) => search({ ...params, text }));
  const found = await search(writtenText === undefined ? params : { ...params, text: writtenText });
  if ('problem' in found) return { problem: found.problem };
  const { section, searchMs, index } = found;
  const next = writtenText === undefined ? nextOfPlace(section, params.lines !== undefined) : nextOf(section);
  return { data: { ...section, searchMs: rounded(searchMs), index, next } };
}

/** Returns a place with its report path, or an error message. For a declaration, waits for the index. */
async function placeWanted(access: Access, place: string): Promise<WrittenPlace | { readonly problem: string }> {
  if (place.includes('#')) {
    const state = await reportFor(access, 'reported');
    if ('problem' in state) return state;
    const symbol = await placeOfSymbol(access, place, state.index);
    if (symbol !== undefined) return symbol;
  }
  const where = parseWrittenPlace(place);
  const path = access.pathOf(where.path);
  return path === undefined ? outside(where.path) : { ...where, path };
}

/** Searches the index and, if requested, lines that other worktrees have added. */
async function searchWorkspace(
  access: Access,
  params: FindParams,
  { report, index }: { readonly report: Report; readonly index: IndexNote },
  isEverywhere: boolean,
): Promise<SectionAnswer> {
  const found = await access.find(params);
  if (found.similar === undefined) return { problem: problemOf(found, index), isRefused: found.reason === 'refused' };
  const section = await withFunction(await sectionOf(access, found.similar, report), access, params);
  const others = isEverywhere ? await access.findInWorktrees?.(params) : undefined;
  if (others === undefined) return { section, searchMs: found.elapsedMs, index };
  if (others.similar === undefined) {
    return { problem: problemOf(others, index), isRefused: others.reason === 'refused' };
  }
  const { total, passages } = others.similar;
  return {
    section: { ...section, otherWorktrees: { total, passages: passages.map(describePlace) } },
    searchMs: found.elapsedMs + others.elapsedMs,
    index,
  };
}

/**
 * Adds a function with nearly the same purpose if the only copy found is the text itself, which agents may already have
 * written to a file. Such a function is more informative than the nearest passage.
 */
async function withFunction(section: Section, { functionLike, textOf }: Access, params: FindParams): Promise<Section> {
  if (functionLike === undefined || !section.passages.every(isText)) return section;
  const { text = '', lines, path } = params;
  const written =
    lines && linesIn((await textOf(path)) ?? '', { startLine: lines.start, endLine: lines.end }).join('\n');
  const like = functionLike(written ?? text, params);
  return like === undefined ? section : { ...section, nearest: `Nearest: ${like}` };
}

/** Returns true if a passage is an exact copy of the text. The agent may have written the text to a file as a draft. */
function isText({ type, covered }: FindSimilarData['passages'][number]): boolean {
  return type === 'exact' && covered >= minCoverage;
}

type SectionAnswer =
  | { readonly section: Section; readonly searchMs: number; readonly index: IndexNote }
  | { readonly problem: string; readonly isRefused: boolean };

/** Searches for texts one after another. Stops when the time limit is reached. */
async function findTexts(
  texts: readonly string[],
  search: (text: string) => Promise<SectionAnswer>,
): Promise<ToolAnswer<FindTextsData>> {
  const sections: (Section & { readonly text: number })[] = [];
  let searchMs = 0;
  let index: IndexNote | undefined;
  for (const text of texts) {
    const found = await search(text);
    if ('problem' in found) {
      if (found.isRefused || sections.length === 0) return { problem: found.problem };
      break;
    }
    searchMs += found.searchMs;
    index = found.index;
    sections.push({ text: sections.length + 1, ...found.section });
  }
  const left = texts.length - sections.length;
  return {
    data: {
      complete: left === 0,
      texts: sections,
      leftOut: { texts: left },
      searchMs: rounded(searchMs),
      index: index!,
      next: nextOfTexts(sections, left),
    },
  };
}

/** If a passage resembles at least this share of the text, the sentence does not mention a part of the text. */
const minCoverage = 0.95;

/** Explains why the most similar passage does not qualify. */
function whyNot({ passage, similarity, covered, textLines, tokens, lines, required }: NearestPassage): string {
  const [alike, minSimilarity, share] = [similarity, required.similarity, covered].map((one) =>
    one.toFixed(2).replace(/^0(?=\.[^0]|\.0[^0])/, ''),
  );
  const part =
    covered < minCoverage ? ` to lines ${textLines.start}-${textLines.end} of the text (${share} of it)` : '';
  const near = `Nearest: ${writePlace(passage)}, ${alike} alike${part}`;
  if (similarity < required.similarity) return `${near}, below ${minSimilarity}.`;
  if (tokens < required.tokens) return `${near}, but only ${tokens} tokens, below ${required.tokens}.`;
  if (lines < required.lines)
    return `${near}, but only ${lines === 1 ? '1 line' : `${lines} lines`}, below ${required.lines}.`;
  return `${near}, but what they share is too uniform or too scattered for a copy.`;
}

function problemOf({ reason, problem }: AnswerFailure, { state, detail = '' }: IndexNote): string {
  return state === 'indexing' && reason === 'noIndex'
    ? `The index is still being loaded. ${detail} Try again in a few seconds; list_duplicates answers already.`
    : sentence(problem);
}

async function sectionOf(access: Access, similar: SimilarPassages, report: Report): Promise<Section> {
  const { passages, total, nearest, hasNoWindow, leftOut, tokens } = similar;
  return {
    total,
    passages: await Promise.all(passages.map((one) => describe(access, one, report))),
    nearest: nearest && whyNot(nearest),
    leftOut: { passages: total - passages.length, files: leftOut.documents },
    tooShort: hasNoWindow,
    tokens,
  };
}

/** Returns an error message for an invalid input, or `undefined` if it is valid. */
function problemOfQuestion({ text, texts, place }: FindSimilarInput): string | undefined {
  if ([text, texts, place].filter((one) => one !== undefined).length !== 1) {
    return 'Specify either text or texts, with the language, or a place such as src/a.ts:10-42.';
  }
  if (texts === undefined) {
    if (text === undefined || text.length <= maxCharacters) return undefined;
    return `The text has ${text.length} characters; the limit is ${maxCharacters}. Specify less, such as one function.`;
  }
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  if (characters <= maxCharacters) return undefined;
  return `The texts have ${characters} characters together; the limit is ${maxCharacters}. Specify fewer texts, or less of each.`;
}

/** Searches an index of many repositories. Waits for the workspace's index only if the text comes from it. */
async function findInOrganisation(
  access: Access,
  { text, texts, language = '', minSimilarity, limit = defaultLimit }: FindSimilarInput,
  place: WrittenPlace | undefined,
): Promise<ToolAnswer<FindSimilarData | FindTextsData>> {
  const limits = { limit, minSimilarity };
  if (texts !== undefined) {
    return findTexts(texts, (one) => searchOrganisation(access, { text: one, ...languageOf(language), ...limits }));
  }
  const searchedText = place === undefined ? { text: text!, ...languageOf(language) } : await textAt(access, place);
  if ('problem' in searchedText) return searchedText;
  const found = await searchOrganisation(access, { ...searchedText, ...limits });
  if ('problem' in found) return { problem: found.problem };
  const { section, searchMs, index } = found;
  const next =
    section.total === 0 || section.tooShort
      ? nextOf(section)
      : 'Places begin with the name of their repository. Use existing code, or tell the user about it, instead of writing it again.';
  return { data: { ...section, searchMs: rounded(searchMs), index, next } };
}

async function searchOrganisation(access: Access, request: OrganisationQuery): Promise<SectionAnswer> {
  const found = await access.findInOrganisation?.(request);
  if (found === undefined) {
    return { problem: 'There is no index of the organization. Omit where to search the workspace.', isRefused: true };
  }
  if ('problem' in found) {
    return {
      problem: `The index of the organization does not answer. ${sentence(found.problem)}`,
      isRefused: false,
    };
  }
  const { similar, elapsedMs, repositories, files, lines, generation } = found;
  const { passages, total, hasNoWindow, leftOut, tokens } = similar;
  const detail = `The index of the organization: ${repositories} ${repositories === 1 ? 'repository' : 'repositories'}.`;
  return {
    section: {
      total,
      passages: passages.map(describePlace),
      leftOut: { passages: total - passages.length, files: leftOut.documents },
      tooShort: hasNoWindow,
      tokens,
    },
    searchMs: elapsedMs,
    index: { state: 'ready', detail, generation, files, lines },
  };
}

/** Returns the text of a place in the workspace. */
async function textAt(
  access: Access,
  { path, lines }: WrittenPlace,
): Promise<Omit<OrganisationQuery, 'limit'> | { readonly problem: string }> {
  const state = await reportFor(access, 'reported');
  if ('problem' in state) return state;
  const whole = await access.textOf(path);
  if (whole === undefined) return withoutText(path, state.index);
  const all = whole.split(/\r\n|\n|\r/);
  const [startLine, endLine] = [lines?.start ?? 1, Math.min(lines?.end ?? all.length, all.length)];
  if (startLine < 1 || startLine > endLine)
    return { problem: `${path} has ${all.length} lines; specify existing lines.` };
  const text = all.slice(startLine - 1, endLine).join('\n');
  if (text.length > maxCharacters) {
    return { problem: `${path} has ${text.length} characters there; specify fewer lines, such as one function.` };
  }
  return { text, path, languageId: '', origin: { path, startLine, endLine } };
}

/**
 * Returns the language that was named by its id, a file extension, or a file. A text has the same tokens as its copies
 * only if it is lexed in their language, so a missing or unknown one is an error.
 */
function languageOf(language: string): Pick<OrganisationQuery, 'path' | 'languageId' | 'requiresLanguage'> {
  const name = language.trim().toLowerCase().replace(/^\./, '');
  return { path: name === '' ? '' : `text.${name}`, languageId: name, requiresLanguage: true };
}

function describePlace({
  passage,
  similarity,
  type,
  covered,
  textLines,
}: SimilarPassage): FindSimilarData['passages'][number] {
  return {
    place: writePlace(passage),
    similarity,
    type,
    covered,
    textLines: `${textLines.start}-${textLines.end}`,
  };
}

async function describe(
  access: Access,
  found: SimilarPassage,
  report: Report,
): Promise<FindSimilarData['passages'][number]> {
  const { passage, kind } = found;
  const content = await access.textOf(passage.path);
  const begins = content && tellingLine(linesIn(content, passage), kind, passage.path);
  const group = groupAround(report, passage);
  return {
    ...describePlace(found),
    begins,
    duplicateId: group,
  };
}

/** Returns the id of a group with a passage that mostly consists of the same lines as the given one. */
function groupAround({ copies }: Report, { path, startLine, endLine }: Passage): string | undefined {
  const around = copies.get(path)?.find(({ passage }) => {
    const common = Math.min(endLine, passage.endLine) - Math.max(startLine, passage.startLine) + 1;
    return 2 * common > Math.max(endLine - startLine, passage.endLine - passage.startLine) + 1;
  });
  return around?.group.id;
}

const writtenElsewhere =
  'Another worktree is adding this, too (otherWorktrees): tell the user, and agree on one place before you write it.';

function nextOf({ total, passages, tooShort, otherWorktrees, nearest }: Section): string {
  if (total === 0 && otherWorktrees !== undefined && otherWorktrees.total > 0) return writtenElsewhere;
  if (tooShort && nearest !== undefined) {
    return 'The text is too short to search for its copies. Read what nearest names, or specify a longer text.';
  }
  if (tooShort) {
    return 'The text is too short to search for, so it may exist. Specify a longer text: a complete function, or a paragraph.';
  }
  if (total === 0 && nearest !== undefined) {
    return 'No copy was found, but similar code: read what nearest names. If it does the same, call or extend it; otherwise continue and write it.';
  }
  if (total === 0)
    return 'No copy was found, so you can write it. Code with other statements may still do the same: search for its name, too.';
  const own = passages.filter(isText).length;
  if (own > 0) return nextOfOwn(own, total, nearest !== undefined);
  return 'Read the first passage. Call it, or extend it, instead of writing it again; get_duplicate shows all copies of one that has a duplicateId.';
}

/**
 * The first passages have exactly the text. One of them may be a draft that the agent has written to a file.
 *
 * @param own    number of these passages
 * @param total  number of all passages
 */
function nextOfOwn(own: number, total: number, hasNearest: boolean): string {
  const same =
    own === 1 ? 'The first passage has exactly this text.' : `The first ${own} passages have exactly this text.`;
  const other = total > own ? `passage ${own + 1}` : hasNearest ? 'what nearest names' : undefined;
  if (own === 1 && other !== undefined) {
    return `${same} If you have just written it there, read ${other}, and call or extend that instead; otherwise call the first passage.`;
  }
  if (own === 1)
    return `${same} If you have just written it there, there is no other copy; otherwise call it instead of writing it again.`;
  return `${same} Keep one of them and call it; if you have just written one, remove that one.`;
}

/** Returns the next step after a search for a place. Without lines, it is a file, which has no similar functions. */
function nextOfPlace(section: Section, hasLines: boolean): string {
  const { total, tooShort, nearest, otherWorktrees } = section;
  if (total > 0 || tooShort || nearest !== undefined || (otherWorktrees?.total ?? 0) > 0) return nextOf(section);
  return hasLines
    ? 'No copy of this place was found. Code with other statements may still do the same: search for its name, too.'
    : 'No copy of this file was found. To look up similar functions, specify one function: its lines, or its name as in src/a.ts#parseDay.';
}

function nextOfTexts(sections: readonly Section[], left: number): string {
  const isElsewhere = sections.some(({ otherWorktrees }) => otherWorktrees !== undefined && otherWorktrees.total > 0);
  const short = sections.filter(({ tooShort }) => tooShort);
  const found = sections.some(({ total }) => total > 0)
    ? 'Read the first passage of each section that has one. Call it, or extend it, instead of writing it again.'
    : isElsewhere
      ? writtenElsewhere
      : short.length === sections.length
        ? 'The texts are too short to search for, so they may exist. Specify longer texts: complete functions, or paragraphs.'
        : sections.some(({ nearest }) => nearest !== undefined)
          ? 'No copy of these texts was found, but similar code: read what nearest names. If it does the same, call or extend it; otherwise continue and write them.'
          : 'No copy of these texts was found, so you can write them.';
  const isPartly = short.length > 0 && short.length < sections.length;
  const sentence = isPartly ? `${found} Those that are tooShort may exist nevertheless: specify longer texts.` : found;
  if (left === 0) return sentence;
  return `${sentence} The time limit was reached: repeat the call with the last ${left === 1 ? 'text' : `${left} texts`}.`;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function sentence(problem: string): string {
  return /[.!?]$/.test(problem) ? problem : `${problem}.`;
}
