/**
 * Renders the result of a check as text: groups that exceed a limit, then the numbers of groups that no limit applies
 * to, and finally the verdict.
 */
import path from 'node:path';
import { categories } from '../../../core/engine/rows/category.ts';
import type { Place } from '../../../review/gate/divergedCopies.ts';
import type { JudgedGroup } from '../../../review/gate/judgeGroups.ts';
import { linesOf } from '../../../presentation/wording/lineRange.ts';
import type { LineRange } from '../../../review/gate/changes.ts';
import { nameFrom, placeOf } from '../places.ts';
import { previewOf } from '../preview.ts';
import { printable } from '../../../presentation/wording/printable.ts';
import { count, percent } from '../quantities.ts';
import { titleOf } from '../formats/groupTitle.ts';
import type { TextView } from '../formats/text.ts';
import type { CheckedReport } from '../scanReport.ts';

/** Maximum number of places per group, and of diff lines (`diffShown`). The rest is only counted. */
const placesShown = 10;
const diffShown = 30;
const previewLines = 3;

export function* renderCheck(report: CheckedReport, view: TextView): Generator<string> {
  const { check } = report;
  const { colours } = view;
  const breaks = (option: string): boolean => check.limits.some((limit) => limit.option === option && !limit.holds);
  yield* renderGroups('Copies across boundaries', check.crossing, report, view);
  const crossing = new Set(check.crossing);
  yield* renderGroups(
    'New copies',
    check.newGroups.filter((group) => !crossing.has(group)),
    report,
    view,
  );
  if (breaks('max-groups')) yield* renderGroups('All groups', check.rows, report, view);
  yield* renderDiverged(report, view);
  yield* renderWorktrees(report, view);
  for (const line of [...notCounted(report), ...aboutUnread(report)]) yield `${colours.quiet(line)}\n`;
  yield* renderVerdict(report, view);
}

export function* renderVerdict(
  { check, findings }: CheckedReport,
  { colours }: Pick<TextView, 'colours'>,
): Generator<string> {
  const { totals } = findings;
  yield `Compared ${count(totals.files, 'file')} with ${count(totals.lines, 'line')}`;
  if (check.since) yield `, and with ${printable(check.since.ref)} (${check.since.commit.slice(0, 10)})`;
  yield `.\n${check.holds ? colours.title(check.message) : colours.warning(check.message)}\n`;
}

function* renderGroups(
  title: string,
  groups: readonly JudgedGroup[],
  report: CheckedReport,
  view: TextView,
): Generator<string> {
  if (groups.length === 0) return;
  const { colours } = view;
  yield `${colours.title(`${title}: ${count(groups.length, 'group')}`)}\n\n`;
  const shown = groups.slice(0, view.rows);
  for (const [i, group] of shown.entries()) yield* renderGroup(group, i + 1, report, view);
  const rest = groups.length - shown.length;
  if (rest > 0) yield `${colours.quiet(`… and ${count(rest, 'more group')} (--top 0 shows all).`)}\n\n`;
}

function* renderGroup(group: JudgedGroup, ordinal: number, { root }: CheckedReport, view: TextView): Generator<string> {
  const { colours, from, width } = view;
  yield `${colours.title(`${ordinal}. ${titleOf(group)}`)} ${colours.quiet(`· ${group.id}`)}\n`;
  // Show new copies first, because the user should change those.
  const sorted = [...group.passages].sort((x, y) => Number(y.isNew ?? false) - Number(x.isNew ?? false));
  for (const passage of sorted.slice(0, placesShown)) {
    const mark = passage.isNew ? ' (new)' : '';
    yield `   ${colours.place(placeOf(group, passage, { root, from }))}${mark}\n`;
  }
  if (sorted.length > placesShown) yield `   ${colours.quiet(`… and ${sorted.length - placesShown} more`)}\n`;
  if (group.kind !== 'file') {
    for (const line of previewOf(sorted[0]!, root, previewLines, Math.max(20, width - 5))) {
      yield `     ${colours.quiet(line)}\n`;
    }
  }
  yield '\n';
}

function* renderDiverged({ check: { diverged }, root }: CheckedReport, view: TextView): Generator<string> {
  if (diverged.length === 0) return;
  const { colours, from } = view;
  const named = (place: Place): string => {
    const passage = { ...place, startColumn: 1, endColumn: 1, tokens: 1 };
    return colours.place(placeOf({ kind: 'code' }, passage, { root, from }));
  };
  yield `${colours.title(`Edited in some copies only: ${count(diverged.length, 'group')}`)}\n\n`;
  const shown = diverged.slice(0, view.rows);
  for (const [i, { edited, others, group }] of shown.entries()) {
    yield `${colours.title(`${i + 1}. ${titleOf(group)}`)} ${colours.quiet(`· ${group.id}`)}\n`;
    for (const place of edited) {
      yield `   ${named(place)} (edited)\n`;
      for (const line of place.diff.slice(0, diffShown)) yield `     ${colours.quiet(printable(line))}\n`;
      const rest = place.diff.length - diffShown;
      if (rest > 0) yield `     ${colours.quiet(`… and ${count(rest, 'more line')}`)}\n`;
    }
    for (const place of others.slice(0, placesShown)) yield `   ${named(place)} (as before)\n`;
    if (others.length > placesShown) yield `   ${colours.quiet(`… and ${others.length - placesShown} more`)}\n`;
    yield '\n';
  }
  const rest = diverged.length - shown.length;
  if (rest > 0) yield `${colours.quiet(`… and ${count(rest, 'more group')} (--top 0 shows all).`)}\n\n`;
}

function* renderWorktrees({ check: { worktrees }, root }: CheckedReport, view: TextView): Generator<string> {
  if (worktrees === undefined) return;
  const { colours, from } = view;
  const { folders, copies } = worktrees;
  const named = (file: string, lines: LineRange): string =>
    colours.place(printable(`${nameFrom(from, file)}:${linesOf(lines)}`));
  if (copies.length > 0)
    yield `${colours.title(`Added in another worktree, too: ${count(copies.length, 'passage')}`)}\n\n`;
  for (const { own, other, similarity } of copies.slice(0, view.rows)) {
    yield `   ${named(path.join(root, own.path), own)}\n`;
    yield `   ${named(other.path, other)} (${percent(similarity)} alike)\n\n`;
  }
  const rest = copies.length - view.rows;
  if (rest > 0) yield `${colours.quiet(`… and ${count(rest, 'more passage')} (--top 0 shows all).`)}\n\n`;
  const others = folders.length === 0 ? 'no other worktree has changes' : count(folders.length, 'other worktree');
  yield `${colours.quiet(`Compared with added lines of other worktrees: ${others}.`)}\n`;
}

/** Returns texts about new groups in categories to which the limits do not apply, and about ignored groups. */
function notCounted({ check, findings, ignoredGroups }: CheckedReport): string[] {
  const counted = new Set<JudgedGroup>(check.newGroups);
  const inCounted = new Set(check.newGroups.map(({ category }) => category));
  const parts = categories.flatMap((category) => {
    if (inCounted.has(category)) return [];
    const found = findings.groups.filter(
      (group) => group.category === category && group.isNew && !group.ignored && !group.parent && !counted.has(group),
    );
    return found.length === 0 ? [] : [`${found.length} in ${category}`];
  });
  return [
    ...(parts.length > 0 ? [`New and not counted: ${parts.join(', ')} (--count all counts them).`] : []),
    ...(ignoredGroups > 0 ? [`Ignored: ${count(ignoredGroups, 'group')} (kindred ignored lists them).`] : []),
  ];
}

const unreadNamed = 5;

function aboutUnread({ check: { unread } }: CheckedReport): string[] {
  if (unread.length === 0) return [];
  const names = unread.slice(0, unreadNamed).map(printable).join(', ');
  const more = unread.length > unreadNamed ? ', …' : '';
  return [`Changed and not read: ${count(unread.length, 'file')} (${names}${more}).`];
}
