/** `kindred org status` and `kindred org drop`. */
import { readRepositories, type Repository } from '../../../organisation/repositories/catalogue.ts';
import { storedMethod } from '../../../organisation/repositories/method.ts';
import { dropRepositories } from '../../../organisation/repositories/sweep.ts';
import type { OrgDropArguments, OrgStatusArguments } from '../orgArguments.ts';
import { writeTo } from '../output.ts';
import { nearestName } from '../../../scan/io/nearestName.ts';
import { printable, printableJson } from '../../../presentation/wording/printable.ts';
import { count, number } from '../quantities.ts';
import type { OrgOutcome } from './runOrg.ts';
import type { OrgSession } from './session.ts';

export async function tellStatus({ format }: OrgStatusArguments, session: OrgSession): Promise<OrgOutcome> {
  const { database, stdout, version } = session;
  const repositories = await readRepositories(database.home);
  if (format === 'json') {
    const answer = {
      schema: 1,
      tool: { name: 'kindred', version },
      servers: database.servers.map((server) => ({ name: server.name, parts: database.partsOf(server).length })),
      repositories: repositories.map(repositoryAsJson),
    };
    await writeTo(stdout, [`${printableJson(answer, 2)}\n`]);
    return 0;
  }
  await writeTo(
    stdout,
    [...statusLines(repositories, session)].map((line) => `${line}\n`),
  );
  return 0;
}

export function repositoryAsJson({ name, origin, commit, files, lines, storedAt }: Repository): object {
  return { name, origin, commit, files, lines, storedAt: storedAt.toISOString() };
}

function* statusLines(repositories: readonly Repository[], { database }: OrgSession): Generator<string> {
  const [files, lines] = [repositories.map((one) => one.files), repositories.map((one) => one.lines)].map((list) =>
    list.reduce((sum, value) => sum + value, 0),
  );
  const servers = database.servers.map(({ label }) => label).join(', ');
  yield `${count(repositories.length, 'repository', 'repositories')}, ${count(files!, 'file')}, ${count(lines!, 'line')} at ${printable(servers)}`;
  const width = Math.max(0, ...repositories.map(({ name }) => printable(name).length));
  for (const { name, files: own, lines: ofOwn, commit, storedAt } of repositories) {
    const sizes = `${number(own).padStart(9)} files ${number(ofOwn).padStart(12)} lines`;
    const when = storedAt.toISOString().slice(0, 16).replace('T', ' ');
    yield `  ${printable(name).padEnd(width)} ${sizes}  ${when}  ${commit?.replace(/^(.{12})[0-9a-f]*/, '$1') ?? ''}`.trimEnd();
  }
}

export async function dropByName({ names }: OrgDropArguments, { database, stdout }: OrgSession): Promise<OrgOutcome> {
  const repositories = await readRepositories(database.home);
  const known = new Map(repositories.map(({ name, id }) => [name, id]));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, [...known.keys()]);
    return {
      problem: `there is no repository ${unknown}; ${nearest ? `did you mean ${nearest}?` : 'kindred org status lists them.'}`,
    };
  }
  const method = await storedMethod(database.home);
  const dropped = names.length > 0 ? names : [...known.keys()];
  if (method !== undefined)
    await dropRepositories(
      database,
      method.options,
      dropped.map((name) => known.get(name)!),
    );
  await writeTo(stdout, [`${count(dropped.length, 'repository', 'repositories')} dropped.\n`]);
  return 0;
}
