/** Large folders of source files, for tests of running scans and of the user interface in a large tree. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const linesPerFile = 200;
const filesPerFolder = 100;

/** Writes pseudorandom files that take a while to scan and have hardly any copies. */
export async function writeManyFiles(folder: string, count: number): Promise<void> {
  const chance = seededChance();
  const name = (): string => `name${chance(5000)}`;
  for (let file = 0; file < count; file++) {
    const lines = Array.from({ length: linesPerFile }, () => line(name, chance));
    const inner = path.join(folder, `folder${Math.floor(file / filesPerFolder)}`);
    if (file % filesPerFolder === 0) await mkdir(inner, { recursive: true });
    await writeFile(path.join(inner, `file${file}.ts`), lines.join('\n'));
  }
}

/** Number of functions in a file of `writeLargeTree`, and of statements in each. */
const functionsPerFile = 16;
const statementsPerFunction = 14;
/** Interval of functions that are copies of an earlier one. */
const oneCopyIn = 12;

/**
 * Writes packages of TypeScript with 250 lines per file. Some functions are copies of earlier ones, with or without
 * other statements.
 */
export async function writeLargeTree(folder: string, count: number): Promise<void> {
  const chance = seededChance();
  const name = (): string => `name${chance(5000)}`;
  const statement = (): string => `  ${line(name, chance)}`;
  const pool: (readonly string[])[] = [];
  for (let file = 0; file < count; file++) {
    const functions = Array.from({ length: functionsPerFile }, (_, place) => {
      const copied = pool[chance(oneCopyIn * pool.length)];
      const body = copied ?? Array.from({ length: statementsPerFunction }, statement);
      const isEdited = copied !== undefined && chance(2) === 0;
      const written = isEdited ? body.map((old) => (chance(6) === 0 ? statement() : old)) : body;
      if (copied === undefined && chance(4) === 0) pool.push(body);
      return [`export function work${file}at${place}(${name()}, ${name()}) {`, ...written, '}'].join('\n');
    });
    const inner = path.join(folder, 'packages', `part${Math.floor(file / filesPerFolder)}`, 'src');
    if (file % filesPerFolder === 0) await mkdir(inner, { recursive: true });
    await writeFile(path.join(inner, `module${file}.ts`), `${functions.join('\n')}\n`);
  }
}

/** Number of sections on a page of `writeLargeProse`, and of paragraphs and lines in each: 500 lines per page. */
const sectionsPerPage = 10;
const paragraphsPerSection = 6;
const linesPerParagraph = 7;
const wordsPerLine = 9;

/** Writes chapters of Markdown with 500 lines per page. Some paragraphs are exact or edited copies of earlier ones. */
export async function writeLargeProse(folder: string, count: number): Promise<void> {
  const chance = seededChance();
  const words = (size: number): string[] => Array.from({ length: size }, () => madeUpWord(chance));
  const sentence = (): string => `${words(wordsPerLine).join(' ')}${chance(3) === 0 ? '.' : ''}`;
  const pool: (readonly string[])[] = [];
  const paragraph = (): string => {
    const copied = pool[chance(oneCopyIn * pool.length)];
    const text = copied ?? Array.from({ length: linesPerParagraph }, sentence);
    if (copied === undefined && chance(20) === 0) pool.push(text);
    const isEdited = copied !== undefined && chance(2) === 0;
    return (isEdited ? text.map((old) => (chance(6) === 0 ? sentence() : old)) : text).join('\n');
  };
  for (let page = 0; page < count; page++) {
    const sections = Array.from({ length: sectionsPerPage }, (_, place) => {
      const title = `## ${words(3).join(' ')} ${page}.${place}`;
      return [title, ...Array.from({ length: paragraphsPerSection }, paragraph)].join('\n\n');
    });
    const inner = path.join(folder, 'book', `chapter${Math.floor(page / filesPerFolder)}`);
    if (page % filesPerFolder === 0) await mkdir(inner, { recursive: true });
    await writeFile(path.join(inner, `page${page}.md`), `${sections.join('\n\n')}\n`);
  }
}

/** Returns one of 8,000 words. */
function madeUpWord(chance: (below: number) => number): string {
  const syllables = [
    'ba',
    'den',
    'fo',
    'gil',
    'ka',
    'lor',
    'mi',
    'nes',
    'pu',
    'ros',
    'sa',
    'tem',
    'vi',
    'wol',
    'xe',
    'yan',
  ];
  const syllable = (): string => syllables[chance(syllables.length)];
  return syllable() + syllable() + syllable() + (chance(2) === 0 ? '' : 's');
}

/**
 * Returns pseudorandom statements, one per line, which differ from those of other seeds (from 1) in more than names.
 */
export function statementsOf(first: number, count: number): string {
  const chance = seededChance(first);
  return Array.from({ length: count }, () => line(() => `name${chance(5000)}`, chance)).join('\n');
}

function seededChance(seed = 1): (below: number) => number {
  return (below) => {
    // Lehmer's generator, which suffices for text that is the same on every run.
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
}

/** Returns one of several statements, so that files differ in more than names. */
function line(name: () => string, chance: (below: number) => number): string {
  switch (chance(5)) {
    case 0:
      return `const ${name()} = ${name()}(${name()}, ${chance(1000)}) + ${name()};`;
    case 1:
      return `if (${name()} > ${chance(100)}) ${name()}.${name()}(${name()});`;
    case 2:
      return `${name()} = [${name()}, ${name()}, '${name()}'];`;
    case 3:
      return `for (const ${name()} of ${name()}.${name()}()) ${name()} += ${chance(9)};`;
    default:
      return `return ${name()} ? ${name()} : { ${name()}: ${name()} };`;
  }
}
