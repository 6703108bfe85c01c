/** Texts that are open in the editors of a client. They replace the content of files. */
import type { Overlay } from '../protocol/messages.ts';
import type { Texts } from './follower.ts';

export class OpenTexts implements Texts {
  readonly #texts = new Map<string, string>();
  /** Paths, as in the report, of texts that have changed and have not been sent to the worker. */
  readonly #changed = new Set<string>();

  /** @param path  path as in the report */
  set(path: string, text: string): void {
    this.#texts.set(path, text);
    this.#changed.add(path);
  }

  drop(path: string): void {
    if (this.#texts.delete(path)) this.#changed.add(path);
  }

  of(path: string): string | undefined {
    return this.#texts.get(path);
  }

  all(): Overlay[] {
    this.#changed.clear();
    return [...this.#texts].map(([path, text]) => ({ path, text, overFile: true }));
  }

  changes(): ReturnType<Texts['changes']> {
    const changed = [...this.#changed];
    this.#changed.clear();
    const overlays = changed.flatMap((path): Overlay[] => {
      const text = this.#texts.get(path);
      return text === undefined ? [] : [{ path, text, overFile: true }];
    });
    return { overlays, dropped: changed.filter((path) => !this.#texts.has(path)) };
  }

  hasChanges(): boolean {
    return this.#changed.size > 0;
  }
}
