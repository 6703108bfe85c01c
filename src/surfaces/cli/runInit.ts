/** `kindred init`: creates a configuration file in a folder, or sets up coding agents for the folder. */
import { existsSync, lstatSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultOptions } from '../../core/engine/options.ts';
import { isMostlyAdded } from '../../review/check/homeFacts.ts';
import { judgeScan, readProjectBaseline } from '../../review/check/ignoring.ts';
import type { ScannedTree } from '../../review/check/scannedTree.ts';
import { linesOf } from '../../review/check/sourceTexts.ts';
import { configurationNames } from '../../scan/io/fileNames.ts';
import { newConfiguration } from '../../scan/io/newConfiguration.ts';
import { findConfiguration } from '../../scan/io/readConfiguration.ts';
import { repositoryFoldersAround } from '../../scan/io/ruleFiles.ts';
import { causeOf, isSystemError } from '../../scan/io/systemErrors.ts';
import { readTextFile } from '../../scan/io/textFile.ts';
import { addedLines } from './addedLines.ts';
import { copiedHelpers, type HelperSource } from './agents/copiedHelpers.ts';
import { countUses } from './agents/countUses.ts';
import { foundHelpers } from './agents/foundHelpers.ts';
import { isAgentFile, notesOn, planHelpers, planSettings, showChanges, writeChanges } from './agents/agentFiles.ts';

type Outcome = { readonly text: string } | { readonly problem: string };

/** Output of setting up agents; `notes` are sentences for the user. */
type AgentsOutcome = { readonly text: string; readonly notes: readonly string[] } | { readonly problem: string };

/** Creates the configuration file. Returns lines about the result, or an error message. */
export function createConfiguration(folder: string): Outcome {
  if (!isFolder(folder)) return { problem: `there is no folder ${folder}.` };
  const existing = findConfiguration(folder);
  if (existing !== undefined) return { problem: `${existing} already exists; edit it, or delete it first.` };
  const made = newConfiguration((name, maxBytes) => readTextFile(path.join(folder, name), maxBytes), defaultOptions);
  if ('problem' in made) return made;
  const file = path.join(folder, configurationNames[0]);
  try {
    // If another process has created the file in the meantime, keep that file.
    writeFileSync(file, made.text, { flag: 'wx' });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { problem: `${file} cannot be written (${causeOf(error)}).` };
  }
  const lines = [`Created ${file}.`];
  if (made.importedFrom !== undefined && made.imported.length > 0) {
    lines.push(`Imported from ${made.importedFrom}: ${made.imported.join(', ')}.`);
  }
  if (made.importedFrom !== undefined && made.notImported.length > 0) {
    lines.push(`Not imported from ${made.importedFrom}: ${made.notImported.join(', ')}.`);
  }
  return { text: `${lines.join('\n')}\n` };
}

/**
 * Adds missing entries to the files that coding agents read, and updates the list of copied helpers. Returns lines
 * about the result, or an error message. Returns `undefined` if interrupted.
 *
 * @param isDryRun  true to return the changes as a patch without writing them
 * @param env       environment variables, which name the folders of programs
 * @param scan      scans the folder, except for files for which its argument returns true
 */
export async function setUpAgents(
  folder: string,
  isDryRun: boolean,
  env: NodeJS.ProcessEnv,
  scan: (isOwn: (file: string) => boolean) => Promise<ScannedTree | { readonly problem: string } | undefined>,
): Promise<AgentsOutcome | undefined> {
  if (!isFolder(folder)) return { problem: `there is no folder ${folder}.` };
  // Report errors in the existing files before the scan, which takes longer.
  const settings = planSettings(folder);
  if ('problem' in settings) return settings;
  const entries = readProjectBaseline(path.resolve(folder));
  if ('problem' in entries) return entries;
  const scanned = await scan((file) => isAgentFile(folder, file));
  if (scanned === undefined || 'problem' in scanned) return scanned;
  const { groups } = judgeScan(scanned, entries).shown;
  const helpers = await foundHelpers(scanned, copiedHelpers(groups, await helperSource(folder, scanned)));
  if (helpers === undefined) return undefined;
  const section = planHelpers(folder, helpers);
  if ('problem' in section) return section;
  const files = [...settings, section];
  const notes = notesOn(folder, files, env);
  const outcome = isDryRun ? { text: showChanges(files) } : writeChanges(files);
  if ('problem' in outcome) return outcome;
  return { text: outcome.text === '' ? 'Nothing is missing.\n' : outcome.text, notes };
}

/** Maximum size of a file in which uses of a helper are counted. Larger ones are rarely written by hand. */
const maxUsedBytes = 2 ** 20;

/** Returns the facts from which helpers are chosen. Without Git, no copy counts as new. */
async function helperSource(folder: string, { listing: { files } }: ScannedTree): Promise<HelperSource> {
  const added = await addedLines(folder);
  const fileOf = new Map(files.map(({ path: name, file }) => [name, file]));
  return {
    linesOf: linesOf({ files }, []),
    isLink: (name) => lstatSync(fileOf.get(name)!).isSymbolicLink(),
    isNew: (passage) => isMostlyAdded(added.get(passage.path) ?? [], passage),
    countUses: (functions) =>
      countUses(
        functions,
        files.map(({ path: name, file }) => [name, () => textIn(file)]),
      ),
  };
}

function textIn(file: string): string | undefined {
  const read = readTextFile(file, maxUsedBytes);
  return 'text' in read ? read.text : undefined;
}

/**
 * Returns the folder to set up, and a note if that is not obvious. Agents read the files at the root of a repository,
 * so this is the default.
 *
 * @param folder  the folder that the user specified, if any
 */
export function folderForAgents(folder: string | undefined): { readonly folder: string; readonly note?: string } {
  const root = repositoryFoldersAround(realpathOf(folder ?? '.'))[0];
  if (root === undefined) return { folder: folder ?? '.' };
  if (folder === undefined) {
    const note = `the files are in ${root}, the root of the repository; for this folder alone, name it: kindred init --agents .`;
    return { folder: root, note };
  }
  return {
    folder,
    note: `${folder} is not the root of its repository; agents that start in ${root} do not read the files.`,
  };
}

function realpathOf(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : path.resolve(folder);
}

function isFolder(name: string): boolean {
  return existsSync(name) && statSync(name).isDirectory();
}
