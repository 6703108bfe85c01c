/** Parses the output of `git diff`: the files of `--raw -z`, and the hunks of `--unified=0`. */
import type { Hunk } from './changes.ts';

/** A changed file in git's output. */
export interface RawChange {
  /** `undefined` for a removed file. */
  readonly path: string | undefined;
  /** `undefined` for an added file. */
  readonly basePath: string | undefined;
  /** Object id of the previous text; `undefined` for an added file or another type of entry. */
  readonly baseObject: string | undefined;
  /** True if either side is a submodule. */
  readonly isSubmodule: boolean;
}

const submodule = '160000';
const regularFile = /^100/;

/** Parses `git diff --raw -z --no-abbrev`. */
export function parseRaw(text: string): RawChange[] {
  const fields = text.split('\0');
  const changes: RawChange[] = [];
  for (let at = 0; at < fields.length;) {
    const head = /^:(\d{6}) (\d{6}) ([0-9a-f]+) [0-9a-f]+ ([A-Z])\d*$/.exec(fields[at++]!);
    if (head === null) continue;
    const [, baseMode = '', mode = '', object = '', status = ''] = head;
    const first = fields[at++]!;
    const second = status === 'R' || status === 'C' ? fields[at++]! : first;
    const isSubmodule = baseMode === submodule || mode === submodule;
    const was = status !== 'A' && status !== 'C';
    changes.push({
      path: status === 'D' ? undefined : second,
      basePath: was ? first : undefined,
      baseObject: was && regularFile.test(baseMode) ? object : undefined,
      isSubmodule,
    });
  }
  return changes;
}

/** Parsed diff of a file. */
export interface FileHunks {
  readonly hunks: readonly Hunk[];
  /** True if git treats the file as binary, so that all of it counts as changed. */
  readonly isBinary: boolean;
}

/** Parses the hunks of `git diff --unified=0`, by the current path of a file, or by the old path of a removed one. */
export function parseHunks(text: string): Map<string, FileHunks> {
  const files = new Map<string, FileHunks>();
  const reader = new LineReader(text);
  let name: string | undefined;
  let hunks: Hunk[] = [];
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    if (line.startsWith('diff --git ')) {
      name = sameName(line.slice('diff --git '.length));
      hunks = [];
    } else if (line.startsWith('rename to ')) name = unquoted(line.slice('rename to '.length));
    else if (line.startsWith('--- ') || line.startsWith('+++ ')) name = nameIn(line.slice(4)) ?? name;
    else if (line.startsWith('Binary files ') && name !== undefined) files.set(name, { hunks: [], isBinary: true });
    else {
      const hunk = readHunk(line, reader);
      if (hunk === undefined || name === undefined) continue;
      hunks.push(hunk);
      files.set(name, { hunks, isBinary: false });
    }
  }
  return files;
}

/** Parses "a/src/x.ts", "/dev/null", or a quoted name with escapes. Git appends a tab to names with blanks. */
function nameIn(given: string): string | undefined {
  const name = unquoted(given.replace(/\t$/, ''));
  return name === '/dev/null' ? undefined : name.slice(2);
}

/** Returns the name in "a/NAME b/NAME" if both are equal. */
function sameName(given: string): string | undefined {
  if (given.startsWith('"')) return nameIn(given.slice(0, given.indexOf('" "') + 1));
  const half = (given.length - 1) / 2;
  const [first, second] = [given.slice(2, half), given.slice(half + 3)];
  return first === second ? first : undefined;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };

/** Unquotes a name: git quotes names with characters that need escapes. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  // With core.quotePath off, only ASCII characters are written in octal.
  return name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, sign: string) =>
      sign.length === 3 ? String.fromCharCode(Number.parseInt(sign, 8)) : (escapes[sign] ?? sign),
    );
}

function readHunk(line: string, reader: LineReader): Hunk | undefined {
  const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
  if (head === null) return undefined;
  const [, baseStart, baseCount = '1', start, count = '1'] = head;
  const removed = Array.from({ length: Number(baseCount) }, () => reader.content());
  reader.skipNote();
  const added = Array.from({ length: Number(count) }, () => reader.content());
  reader.skipNote();
  return {
    ...{ baseStart: Number(baseStart), baseCount: Number(baseCount), start: Number(start), count: Number(count) },
    ...{ removed, added },
  };
}

class LineReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): string | undefined {
    if (this.#at >= this.#text.length) return undefined;
    const end = this.#text.indexOf('\n', this.#at);
    const line = this.#text.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#text.length : end + 1;
    return line;
  }

  /** Returns a line of a hunk without its sign. */
  content(): string {
    return this.next()?.slice(1) ?? '';
  }

  /** Skips "\ No newline at end of file". */
  skipNote(): void {
    if (this.#text.startsWith('\\', this.#at)) this.next();
  }
}
