/** Names of passages, such as those of functions. Read from the files when rows are displayed. */
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import { type PassageName, passageName } from '../../../presentation/wording/passageName.ts';
import { tellingLine } from '../../../presentation/wording/tellingLine.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { SavedText } from '../findings/savedText.ts';
import { nameText } from './rowLabels.ts';

/** Size of the cache: the rows of a few pages of the tree. */
const maxKept = 1000;

interface FoundName extends PassageName {
  /** True if the passage has no named construct, and the name is the beginning of its text instead. */
  readonly isBeginning: boolean;
}

export class PassageNames {
  readonly #findings: FindingsModel;
  readonly #text: SavedText;
  /** Names by place, the least recently used first. Only valid for the report `#generation`. */
  readonly #known = new Map<string, Promise<FoundName | undefined>>();
  #generation: number | undefined;

  constructor(findings: FindingsModel, text: SavedText) {
    this.#findings = findings;
    this.#text = text;
  }

  /**
   * Returns the name of the construct that the passage is or is in; without one, the beginning of its text. Returns
   * `undefined` for whole files, and if the file was deleted.
   */
  of({ kind }: Group, ofReport: Passage): Promise<FoundName | undefined> {
    if (kind === 'file') return Promise.resolve(undefined);
    const generation = this.#findings.snapshot?.generation;
    if (generation !== this.#generation) this.#known.clear();
    this.#generation = generation;
    const passage = this.#findings.now(ofReport);
    const key = `${kind} ${passage.startLine}:${passage.endLine}:${passage.path}`;
    const name = this.#known.get(key) ?? this.#read(kind, passage);
    this.#known.delete(key);
    this.#known.set(key, name);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= maxKept) break;
      this.#known.delete(oldest);
    }
    return name;
  }

  /** Returns the name of the construct that the passage is or is in, for a title; `undefined` without one. */
  async inTitle(group: Group, passage: Passage): Promise<string | undefined> {
    const found = await this.of(group, passage);
    return found?.isBeginning === false ? nameText(found)[0] : undefined;
  }

  async #read(kind: Group['kind'], passage: Passage): Promise<FoundName | undefined> {
    const { path, startLine, endLine } = passage;
    const lines = await this.#text.linesOf(this.#findings.uriOf(passage), 1, endLine);
    const name = passageName(lines, startLine - 1, endLine, kind, path);
    if (name !== undefined) return { ...name, isBeginning: false };
    const line = tellingLine(lines.slice(startLine - 1, endLine), kind, path);
    return line === undefined ? undefined : { name: line, isWhole: true, isBeginning: true };
  }
}
