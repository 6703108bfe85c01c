/** Two states of a tree: the reports of both, and the diff between them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { addedFile, type FileChange, removedFile } from '../../src/review/gate/changes.ts';
import { areSameTokens, PassageTokens } from '../../src/core/engine/passageTokens.ts';
import { divergedCopies, type DivergedGroup, type Place } from '../../src/review/gate/divergedCopies.ts';
import { Changes, newCopies } from '../../src/review/gate/newCopies.ts';
import { parseHunks } from '../../src/review/gate/parseDiff.ts';
import type { Group } from '../../src/core/engine/report/report.ts';
import { type Documents, findingsOf } from '../engine/corpusOf.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

/** Result of a comparison of two states of a tree. */
export interface JudgedHistory {
  readonly base: readonly Group[];
  readonly now: readonly Group[];
  /** Passages of new copies, without repeats, such as "c.ts:1-15". */
  readonly fresh: readonly string[];
  /** Paths of files that are new copies. */
  readonly freshFiles: readonly string[];
  readonly diverged: readonly DivergedGroup[];
}

const tokens = new PassageTokens();

function linesAt(documents: Documents, { path: name, startLine, endLine }: Place): Uint8Array {
  return Buffer.from(
    documents[name]
      .split('\n')
      .slice(startLine - 1, endLine)
      .join('\n'),
  );
}

/** Compares two states of a tree. Git follows files, including renamed ones. */
export function judge(before: Documents, after: Documents): JudgedHistory {
  const [base, now] = [findingsOf(before).groups, findingsOf(after).groups];
  const changes = new Changes(changesBetween(before, after));
  const texts = {
    base: (name: string) => before[name]?.split('\n'),
    now: (name: string) => after[name]?.split('\n'),
  };
  const [fresh, freshFiles] = [new Set<string>(), new Set<string>()];
  for (const [{ kind, passages }, places] of newCopies(now, base, changes, texts)) {
    for (const place of places) {
      const { path: name, startLine, endLine } = passages[place];
      if (kind === 'file') freshFiles.add(name);
      else fresh.add(`${name}:${startLine}-${endLine}`);
    }
  }
  return {
    base,
    now,
    fresh: [...fresh].sort(),
    freshFiles: [...freshFiles].sort(),
    diverged: divergedCopies(base, changes, (was, is) => {
      const [x, y] = [linesAt(before, was), linesAt(after, is)];
      return areSameTokens(tokens.of(was.path, x), tokens.of(is.path, y));
    }),
  };
}

function changesBetween(before: Documents, after: Documents): FileChange[] {
  const folder = makeFolder({});
  const git = (...gitArguments: readonly string[]): string =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=n', '-c', 'user.email=n@e', ...gitArguments], {
      encoding: 'utf8',
    });
  const put = (files: Documents): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    git('add', '--all');
  };
  try {
    git('init', '-q');
    put(before);
    git('commit', '-q', '--allow-empty', '-m', 'base');
    for (const name of Object.keys(before)) rmSync(path.join(folder, name));
    put(after);
    const names = git('diff', '--cached', '-M', '--name-status', 'HEAD').trim().split('\n').filter(Boolean);
    const hunks = parseHunks(git('diff', '--cached', '-M', '-w', '--unified=0', 'HEAD'));
    return names.map((line) => {
      const [status = '', first = '', second = first] = line.split('\t');
      if (status === 'A') return addedFile(first);
      if (status === 'D') return removedFile(first);
      return { path: second, basePath: first, hunks: hunks.get(second)?.hunks ?? [] };
    });
  } finally {
    removeFolder(folder);
  }
}
