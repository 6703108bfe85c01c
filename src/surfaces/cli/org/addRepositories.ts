/** `kindred org add`: adds folders as repositories to the index. */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { defaultOptions, type Options } from '../../../core/engine/options.ts';
import { Git } from '../../../scan/io/git.ts';
import { listSources } from '../../../scan/io/listSources.ts';
import type { AddedRepository } from '../../../organisation/repositories/addRepository.ts';
import type { RepositoryAdder } from '../../../organisation/repositories/organisationIndex.ts';
import { methodOf, problemOfOptions } from '../../../organisation/repositories/method.ts';
import type { OrgAddArguments } from '../orgArguments.ts';
import { writeTo } from '../output.ts';
import { printable } from '../../../presentation/wording/printable.ts';
import { count } from '../quantities.ts';
import type { Problem } from '../scanArguments.ts';
import { readSettings, type Settings } from '../settings.ts';
import type { OrgOutcome } from './runOrg.ts';
import { type OrgSession, scanThread } from './session.ts';

export async function addRepositories(addArguments: OrgAddArguments, session: OrgSession): Promise<OrgOutcome> {
  const named = nameFolders(addArguments);
  if ('problem' in named) return named;
  const options = optionsOf(addArguments, session);
  if ('problem' in options) return options;
  const { index } = session;
  await index.adding(methodOf(options, scanThread), (add) =>
    addNamed(named, add, { workers: addArguments.workers, options }, session),
  );
  await index.renewWeights({ cancelled: session.interrupted });
  return 0;
}

async function addNamed(
  named: readonly NamedFolder[],
  add: RepositoryAdder,
  { workers, options }: { readonly workers: number; readonly options: Options },
  session: OrgSession,
): Promise<void> {
  const { interrupted } = session;
  for (const { name, folder, settings } of named) {
    const { sources } = settings;
    const listing = await listSources([folder], sources, interrupted);
    const added = await add({
      name,
      origin: folder,
      listing,
      sources,
      scanThread,
      workers,
      commit: await commitOf(folder),
      rules: { categories: sources.categories, overrides: sources.overrides },
      onProgress: (done, total) => session.progress({ phase: 'reading', done, total }),
      cancelled: interrupted,
    });
    await writeTo(session.stdout, [`${printable(name)}: ${wordsOf(added)}\n`]);
    await session.writeMessages([...listing.warnings, ...noteOn(name, settings, options)]);
  }
}

interface NamedFolder {
  readonly name: string;
  /** Absolute path of the repository's folder. */
  readonly folder: string;
  readonly settings: Settings;
}

/** Names of repositories. They contain no separators, because they are prefixes of paths. */
const validName = /^[^/\\\0]+$/;

function nameFolders({ folders, name }: OrgAddArguments): readonly NamedFolder[] | Problem {
  const named: NamedFolder[] = [];
  for (const namedFolder of folders) {
    if (statSync(namedFolder, { throwIfNoEntry: false })?.isDirectory() !== true) {
      return problem(`there is no folder ${namedFolder}; check the path.`);
    }
    const folder = realpathSync(namedFolder);
    const own = name ?? path.basename(folder);
    if (!validName.test(own) || own === '.' || own === '..') {
      return problem(`"${own}" is not a valid repository name; specify one without slashes with --repo.`);
    }
    const other = named.find((one) => one.name === own);
    if (other !== undefined) {
      return problem(`${other.folder} and ${folder} have the same name; add one of them by itself with --repo.`);
    }
    const settings = readSettings({ configuration: undefined, options: {}, sources: {} }, folder);
    if (settings.type === 'problem') return { ...settings, problem: `${own}: ${settings.problem}` };
    named.push({ name: own, folder, settings });
  }
  return named;
}

/**
 * Returns the options of the index. They are stored in the index; for a new index, they come from the configuration
 * file that the user specified.
 */
function optionsOf({ configuration }: OrgAddArguments, { index }: OrgSession): Options | Problem {
  if (configuration === undefined) return index.method()?.options ?? defaultOptions;
  const settings = readSettings({ configuration, options: {}, sources: {} }, process.cwd());
  if (settings.type === 'problem') return settings;
  const words = problemOfOptions(settings.options);
  return words === undefined ? settings.options : problem(words);
}

/** Same as in scanArguments.ts, which would add the parser of arguments to this bundle. */
function problem(words: string): Problem {
  return { type: 'problem', problem: words };
}

async function commitOf(folder: string): Promise<string | undefined> {
  const git = await Git.open(folder);
  if ('problem' in git) return undefined;
  const commit = await git.commitOf('HEAD');
  return commit !== undefined && (await git.isChanged()) ? `${commit}-dirty` : commit;
}

function wordsOf({ files, lines, written, shared, removed, unchanged }: AddedRepository): string {
  const changes = `${count(written, 'text')} written, ${count(shared, 'file')} shared, ${count(unchanged, 'file')} unchanged, ${count(removed, 'file')} removed`;
  return `${count(files, 'file')}, ${count(lines, 'line')} (${changes})`;
}

/** Returns a warning if a repository's configuration has other options than the index. They have no effect. */
function noteOn(name: string, { options }: Settings, used: Options): string[] {
  if (JSON.stringify(options) === JSON.stringify(used)) return [];
  return [`${name}: the options in .kindredrc.jsonc are not used; those of the index apply.`];
}
