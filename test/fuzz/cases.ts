/** Fuzzing cases: a few files that are edited copies of each other, and options. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { root } from '../../scripts/project.mjs';
import { defaultOptions, methods } from '../../src/core/engine/options.ts';
import { tokenKinds } from '../../src/core/engine/languages/tokenKind.ts';
import { type FormatName, formatNames } from '../../src/surfaces/cli/formats/destinations.ts';
import type { Changes } from '../engine/corpusOf.ts';
import { mutation } from './mutations.ts';

/** Files of a scan, and its options. */
export interface FuzzCase {
  /** Files by path with forward slashes. */
  readonly files: Readonly<Record<string, Buffer>>;
  readonly options: FuzzOptions;
  /** Additional inputs of the command line. */
  readonly surroundings: Surroundings;
}

/** The other parts of the tree of a case, and a format of its report. */
export interface Surroundings {
  /** Targets of symbolic links, by path. */
  readonly links: Readonly<Record<string, string>>;
  /** Paths of files without read permission. */
  readonly unreadable: readonly string[];
  readonly format: FormatName;
}

/** Options that differ from the defaults, by their names on the command line. */
export type FuzzOptions = Readonly<Record<string, string | number | boolean>>;

/** A text on which cases are based. */
export interface Origin {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Larger files are clipped, so that cases are small and many. */
const maxBytes = 40_000;

/** Returns up to `limit` files from all of a tree, or without a tree, the texts of all languages. */
export function originsOf(tree: string | undefined, limit = 2_000): Origin[] {
  const folder = tree ?? path.join(root, 'test/fixtures/lex');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => (tree !== undefined || !name.endsWith('.tokens')) && isFile(path.join(folder, name)))
    .sort();
  const every = Math.ceil(files.length / limit);
  return files
    .filter((_, i) => i % every === 0)
    .map((name) => ({
      name: path.basename(name),
      bytes: readFileSync(path.join(folder, name)).subarray(0, maxBytes),
    }));
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

const share = fc.integer({ min: 6, max: 20 }).map((n) => n / 20);
const bits = fc.constantFrom(0, 1, 3, 6, 9, 16);
const someOptions = fc.record(
  {
    k: bits,
    'min-tokens': fc.constantFrom(10, 12, 20, 50, 100),
    'min-lines': fc.constantFrom(1, 2, 5, 9),
    'min-similarity': share,
    'shingle-size': fc.integer({ min: 1, max: 16 }),
    renamed: fc.boolean(),
    'read-comments': fc.constant('asText'),
    method: fc.constantFrom(...methods),
    prose: fc.boolean(),
    'prose-k': bits,
    'prose-min-words': fc.constantFrom(10, 15, 40),
    'prose-min-similarity': share,
    'prose-shingle-size': fc.integer({ min: 1, max: 16 }),
    weights: fc
      .tuple(fc.constantFrom(...tokenKinds), fc.constantFrom(0, 0.1, 1, 7.5, 100))
      .map(([kind, weight]) => `${kind}=${weight}`),
    generated: fc.boolean(),
  },
  { requiredKeys: [] },
);
/** Most cases have few options. */
const options: fc.Arbitrary<FuzzOptions> = fc
  .tuple(someOptions, fc.constantFrom(1, 3, 20))
  .map(([all, every]) => Object.fromEntries(Object.entries(all).filter((_, i) => i % every === 0)));

/** Maximum number of families of files in a case, and of copies in a family. */
export interface CaseSize {
  readonly families: number;
  readonly copies: number;
}

/** Small cases, to be run in large numbers, and larger ones, which are worth starting a program. */
export const sizes = { small: { families: 3, copies: 4 }, large: { families: 16, copies: 8 } } as const;

const links = fc.dictionary(
  fc.constantFrom('link.ts', 'link.md', 'src/link.py', 'src/folder', 'folder', 'test/a/folder.js'),
  fc.constantFrom(
    'src',
    '../src',
    '..',
    '.',
    'link.ts',
    'nowhere.ts',
    '/etc/passwd',
    '/',
    '/dev/zero',
    'folder/link.ts',
  ),
  { maxKeys: 4 },
);

/** Returns surroundings for a tree of files. */
function surroundingsOf(names: readonly string[]): fc.Arbitrary<Surroundings> {
  return fc.record({
    links,
    unreadable: fc.subarray([...names], { maxLength: Math.min(3, names.length) }),
    format: fc.constantFrom(...formatNames),
  });
}

/** Returns cases that are based on these texts. */
export function casesOf(origins: readonly Origin[], size: CaseSize): fc.Arbitrary<FuzzCase> {
  const copy = fc.record({
    mutations: fc.array(mutation, { maxLength: 4 }),
    folder: fc.constantFrom('', 'src/', 'src/ö ü/', 'test/'),
    // The extension need not match the content.
    ending: fc.option(fc.constantFrom(...new Set(origins.map(({ name }) => path.extname(name)))), {
      freq: 9,
      nil: undefined,
    }),
  });
  const family = fc.record({
    origin: fc.constantFrom(...origins),
    copies: fc.array(copy, { minLength: 2, maxLength: size.copies, size: 'max' }),
    // Another text appended at its end.
    other: fc.option(fc.constantFrom(...origins), { freq: 3, nil: undefined }),
  });
  return fc
    .record({ families: fc.array(family, { minLength: 1, maxLength: size.families, size: 'max' }), options })
    .map(({ families, options }) => {
      const files: Record<string, Buffer> = {};
      for (const { origin, copies, other } of families) {
        const text = other === undefined ? origin.bytes : Buffer.concat([origin.bytes, other.bytes]);
        for (const { mutations, folder, ending } of copies) {
          const bytes = mutations.reduce((before, mutate) => mutate(before), text).subarray(0, 2 * maxBytes);
          const extension = ending ?? path.extname(origin.name);
          files[`${folder}${path.basename(origin.name, extension)}${Object.keys(files).length}${extension}`] = bytes;
        }
      }
      return { files, options };
    })
    .chain((made) => surroundingsOf(Object.keys(made.files)).map((surroundings) => ({ ...made, surroundings })));
}

/** Returns the command-line arguments for options. */
export function argumentsOf(options: FuzzOptions): string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    typeof value === 'boolean' ? [value ? `--${name}` : `--no-${name}`] : [`--${name}`, String(value)],
  );
}

/** Returns the same options for the engine, without those that select files. */
export function changesOf(fuzzOptions: FuzzOptions): Changes {
  const { weights, prose } = defaultOptions;
  const of = <Value>(name: string, otherwise: Value): Value => (fuzzOptions[name] as Value | undefined) ?? otherwise;
  const [kind = '', weight] = of('weights', '').split('=');
  return {
    maxDistance: of('k', defaultOptions.maxDistance),
    minTokens: of('min-tokens', defaultOptions.minTokens),
    minLines: of('min-lines', defaultOptions.minLines),
    minSimilarity: of('min-similarity', defaultOptions.minSimilarity),
    shingleSize: of('shingle-size', defaultOptions.shingleSize),
    renamed: of('renamed', defaultOptions.renamed),
    readComments: of('read-comments', defaultOptions.readComments),
    method: of('method', defaultOptions.method),
    weights: kind === '' ? weights : { ...weights, [kind]: Number(weight) },
    prose: {
      enabled: of('prose', prose.enabled),
      maxDistance: of('prose-k', prose.maxDistance),
      minWords: of('prose-min-words', prose.minWords),
      minSimilarity: of('prose-min-similarity', prose.minSimilarity),
      shingleSize: of('prose-shingle-size', prose.shingleSize),
    },
  };
}
