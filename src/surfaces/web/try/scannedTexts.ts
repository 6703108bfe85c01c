/** The texts of a scan, by path. */
import type { ScanResult } from './messages.ts';

/** Maximum number of lines of a passage that are shown. */
const maxLines = 2_000;

export class ScannedTexts {
  readonly #bytes: ReadonlyMap<string, Uint8Array>;
  readonly #decoder = new TextDecoder();
  /** The file that was read last: passages of one file are often read in turn. */
  #last: { readonly path: string; readonly lines: readonly string[] } | undefined;

  constructor({ texts }: ScanResult) {
    this.#bytes = new Map(texts.map(({ path, text }) => [path, text]));
  }

  /** Returns lines of a file, from 1, inclusive; at most `maxLines`. */
  lines(path: string, start: number, end: number): string | undefined {
    const bytes = this.#bytes.get(path);
    if (bytes === undefined) return undefined;
    if (this.#last?.path !== path) this.#last = { path, lines: this.#decoder.decode(bytes).split(/\r\n|\n|\r/) };
    return this.#last.lines.slice(start - 1, Math.min(end, start - 1 + maxLines)).join('\n');
  }
}
