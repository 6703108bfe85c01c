/** `kindred org status` and `kindred org drop`. */
import { sum } from '../../../core/collections/lists.ts';
import type { RepositoryState } from '../../../organisation/folder/indexFolder.ts';
import type { OrgDropArguments, OrgStatusArguments } from '../orgArguments.ts';
import { writeTo } from '../output.ts';
import { nearestName } from '../../../scan/io/nearestName.ts';
import { printable, printableJson } from '../../../presentation/wording/printable.ts';
import { count, number } from '../quantities.ts';
import type { OrgOutcome } from './runOrg.ts';
import type { OrgSession } from './session.ts';

export async function printStatus({ format }: OrgStatusArguments, session: OrgSession): Promise<OrgOutcome> {
  const { index, stdout, version } = session;
  const repositories = index.repositories();
  if (format === 'json') {
    const answer = {
      schema: 1,
      tool: { name: 'kindred', version },
      folder: index.folder,
      repositories: repositories.map(repositoryAsJson),
    };
    await writeTo(stdout, [`${printableJson(answer, 2)}\n`]);
    return 0;
  }
  const lines = [...statusLines(repositories, session)].map((line) => `${line}\n`);
  await writeTo(stdout, lines);
  return 0;
}

export function repositoryAsJson({ name, origin, commit, files, lines, storedAt }: RepositoryState): object {
  return { name, origin, commit, files, lines, storedAt };
}

function* statusLines(repositories: readonly RepositoryState[], { index }: OrgSession): Generator<string> {
  const files = sum(repositories.map((one) => one.files));
  const lines = sum(repositories.map((one) => one.lines));
  yield `${count(repositories.length, 'repository', 'repositories')}, ${count(files, 'file')}, ${count(lines, 'line')} at ${printable(index.folder)}`;
  const width = Math.max(0, ...repositories.map(({ name }) => printable(name).length));
  for (const { name, files: own, lines: ofOwn, commit, storedAt } of repositories) {
    const sizes = `${number(own).padStart(9)} files ${number(ofOwn).padStart(12)} lines`;
    const when = storedAt.slice(0, 16).replace('T', ' ');
    yield `  ${printable(name).padEnd(width)} ${sizes}  ${when}  ${commit?.replace(/^(.{12})[0-9a-f]*/, '$1') ?? ''}`.trimEnd();
  }
}

export async function dropByName({ names }: OrgDropArguments, { index, stdout }: OrgSession): Promise<OrgOutcome> {
  const repositoryNames = new Set(index.repositories().map(({ name }) => name));
  const unknown = names.find((name) => !repositoryNames.has(name));
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, [...repositoryNames]);
    return {
      problem: `there is no repository ${unknown}; ${nearest ? `did you mean ${nearest}?` : 'kindred org status lists them.'}`,
    };
  }
  const dropped = names.length > 0 ? names : [...repositoryNames];
  await index.drop(dropped);
  await writeTo(stdout, [`${count(dropped.length, 'repository', 'repositories')} dropped.\n`]);
  return 0;
}
