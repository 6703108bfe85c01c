/** Random histories of documents and options, for tests of incremental updates. */
import fc from 'fast-check';
import { defaultOptions, methods, type Options, readCommentsChoices } from '../../src/core/engine/options.ts';
import type { ChosenCategory } from '../../src/core/engine/rows/categories.ts';
import { noMinimum, type MinimumOfPath } from '../../src/core/engine/matches/minimumMatch.ts';
import type { Override } from '../../src/scan/io/overrideKeys.ts';
import type { CategoryGlobs } from '../../src/scan/io/chosenCategories.ts';
import type { Changes } from './corpusOf.ts';

/** Functions of which documents are composed. Some are similar, and their groups depend on all documents. */
const bodies = [
  [
    'const total = items.reduce((sum, item) => sum + item.price * item.count, 0);',
    'if (total > limit) throw new RangeError(`over the limit: ${total}`);',
    'const tax = Math.round(total * rate);',
    'log.info("total", total, tax);',
    'return { total, tax, currency: settings.currency };',
  ],
  [
    'for (const entry of await readdir(folder, { withFileTypes: true })) {',
    '  if (entry.isDirectory()) queue.push(join(folder, entry.name));',
    '  else if (matches(entry.name)) found.push(join(folder, entry.name));',
    '}',
    'found.sort((x, y) => compare(x, y));',
    'return found;',
  ],
  [
    'const response = await fetch(url, { headers, signal });',
    'if (!response.ok) throw new Error(`failed with ${response.status}`);',
    'const body = await response.json();',
    'cache.set(url, { body, time: clock.now() });',
    'metrics.count("requests", 1);',
    'return body;',
  ],
  [
    'let low = 0, high = list.length;',
    'while (low < high) {',
    '  const middle = (low + high) >> 1;',
    '  if (list[middle] < value) low = middle + 1;',
    '  else high = middle;',
    '}',
    'return list[low] === value ? low : -1;',
  ],
];
const paths = [
  ...['a.ts', 'b.ts', 'c/d.ts', 'c/e.ts', 'f.md', 'g.ts', 'h/i.md', 'j.ts'],
  ...['k.vue', 'l.json', 'm.js', 'n.py', 'p.ipynb', 'test/o.test.ts'],
];
export const lineOfOwn = (n: number): string => `const own${n} = call${n}(${n}, "text ${n}") + other${n * 7};`;

/** A function: its body, the suffix of its renamed words (0 for none), and an optional inserted line. */
const piece = fc.record({
  body: fc.nat(bodies.length - 1),
  renamed: fc.nat(2),
  line: fc.option(fc.tuple(fc.nat(6), fc.nat(20)), { nil: undefined }),
  isProse: fc.constant(false),
});
type Piece = typeof piece extends fc.Arbitrary<infer P> ? P : never;

function write({ body, renamed, line }: Piece, place: number): string {
  const lines = bodies[body].map((text) =>
    renamed ? text.replaceAll(/\b([a-z]{4,})\b(?=[^(])/g, `$1${renamed}`) : text,
  );
  if (line) lines.splice(line[0], 0, lineOfOwn(line[1]));
  return [`export async function work${place}(list, items) {`, ...lines.map((text) => `  ${text}`), '}', ''].join('\n');
}

/** Rows of a table, with many equal or similar windows. */
const rows = fc
  .tuple(fc.integer({ min: 3, max: 24 }), fc.integer({ min: 1, max: 5 }))
  .map(([count, kinds]) =>
    Array.from({ length: count }, (_, n) => `take(first${n % kinds}, ${n % 3}, "row");\n`).join(''),
  );

const sentences = [
  'The index holds every window of every document, and it is searched whenever a document changes its text.',
  'When two windows have fingerprints that differ in few bits, the passages around them are compared word by word.',
  'A passage that is found in several documents is shown once, with all of the places where it was found.',
  'Nothing is reported twice, and nothing that was found before is forgotten while the documents stay the same.',
  'What a person reads as one thing is shown as one thing, however many documents it has been copied into.',
  '索引保存每个文档的每个窗口，文档的内容改变时就会重新搜索，找到的段落只显示一次。',
];
/** Optional comment above a function, with text that also occurs in pages. */
const comment = fc
  .subarray(sentences, { maxLength: 4 })
  .map((list) => (list.length === 0 ? '' : `/**\n${list.map((sentence) => ` * ${sentence}\n`).join('')} */\n`));
const functionsOf = fc.array(fc.tuple(comment, piece), { maxLength: 4 }).map((pieces) => {
  const functions = pieces.map(([above, made], i) => above + write(made, i));
  return functions.join('\n') + (pieces.length % 2 ? '// größer\n' : '');
});
const codeOf = fc.oneof(
  { weight: 5, arbitrary: functionsOf },
  { weight: 1, arbitrary: fc.tuple(functionsOf, rows).map((parts) => parts.join('\n')) },
);
const proseOf = fc
  .array(fc.subarray(sentences, { minLength: 2 }), { maxLength: 3 })
  .map((paragraphs) => paragraphs.map((list) => list.join(' ')).join('\n\n'));
/** Prose with fenced code, with or without a language, that also occurs in files. */
const pageOf = fc
  .array(fc.tuple(proseOf, fc.constantFrom('ts', 'js', 'json', ''), codeOf), { maxLength: 3 })
  .map((sections) => sections.map(([text, language, code]) => `${text}\n\n~~~${language}\n${code}~~~\n`).join('\n'));
/** Code with examples in docstrings. */
const exampleOf = fc.tuple(codeOf, codeOf).map(([code, example]) => {
  const lines = example.split('\n').map((line) => (line.startsWith(' ') ? `... ${line}` : `>>> ${line}\n0`));
  return `${code}\ndef f():\n    """Does it.\n\n${lines.join('\n')}\n    """\n`;
});
const notebookOf = fc
  .array(fc.tuple(fc.constantFrom('code', 'markdown'), pageOf, codeOf), { maxLength: 3 })
  .map((cells) => {
    const list = cells.map(([type, page, code]) => ({
      cell_type: type,
      source: (type === 'code' ? code : page).split(/(?<=\n)/),
    }));
    return JSON.stringify({ cells: list, metadata: { language_info: { name: 'typescript' } } }, null, 1);
  });
/** Several languages in one document, with code in two places. */
const componentOf = fc
  .tuple(rows, codeOf, codeOf)
  .map(
    ([above, script, setup]) =>
      `<template>\n${above.replaceAll(/take\((.*)\);/g, '<row :of="$1" />')}</template>\n` +
      `<script>\n${script}</script>\n<script setup>\n${setup}</script>\n`,
  );
const dataOf = fc.array(fc.nat(12), { maxLength: 20 }).map((values) => {
  const entries = values.map((n) => `  { "name": "entry ${n}", "count": ${n * n}, "of": "${sentences[n % 5]}" }`);
  return `[\n${entries.join(',\n')}\n]\n`;
});
const kinds: Readonly<Record<string, fc.Arbitrary<string>>> = {
  md: fc.oneof(proseOf, pageOf),
  vue: componentOf,
  json: dataOf,
  py: fc.oneof(codeOf, exampleOf),
  ipynb: notebookOf,
};
export const document = fc
  .constantFrom(...paths)
  .chain((path) => (kinds[path.split('.').pop()!] ?? codeOf).map((text): readonly [string, string] => [path, text]));

export type Step =
  | { readonly type: 'put'; readonly documents: readonly (readonly [string, string])[] }
  | {
      /** An update that is interrupted after this many steps. */
      readonly type: 'interruption';
      readonly documents: readonly (readonly [string, string])[];
      readonly after: number;
      /** True if another event occurs before the next update. */
      readonly isLeft: boolean;
    }
  | { readonly type: 'remove'; readonly path: string }
  | { readonly type: 'rename'; readonly from: string; readonly to: string }
  | { readonly type: 'edit'; readonly path: string; readonly line: number; readonly text: string | undefined }
  | { readonly type: 'options'; readonly changes: OptionSteps }
  /** Other categories for paths: an index into `choices`. */
  | { readonly type: 'categories'; readonly choice: number }
  /** Other limits for matches: an index into `minimumChoices`. */
  | { readonly type: 'overrides'; readonly choice: number }
  | { readonly type: 'restart' }
  | { readonly type: 'renewal' }
  | { readonly type: 'renewInVain' }
  /** A partial build of the index, stopped after this many steps. */
  | { readonly type: 'beginIndex'; readonly after: number };

/** Changes of options. Options of prose are merged separately. */
export interface OptionSteps extends Omit<Changes, 'prose'> {
  readonly prose?: Partial<Options['prose']>;
}

const { weights } = defaultOptions;
const optionSteps: fc.Arbitrary<OptionSteps> = fc.oneof(
  fc.record({ maxDistance: fc.constantFrom(0, 1, 3, 6) }),
  fc.record({ minTokens: fc.constantFrom(20, 50, 80) }),
  fc.record({ minLines: fc.constantFrom(1, 4, 8) }),
  fc.record({ minSimilarity: fc.constantFrom(0.4, 0.55, 0.9) }),
  fc.record({ shingleSize: fc.constantFrom(2, 4, 5) }),
  fc.record({ renamed: fc.boolean() }),
  fc.record({ weights: fc.constantFrom(weights, { ...weights, identifier: 0.25, punctuation: 1 }) }),
  { weight: 2, arbitrary: fc.record({ readComments: fc.constantFrom(...readCommentsChoices) }) },
  { weight: 2, arbitrary: fc.record({ method: fc.constantFrom(...methods) }) },
  fc.record({ prose: fc.record({ maxDistance: fc.constantFrom(0, 3, 5) }) }),
  fc.record({ prose: fc.record({ shingleSize: fc.constantFrom(2, 3) }) }),
  fc.record({ prose: fc.record({ minWords: fc.constantFrom(15, 40), minSimilarity: fc.constantFrom(0.5, 0.6) }) }),
);

/** Assigned categories for different paths. */
export const choices: readonly ChosenCategory[] = [
  () => undefined,
  (path) => (path.startsWith('c/') ? 'boilerplate' : path === 'a.ts' ? 'source' : undefined),
  (path) => (path.endsWith('.ts') ? 'tests' : path.endsWith('.md') ? 'data' : undefined),
];

/** `choices` as globs. */
export const choiceGlobs: readonly CategoryGlobs[] = [
  {},
  { boilerplate: ['c/**'], source: ['/a.ts'] },
  { data: ['*.md'], tests: ['*.ts'] },
];

/** Limits for some paths, and no limits. */
export const minimumChoices: readonly MinimumOfPath[] = [
  noMinimum,
  (path) => (path.endsWith('.ts') ? { tokens: 80 } : undefined),
  (path) =>
    path.startsWith('c/') ? { lines: 9, similarity: 0.95 } : path.endsWith('.md') ? { tokens: 60 } : undefined,
];

/** `minimumChoices` as overrides. */
export const overrideChoices: readonly (readonly Override[])[] = [
  [],
  [{ files: '*.ts', minTokens: 80 }],
  [
    { languages: ['markdown'], minTokens: 60 },
    { files: ['c/**'], minLines: 9, minSimilarity: 0.95 },
  ],
];

export type DocumentStep = Extract<Step, { readonly type: 'put' | 'interruption' | 'remove' | 'rename' | 'edit' }>;

const aPath = fc.constantFrom(...paths);
export const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('put' as const),
      documents: fc.array(document, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('interruption' as const),
      documents: fc.array(document, { minLength: 1, maxLength: 4 }),
      after: fc.integer({ min: 1, max: 40 }),
      isLeft: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), path: aPath }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('rename' as const), from: aPath, to: aPath }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('edit' as const),
      path: aPath,
      line: fc.nat(30),
      text: fc.option(fc.nat(9).map(lineOfOwn), { nil: undefined }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('options' as const), changes: optionSteps }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('categories' as const), choice: fc.nat(choices.length - 1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('overrides' as const), choice: fc.nat(minimumChoices.length - 1) }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('restart' as const, 'renewal' as const, 'renewInVain' as const)
      .map((type) => ({ type })),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('beginIndex' as const), after: fc.integer({ min: 1, max: 4 }) }),
  },
);

/** Trial of other options, which must not affect the corpus. */
export interface Trial {
  readonly type: 'trial';
  readonly changes: OptionSteps;
}

export const stepsAndTrials: fc.Arbitrary<Step | Trial> = fc.oneof(
  { weight: 5, arbitrary: steps },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('trial' as const), changes: optionSteps }) },
);

export const options: fc.Arbitrary<Changes> = fc.record({
  maxDistance: fc.constantFrom(0, 1, 3, 6),
  minTokens: fc.constantFrom(20, 50),
  minLines: fc.constantFrom(1, 4),
  renamed: fc.boolean(),
  readComments: fc.constantFrom('none', 'asText'),
  method: fc.constantFrom(...methods),
});

/** Returns the changes of documents. `undefined` removes a document. */
export function changesOf(
  step: DocumentStep,
  texts: ReadonlyMap<string, string>,
): (readonly [string, string | undefined])[] {
  switch (step.type) {
    case 'put':
    case 'interruption':
      return [...step.documents];
    case 'remove':
      return [[step.path, undefined]];
    case 'rename': {
      const text = texts.get(step.from);
      return text === undefined
        ? []
        : [
            [step.from, undefined],
            [step.to, text],
          ];
    }
    case 'edit': {
      const lines = texts.get(step.path)?.split('\n');
      if (lines === undefined) return [];
      lines.splice(step.line, step.text === undefined ? 1 : 0, ...(step.text === undefined ? [] : [step.text]));
      return [[step.path, lines.join('\n')]];
    }
  }
}

/** Returns the options after a step. */
export function changedOptions(before: Changes, changes: OptionSteps): Changes {
  return { ...before, ...changes, prose: { ...defaultOptions.prose, ...before.prose, ...changes.prose } };
}
