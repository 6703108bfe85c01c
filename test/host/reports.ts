/** Reports made by hand, for tests of components that show one. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type {
  CategoryTotals,
  Findings,
  FolderGroup,
  Group,
  Passage,
  SkippedFile,
  Totals,
} from '../../src/core/engine/report/report.ts';
import { Folders, LooseDocuments } from '../../src/surfaces/vscode/workspace/folders.ts';
import { makeSnapshot, type Snapshot } from '../../src/surfaces/vscode/findings/snapshot.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import type { Judgement } from '../../src/session/protocol/judgement.ts';
import { packFindings } from '../../src/session/protocol/packedFindings.ts';

export function foldersOf(...folders: readonly (readonly [file: string, prefix: string])[]): Folders {
  return new Folders(
    folders.map(([file, prefix]) => ({ uri: vscode.Uri.file(file), prefix, sources: defaultSourceOptions })),
    new LooseDocuments(),
  );
}

export function passageOf(path: string, startLine: number, endLine: number): Passage {
  return { path, startLine, startColumn: 1, endLine, endColumn: 2, tokens: 60 };
}

export function groupOf(id: string, passages = [passageOf('a.ts', 1, 9), passageOf('b.ts', 1, 9)]): Group {
  return {
    id,
    kind: 'code',
    type: 'near',
    similarity: 0.9,
    lines: 9,
    tokens: 60,
    category: 'source',
    worth: 60,
    passages,
    pairs: [],
  };
}

export type Contents = Pick<Findings, 'groups' | 'files' | 'folders'> & Pick<Totals, 'categories'>;

export function foldersOfRows(paths: readonly string[], groups: readonly string[]): FolderGroup {
  return {
    paths,
    groups,
    files: [3, 3],
    alike: [2, 3],
    lines: [20, 25],
    shares: [0.5, 0.6],
    passages: 4,
    category: 'text',
    worth: 9,
  };
}

export function totalsOf(duplicatedLines: number, lines: number, rows: number): CategoryTotals {
  return { files: 3, lines, rows, duplicatedLines, duplicatedPercent: (100 * duplicatedLines) / lines };
}

/** Returns the judgement of a report without ignored groups. */
export function nothingIgnored({ totals }: Pick<Findings, 'totals'>): Judgement {
  return { sources: [], aside: [], totals, unknown: undefined, trouble: [] };
}

export async function snapshotOf(
  groups: readonly Group[],
  generation: number,
  { files = [], folders = [], categories = {} }: Partial<Contents> = {},
): Promise<Snapshot> {
  const { totals, ...rest } = findingsOf(groups, []);
  const findings = packFindings({ ...rest, totals: { ...totals, categories }, files, folders });
  const snapshot = await makeSnapshot(
    { generation, findings, judgement: nothingIgnored(findings), hidden: [], elapsedMs: 1 },
    foldersOf(['/w', '']),
    undefined,
  );
  assert.ok(snapshot);
  return snapshot;
}

export function findingsOf(groups: readonly Group[], skipped: readonly SkippedFile[]): Findings {
  const totals = {
    files: 1,
    lines: 1,
    tokens: 1,
    groups: groups.length,
    passages: 0,
    duplicatedLines: 0,
    duplicatedPercent: 0,
    skipped: skipped.length,
    categories: {},
  };
  return { complete: true, totals, groups, files: [], folders: [], skipped };
}
