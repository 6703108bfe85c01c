import path from 'node:path';
import type { Passage } from '../../../core/engine/report/report.ts';
import { readSource } from '../../../scan/io/readSource.ts';

/** Maximum number of lines to return per passage. */
const maxLines = 400;
/** Maximum number of characters to return per line. Some files have lines of several megabytes. */
const longestLine = 500;

/** Reads the texts of passages. Caches the last few files, because callers may alternate between files. */
export class PassageTexts {
  readonly #root: string;
  readonly #files = new Map<string, readonly string[] | undefined>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Returns the text of a passage; `undefined` if its file can no longer be read. */
  textOf({ path: name, startLine, endLine }: Passage): string | undefined {
    const lines = this.#linesOf(name)?.slice(startLine - 1, Math.min(endLine, startLine - 1 + maxLines));
    return lines?.map((line) => (line.length <= longestLine ? line : `${line.slice(0, longestLine)}…`)).join('\n');
  }

  #linesOf(name: string): readonly string[] | undefined {
    if (!this.#files.has(name)) {
      if (this.#files.size >= maxFiles) this.#files.clear();
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

const maxFiles = 200;
