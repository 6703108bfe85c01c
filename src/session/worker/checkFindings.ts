/** Runs `kindred check` on the live index, so that only the base must be scanned. */
import { beginCheck } from '../../review/check/checkRun.ts';
import type { ScannedTree } from '../../review/check/scannedTree.ts';
import type { Group } from '../../core/engine/report/report.ts';
import type { LiveScan } from '../../scan/indexer/liveScan.ts';
import type { ScanRequest } from '../../scan/indexer/scan.ts';
import type { CheckAnswer, CheckParams } from '../protocol/calls.ts';
import type { DiskRoot, Root } from '../protocol/messages.ts';
import { byPath } from '../../scan/io/byPath.ts';

/** The last scan, with its index and its request. */
interface ScanToCheck {
  readonly live: LiveScan;
  readonly request: ScanRequest;
}

export async function checkFindings(
  scanned: ScanToCheck | undefined,
  roots: readonly Root[],
  { prefix, gate }: CheckParams,
): Promise<CheckAnswer> {
  const started = performance.now();
  if (scanned === undefined) {
    return { check: undefined, reason: 'noIndex', problem: 'There is no index of a completed scan.' };
  }
  const refuse = (problem: string): CheckAnswer => ({ check: undefined, reason: 'refused', problem });
  const root = roots.find((one) => one.prefix === prefix);
  if (root === undefined || !('folder' in root))
    return refuse('only a folder on disk that is followed can be checked.');
  const tree = { root: root.folder, roots: [root.folder], sources: root.sources, boundaries: {} };
  const run = await beginCheck(gate, tree, process.env);
  if ('problem' in run) return refuse(run.problem);
  const names = namesFrom(prefix);
  // The check cannot be canceled. It is short, because the scan of the base only covers changed files and files that
  // share groups with them.
  const judged = await run.judge(treeSeenFrom(root, names, scanned));
  const { rows, newGroups, ...check } = judged!.check;
  return {
    check: {
      ...check,
      rows: rows.length,
      newGroups: newGroups.map((group) => renamed(group, names.outside)),
      diverged: check.diverged.map(({ group, edited, others }) => ({
        group: renamed(group, names.outside),
        edited: edited.map((copy) => ({ ...copy, path: names.outside(copy.path) })),
        others: others.map((place) => ({ ...place, path: names.outside(place.path) })),
      })),
      unread: check.unread.map(names.outside),
    },
    ignoredGroups: judged!.ignoredGroups,
    elapsedMs: performance.now() - started,
  };
}

/** Converts paths between the report and the repository of one folder. */
interface Names {
  readonly inside: (path: string) => string;
  readonly outside: (path: string) => string;
}

/** Prefix of paths outside of the checked folder. */
const beside = '../';

function namesFrom(prefix: string): Names {
  return {
    inside: (path) => (path.startsWith(prefix) ? path.slice(prefix.length) : beside + path),
    outside: (path) => (path.startsWith(beside) ? path.slice(beside.length) : prefix + path),
  };
}

/** Returns the scanned tree with paths relative to one folder. */
function treeSeenFrom({ folder, prefix }: DiskRoot, { inside }: Names, { live, request }: ScanToCheck): ScannedTree {
  const isNamedSo = prefix === '';
  const files = request.listing.files.flatMap((file) =>
    'file' in file ? [{ file: file.file, path: inside(file.path) }] : [],
  );
  const { findings } = live;
  const skipped = findings.skipped.map((entry) => ({ ...entry, path: inside(entry.path) }));
  return {
    findings: isNamedSo
      ? findings
      : { ...findings, groups: findings.groups.map((group) => renamed(group, inside)), skipped },
    idfTable: () => live.idfTable,
    listing: { root: folder, files: files.sort(byPath), skipped, hidden: [], warnings: [] },
    request: {
      ...request,
      texts: request.texts.map(({ path, bytes }) => ({ path: inside(path), bytes })),
      configured: request.configured.map((root) => ({ ...root, prefix: inside(root.prefix) })),
    },
    monitor: { onProgress: () => undefined, cancelled: () => false },
  };
}

function renamed<Named extends Pick<Group, 'passages'>>(group: Named, name: (path: string) => string): Named {
  return { ...group, passages: group.passages.map((passage) => ({ ...passage, path: name(passage.path) })) };
}
