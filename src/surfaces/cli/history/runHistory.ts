/** `kindred history --missed-fixes`: reads commits, finds edits that some copies lack, and writes a report. */
import path from 'node:path';
import type { Group } from '../../../core/engine/report/report.ts';
import { lexiconForPath } from '../../../core/engine/languages/allLexicons.ts';
import { PassageTokens } from '../../../core/engine/passageTokens.ts';
import type { ScannedTree } from '../../../review/check/scannedTree.ts';
import { linesOf } from '../../../review/check/sourceTexts.ts';
import { Git } from '../../../scan/io/git.ts';
import { printableJson } from '../../../presentation/wording/printable.ts';
import type { HistoryArguments } from '../historyArguments.ts';
import { type Commit, readEdits } from './edits.ts';
import { EditIndex, type MissedFix, missedFixes } from './missedFixes.ts';
import { mentionsFix } from './likeFix.ts';
import { renderHistory } from './renderHistory.ts';

export interface History {
  readonly tool: { readonly name: 'kindred'; readonly version: string };
  /** Absolute path of the folder to which paths are relative. */
  readonly root: string;
  readonly since: string | undefined;
  /** Number of commits that modify files, without merge commits. */
  readonly commits: number;
  /** Numbers of commits that modify a file with copies, but were not searched. */
  readonly notSearched: {
    /** Number of commits whose message does not mention a fix; 0 with `--all-commits`. */
    readonly withoutFix: number;
    /** Number of commits that modify too many files. */
    readonly tooLarge: number;
  };
  /** Number of commits of a shallow clone that lacks commits to search; omitted if it has all of them. */
  readonly shallowCommits?: number | undefined;
  /** Number of missed fixes found, including those not listed. */
  readonly total: number;
  readonly missedFixes: readonly MissedFix[];
}

/** Minimum score of a fix to list. Of 24 with a lower score that were reviewed, none was a missed fix. */
const minScore = 0.15;

export interface OpenedHistory {
  /** Returns the text of the report; `undefined` if interrupted. */
  readonly report: (scanned: ScannedTree, version: string, cancelled: () => boolean) => Promise<string | undefined>;
}

/** Opens the repository. Returns an error message if the repository or the ref cannot be used. */
export async function openHistory({
  scan,
  since,
  isAll,
  limit,
  format,
}: HistoryArguments): Promise<OpenedHistory | { readonly problem: string }> {
  const git = await Git.open(path.resolve(scan.roots[0]!));
  if ('problem' in git) return git;
  if ((await git.commitOf('HEAD')) === undefined) return { problem: 'the repository has no commit yet.' };
  if (since !== undefined && (await git.commitOf(since)) === undefined) {
    return { problem: `there is no commit ${since}; fetch it, or check the name.` };
  }
  const shallowCommits = await git.shallowCommits(since);
  return {
    report: async (scanned, version, cancelled) => {
      const { findings, listing } = scanned;
      const groups = findings.groups.filter(isSearched);
      const names = new Set(groups.flatMap(({ passages }) => passages.map((one) => path.posix.basename(one.path))));
      const linesAt = linesOf(listing, []);
      const tokens = new PassageTokens();
      const commentLines = new Map<string, ReadonlySet<number>>();
      const commentLinesOf = (name: string): ReadonlySet<number> => {
        let lines = commentLines.get(name);
        if (lines === undefined) {
          lines = tokens.commentLines(name, Buffer.from((linesAt(name) ?? []).join('\n')));
          commentLines.set(name, lines);
        }
        return lines;
      };
      const edits = new EditIndex(groups, linesAt);
      const isWanted = (name: string): boolean => names.has(path.posix.basename(name));
      const isSought = (commit: Commit): boolean => isAll || mentionsFix(commit);
      const counts = await readEdits(git, since, { isWanted, isSought }, (some) => edits.add(some), cancelled);
      const languageOf = (name: string): string => lexiconForPath(name).id;
      const searched = missedFixes(groups, { edits, linesOf: linesAt, commentLinesOf, languageOf, cancelled });
      const likely = searched.filter(({ score }) => score >= minScore);
      const found = await withEarlierCopies(git, likely);
      if (cancelled()) return undefined;
      const tool = { name: 'kindred', version } as const;
      const fixes = found.slice(0, limit);
      const history: History = {
        tool,
        root: listing.root,
        since,
        commits: counts.all,
        notSearched: { withoutFix: counts.notSought, tooLarge: counts.tooLarge },
        shallowCommits,
        total: found.length,
        missedFixes: fixes,
      };
      return format === 'json' ? `${printableJson(history, 2)}\n` : renderHistory(history);
    },
  };
}

/** Returns true for categories in which people maintain copies. Tests and examples repeat code on purpose. */
function isSearched({ category }: Group): boolean {
  return category === 'source';
}

/**
 * Removes copies that did not contain the old lines at the time of the commit, and fixes that have no copies left. Such
 * copies were created later. Of 21 reviewed cases, none was a missed fix.
 */
async function withEarlierCopies(git: Git, fixes: readonly MissedFix[]): Promise<MissedFix[]> {
  const objectOf = ({ id }: MissedFix['commit'], name: string): string => `${id}^:./${name}`;
  const objects = [...new Set(fixes.flatMap((fix) => fix.others.map((other) => objectOf(fix.commit, other.path))))];
  const contents = await git.existingContents(objects.filter((name) => !name.includes('\n')));
  const linesAt = new Map(
    objects.map((name, i) => [
      name,
      new Set(
        contents[i]
          ?.toString('utf8')
          .split('\n')
          .map((line) => line.trim()),
      ),
    ]),
  );
  return fixes.flatMap((fix) => {
    const others = fix.others.filter((other) => {
      const lines = linesAt.get(objectOf(fix.commit, other.path));
      return other.removed.every((line) => lines?.has(line.trim()));
    });
    return others.length === 0 ? [] : [{ ...fix, others }];
  });
}
