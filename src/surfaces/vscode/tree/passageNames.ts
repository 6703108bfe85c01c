/** Finds names of passages, such as function names. Reads them from the files when rows are displayed. */
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import { type PassageName, passageName } from '../../../presentation/wording/passageName.ts';
import { tellingLine } from '../../../presentation/wording/tellingLine.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { PassageCache } from '../findings/passageCache.ts';
import type { SavedText } from '../findings/savedText.ts';
import { nameText } from './rowLabels.ts';

/** Maximum number of cached names: enough for the rows of a few pages in the tree. */
const maxKept = 1000;

interface FoundName extends PassageName {
  /** True if there is no named function, class, or similar, so that the name is the beginning of the passage's text. */
  readonly isBeginning: boolean;
}

export class PassageNames {
  readonly #findings: FindingsModel;
  readonly #text: SavedText;
  readonly #names: PassageCache<Promise<FoundName | undefined>>;

  constructor(findings: FindingsModel, text: SavedText) {
    this.#findings = findings;
    this.#names = new PassageCache(findings, maxKept);
    this.#text = text;
  }

  /**
   * Returns the name of the function, class, or similar that the passage consists of or lies in. If there is none,
   * returns the beginning of its text. Returns `undefined` for whole files, and if the file was deleted.
   */
  of({ kind }: Group, ofReport: Passage): Promise<FoundName | undefined> {
    if (kind === 'file') return Promise.resolve(undefined);
    return this.#names.of(ofReport, kind, (passage) => this.#read(kind, passage));
  }

  /** Same as `of`, for use in a title: returns `undefined` instead of the beginning of the text. */
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
