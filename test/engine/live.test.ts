/** The invariant of the live corpus: after any history its findings are those of a fresh corpus of the same documents. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { works } from '../../src/engine/optionChanges.ts';
import { defaultOptions, methods, type Options, readCommentsChoices } from '../../src/engine/options.ts';
import { type Changes, type Documents, findingsOf, LiveTextCorpus } from './corpusOf.ts';

/** Functions that documents are put together of. Some are alike: what becomes of them depends on all documents. */
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
const lineOfOwn = (n: number): string => `const own${n} = call${n}(${n}, "text ${n}") + other${n * 7};`;

/** A function: which body, the name its words are renamed by (none for 0), and a line put in somewhere. */
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

const sentences = [
  'The index holds every window of every document, and it is searched whenever a document changes its text.',
  'When two windows have fingerprints that differ in few bits, the passages around them are compared word by word.',
  'A passage that is found in several documents is shown once, with all of the places where it was found.',
  'Nothing is reported twice, and nothing that was found before is forgotten while the documents stay the same.',
  'What a person reads as one thing is shown as one thing, however many documents it has been copied into.',
];
const paths = ['a.ts', 'b.ts', 'c/d.ts', 'c/e.ts', 'f.md', 'g.ts', 'h/i.md', 'j.ts'];
/** A comment above a function, or none: it says what pages say as well. */
const comment = fc
  .subarray(sentences, { maxLength: 4 })
  .map((list) => (list.length === 0 ? '' : `/**\n${list.map((sentence) => ` * ${sentence}\n`).join('')} */\n`));
const codeOf = fc.array(fc.tuple(comment, piece), { maxLength: 4 }).map((pieces) => {
  const functions = pieces.map(([above, made], i) => above + write(made, i));
  return functions.join('\n') + (pieces.length % 2 ? '// größer\n' : '');
});
const proseOf = fc
  .array(fc.subarray(sentences, { minLength: 2 }), { maxLength: 3 })
  .map((paragraphs) => paragraphs.map((list) => list.join(' ')).join('\n\n'));
const document = fc
  .constantFrom(...paths)
  .chain((path) => (path.endsWith('.md') ? proseOf : codeOf).map((text): readonly [string, string] => [path, text]));

type Step =
  | { readonly type: 'put' | 'interruption'; readonly documents: readonly (readonly [string, string])[] }
  | { readonly type: 'remove'; readonly path: string }
  | { readonly type: 'rename'; readonly from: string; readonly to: string }
  | { readonly type: 'edit'; readonly path: string; readonly line: number; readonly text: string | undefined }
  | { readonly type: 'options'; readonly changes: OptionSteps }
  | { readonly type: 'restart' }
  | { readonly type: 'renewal' }
  | { readonly type: 'renewInVain' }
  | { readonly type: 'keepInVain' };

/** Options that become others, those of prose by themselves. */
interface OptionSteps extends Omit<Changes, 'prose'> {
  readonly prose?: Partial<Options['prose']>;
}

const { weights, prose: ofProse } = defaultOptions;
const optionSteps: fc.Arbitrary<OptionSteps> = fc.oneof(
  fc.record({ maxDistance: fc.constantFrom(0, 1, 3, 6) }),
  fc.record({ minTokens: fc.constantFrom(20, 50, 80) }),
  fc.record({ minLines: fc.constantFrom(1, 4, 8) }),
  fc.record({ minSimilarity: fc.constantFrom(0.4, 0.55, 0.9) }),
  fc.record({ shingleSize: fc.constantFrom(2, 4, 5) }),
  fc.record({ renamed: fc.boolean() }),
  fc.record({ weights: fc.constantFrom(weights, { ...weights, identifier: 0.25, punctuation: 1 }) }),
  fc.record({ readComments: fc.constantFrom(...readCommentsChoices) }),
  fc.record({ method: fc.constantFrom(...methods) }),
  fc.record({ prose: fc.record({ maxDistance: fc.constantFrom(0, 3, 5) }) }),
  fc.record({ prose: fc.record({ shingleSize: fc.constantFrom(2, 3) }) }),
  fc.record({ prose: fc.record({ minWords: fc.constantFrom(15, 40), minSimilarity: fc.constantFrom(0.5, 0.6) }) }),
);

type DocumentStep = Extract<Step, { readonly type: 'put' | 'interruption' | 'remove' | 'rename' | 'edit' }>;

const aPath = fc.constantFrom(...paths);
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('put', 'put', 'interruption'),
      documents: fc.array(document, { minLength: 1, maxLength: 4 }),
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
    arbitrary: fc
      .constantFrom('restart' as const, 'renewal' as const, 'renewInVain' as const, 'keepInVain' as const)
      .map((type) => ({ type })),
  },
);

const options: fc.Arbitrary<Changes> = fc.record({
  maxDistance: fc.constantFrom(0, 1, 3, 6),
  minTokens: fc.constantFrom(20, 50),
  minLines: fc.constantFrom(1, 4),
  renamed: fc.boolean(),
  readComments: fc.constantFrom('none', 'asText'),
  method: fc.constantFrom(...methods),
});

suite('a live corpus', () => {
  test('finds after any history what a fresh one finds', function () {
    this.timeout(60_000);
    let [updates, groups] = [0, 0];
    const done = new Map<string, number>();
    fc.assert(
      fc.property(
        fc.array(document, { maxLength: 8, size: 'max' }),
        options,
        fc.array(steps, { minLength: 1, maxLength: 12, size: 'max' }),
        (first, atFirst, history) => {
          const texts = new Map(first);
          const live = new LiveTextCorpus(Object.fromEntries(texts), atFirst);
          let now: Changes = atFirst;
          for (const step of history) {
            let what: string = step.type;
            if (step.type === 'options') {
              now = { ...now, ...step.changes, prose: { ...ofProse, ...now.prose, ...step.changes.prose } };
              what = live.turnTo(now);
            } else if (step.type === 'restart') live.restart();
            else if (step.type === 'renewal') assert.deepEqual(live.renewRarities(), findingsOf(toObject(texts), now));
            else if (step.type === 'renewInVain') live.renewInVain();
            else if (step.type === 'keepInVain') live.keepInVain();
            else {
              for (const [path, text] of changesOf(step, texts)) {
                if (text === undefined) {
                  texts.delete(path);
                  live.remove(path);
                } else {
                  texts.set(path, text);
                  live.put(path, text);
                }
              }
              if (step.type === 'interruption') live.updateInVain();
            }
            done.set(what, (done.get(what) ?? 0) + 1);
            const findings = live.findings();
            groups += findings.groups.length;
            assert.deepEqual(findings, findingsOf(toObject(texts), now, live.rarities()));
          }
          updates += live.updates;
        },
      ),
      { numRuns: 150 },
    );
    assert.ok(updates > 400, `only ${updates} reports were made of changes alone`);
    assert.ok(groups > 500, `only ${groups} groups were found`);
    for (const what of [
      'put',
      'interruption',
      'remove',
      'rename',
      'edit',
      'restart',
      'renewal',
      'renewInVain',
      'keepInVain',
      ...works,
    ]) {
      assert.ok((done.get(what) ?? 0) > 5, `${what} was tried ${done.get(what) ?? 0} times`);
    }
  });

  test('keeps the memory of a document apart from that of an empty one that lay in its place', function () {
    this.timeout(60_000);
    const text = (lines: number): string => Array.from({ length: lines }, (_, n) => lineOfOwn(n)).join('\n');
    // Which sizes of documents share a place depends on how memory is given back.
    for (let lines = 20; lines < 28; lines++) {
      for (let fewer = 0; fewer < 6; fewer++) {
        const [larger, smaller] = [text(lines), text(lines - fewer)];
        const live = new LiveTextCorpus({ 'c.ts': larger, 'a.ts': '', 'b.ts': larger });
        live.remove('b.ts');
        live.findings();
        live.put('d.ts', smaller);
        live.put('a.ts', ' ');
        live.findings();
        live.put('e.ts', smaller);
        live.put('f.ts', ' ');
        const documents = { 'a.ts': ' ', 'c.ts': larger, 'd.ts': smaller, 'e.ts': smaller, 'f.ts': ' ' };
        assert.deepEqual(live.findings(), findingsOf(documents, {}, live.rarities()));
      }
    }
  });
});

function toObject(texts: ReadonlyMap<string, string>): Documents {
  return Object.fromEntries(texts);
}

/** What becomes of which documents; undefined: it goes. */
function changesOf(step: DocumentStep, texts: ReadonlyMap<string, string>): (readonly [string, string | undefined])[] {
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
