/** Caches a value for each of the last requested passages. Values are valid only for the current report. */
import type { Passage } from '../../../core/engine/report/report.ts';
import type { FindingsModel } from './findings.ts';

export class PassageCache<Value> {
  readonly #findings: FindingsModel;
  readonly #maxKept: number;
  /** Values by kind and place, least recently used first. */
  readonly #values = new Map<string, Value>();
  #generation: number | undefined;

  constructor(findings: FindingsModel, maxKept: number) {
    this.#findings = findings;
    this.#maxKept = maxKept;
  }

  /** @param read  returns a value that is not cached, of the passage at its current position */
  of(ofReport: Passage, kind: string, read: (passage: Passage) => Value): Value {
    const passage = this.#findings.now(ofReport);
    const generation = this.#findings.snapshot?.generation;
    if (generation !== this.#generation) this.#values.clear();
    this.#generation = generation;
    const key = `${kind} ${passage.startLine}:${passage.endLine}:${passage.path}`;
    const value = this.#values.get(key) ?? read(passage);
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#maxKept) this.#values.delete(oldest!);
    return value;
  }
}
