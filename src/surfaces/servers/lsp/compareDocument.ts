/** Shows the differences between two copies as a temporary file with a unified diff. LSP has no diff editor. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatPatch, structuredPatch } from 'diff';
import type { Passage } from '../../../core/engine/report/report.ts';
import { linesIn, writePlace } from '../../tools/places.ts';

export interface Side {
  readonly passage: Passage;
  readonly text: string;
}

/** Returns the unified diff of two copies. Its line numbers refer to the copies' files. */
export function compareText(left: Side, right: Side): string {
  const [before, after] = [left, right].map(({ text, passage }) => `${linesIn(text, passage).join('\n')}\n`);
  const [from, to] = [left, right].map(({ passage }) => writePlace(passage));
  const patch = structuredPatch(from!, to!, before!, after!, '', '', {
    context: Number.MAX_SAFE_INTEGER,
    timeout: 2_000,
  });
  if (patch === undefined) return `${from} and ${to} differ too much to be compared line by line.\n`;
  if (patch.hunks.length === 0) return `${from} and ${to} are equal:\n\n${before!}`;
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + left.passage.startLine - 1,
    newStart: hunk.newStart + right.passage.startLine - 1,
  }));
  return formatPatch({ ...patch, hunks });
}

/** Temporary files with diffs. The server deletes them when it exits. */
export class CompareDocuments {
  #folder: string | undefined;
  #count = 0;

  add(text: string): string {
    this.#folder ??= mkdtempSync(path.join(tmpdir(), 'kindred-compare-'));
    const file = path.join(this.#folder, `copies-${++this.#count}.diff`);
    writeFileSync(file, text);
    return pathToFileURL(file).href;
  }

  dispose(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}
