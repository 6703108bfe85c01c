/** `kindred org find`: finds near-duplicates of a passage or text in all repositories. */
import type { SimilarPassages, SimilarQuery } from '../../../core/engine/similar/findSimilar.ts';
import { distanceOf, views } from '../../../organisation/repositories/blocks.ts';
import type { RepositoryState } from '../../../organisation/folder/indexFolder.ts';
import { placeInRepository } from '../../../organisation/repositories/organisationSearch.ts';
import { repositoryOf } from '../../../organisation/repositories/rollUps.ts';
import type { OrgFindArguments } from '../orgArguments.ts';
import { writeTo } from '../output.ts';
import { printableJson } from '../../../presentation/wording/printable.ts';
import { readTextToFind, renderFound } from '../runFind.ts';
import type { OrgOutcome } from './runOrg.ts';
import { type OrgSession, scanThread } from './session.ts';

export async function findInOrganisation(findArguments: OrgFindArguments, session: OrgSession): Promise<OrgOutcome> {
  const searchedText = readTextToFind(findArguments);
  if ('problem' in searchedText) return searchedText;
  const { index } = session;
  const { maxDistance = 0 } = findArguments;
  const options = index.method()?.options;
  const greatest = options ? Math.min(...views.map((view) => distanceOf(view, options))) : maxDistance;
  if (maxDistance > greatest) {
    return {
      problem: `--max-distance must be ${greatest} or less, that of the index; for a larger one, create an index with a greater maxDistance.`,
    };
  }
  const queryIn = (repositories: readonly RepositoryState[]): SimilarQuery => ({
    maxDistance: findArguments.maxDistance,
    minSimilarity: findArguments.minSimilarity,
    origin: searchedText.origin && placeInRepository(searchedText.origin, repositories),
    limit: findArguments.limit,
  });
  const started = performance.now();
  const { similar, repositories } = await index.find(scanThread, searchedText, queryIn, {
    cancelled: session.interrupted,
  });
  const searchMs = performance.now() - started;
  const from = process.cwd();
  const tool = { name: 'kindred', version: session.version } as const;
  const report = { tool, root: from, found: [{ searchedText, similar }], searchMs };
  const text =
    findArguments.format === 'json'
      ? asJson(tool, queryIn(repositories).origin, similar, searchMs)
      : renderFound(report, { format: 'text', isDiff: false }, from);
  await writeTo(session.stdout, [text]);
  return 0;
}

function asJson(
  tool: object,
  origin: SimilarQuery['origin'],
  { passages, tokens, total, hasNoWindow, leftOut }: SimilarPassages,
  searchMs: number,
): string {
  const answer = {
    schema: 1,
    tool,
    text: { ...origin, tokens },
    total,
    tooShort: hasNoWindow,
    leftOut,
    searchMs: Math.round(searchMs * 10) / 10,
    passages: passages.map(({ passage, ...likeness }) => ({
      repository: repositoryOf(passage.path),
      ...passage,
      ...likeness,
    })),
  };
  return `${printableJson(answer, 2)}\n`;
}
