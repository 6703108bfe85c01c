/** The texts of passages, for a report that shows them. */
import path from 'node:path';
import type { Passage } from '../../engine/report/report.ts';
import { readSource } from '../../io/readSource.ts';

/** Of a longer passage the first lines are shown. */
const mostLines = 400;
/** A line of megabytes helps nobody. */
const longestLine = 500;

/** Reads texts of passages below a folder. Files that are asked for in turns are read once, as long as they are few. */
export class PassageTexts {
  readonly #root: string;
  readonly #files = new Map<string, readonly string[] | undefined>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The lines of a passage; undefined when its file cannot be read any more. */
  textOf({ path: name, startLine, endLine }: Passage): string | undefined {
    const lines = this.#linesOf(name)?.slice(startLine - 1, Math.min(endLine, startLine - 1 + mostLines));
    return lines?.map((line) => (line.length <= longestLine ? line : `${line.slice(0, longestLine)}…`)).join('\n');
  }

  #linesOf(name: string): readonly string[] | undefined {
    if (!this.#files.has(name)) {
      if (this.#files.size >= mostFiles) this.#files.clear();
      const file = { file: path.join(this.#root, name), path: name };
      const source = readSource(file, { maxFileSizeBytes: 2 ** 27, generated: true }, (size) =>
        Buffer.allocUnsafe(size),
      );
      const text = 'skipped' in source ? undefined : new TextDecoder().decode(source.bytes);
      this.#files.set(name, text?.split(/\r\n|\r|\n/));
    }
    return this.#files.get(name);
  }
}

const mostFiles = 200;
