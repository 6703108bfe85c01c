/** Puts the home of a duplicate first: the copy that stays when the copies are merged (see `homeOf`). */
import type { Group, Passage } from '../../core/engine/report/report.ts';
import { copiedFunctions, sentenceAbove } from '../../presentation/wording/copiedFunctions.ts';
import { type HomeFacts, homeOf } from '../../presentation/wording/homeCopy.ts';
import { isMostlyAdded, isSourcePath } from '../../review/check/homeFacts.ts';
import type { Access } from './access.ts';

/** Maximum number of copies among which the home is chosen, because their files are read. */
const maxCandidates = 20;

/** Languages whose texts no code can call, but in which code may be quoted. */
const prose = new Set(['markdown', 'restructuredtext', 'asciidoc', 'latex', 'plaintext', 'html']);

/**
 * Returns the group with its home first. The other copies keep their order. The number of files that use a copy is
 * unknown here; without Git, so is which copy is new.
 */
export async function homeFirst<Some extends Pick<Group, 'kind' | 'passages'>>(
  group: Some,
  { textOf, languageOf, changedSince }: Pick<Access, 'textOf' | 'languageOf' | 'changedSince'>,
): Promise<Some> {
  const changed = await changedSince('HEAD');
  const isNew = ({ path, ...lines }: Passage): boolean =>
    !('problem' in changed) && isMostlyAdded(changed.get(path) ?? [], lines);
  const candidates = group.passages.slice(0, maxCandidates);
  const facts = await Promise.all(
    candidates.map(async (passage): Promise<HomeFacts> => {
      const { path } = passage;
      const language = languageOf(path);
      const lines = ((await textOf(path)) ?? '').split(/\r\n|\n|\r/);
      const functions = group.kind === 'prose' ? [] : copiedFunctions(passage, lines, language);
      return {
        isSource: isSourcePath(path, prose.has(language)),
        callable: functions.filter(({ isCallable }) => isCallable).length,
        isNew: isNew(passage),
        uses: 0,
        isDocumented: functions.some((one) => sentenceAbove(lines, one) !== undefined),
      };
    }),
  );
  const home = candidates[homeOf(facts)];
  return { ...group, passages: [home!, ...group.passages.filter((passage) => passage !== home)] };
}
