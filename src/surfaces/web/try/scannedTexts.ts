/** Texts of the scanned files. */
import type { ScanResult } from './messages.ts';

/** Maximum number of lines to show of a passage. */
const maxLines = 2_000;

export class ScannedTexts {
  readonly #bytes: ReadonlyMap<string, Uint8Array>;
  readonly #decoder = new TextDecoder();
  /** Lines of the most recently used file. Often, several passages of one file are requested in succession. */
  #last: { readonly path: string; readonly lines: readonly string[] } | undefined;

  constructor({ texts }: ScanResult) {
    this.#bytes = new Map(texts.map(({ path, text }) => [path, text]));
  }

  /** Returns the lines `start` to `end` of a file, counted from 1, inclusive, but at most `maxLines`. */
  lines(path: string, start: number, end: number): string | undefined {
    const bytes = this.#bytes.get(path);
    if (bytes === undefined) return undefined;
    if (this.#last?.path !== path) this.#last = { path, lines: this.#decoder.decode(bytes).split(/\r\n|\n|\r/) };
    return this.#last.lines.slice(start - 1, Math.min(end, start - 1 + maxLines)).join('\n');
  }
}
