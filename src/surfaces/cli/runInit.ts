/** `kindred init`: creates a configuration file in a folder, or sets up coding agents for the folder. */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultOptions } from '../../core/engine/options.ts';
import { judgeScan, readProjectBaseline } from '../../review/check/ignoring.ts';
import type { ScannedTree } from '../../review/check/scannedTree.ts';
import { linesOf } from '../../review/check/sourceTexts.ts';
import { configurationNames } from '../../scan/io/configuration.ts';
import { newConfiguration } from '../../scan/io/newConfiguration.ts';
import { findConfiguration } from '../../scan/io/readConfiguration.ts';
import { causeOf, isSystemError } from '../../scan/io/systemErrors.ts';
import { readTextFile } from '../../scan/io/textFile.ts';
import { copiedHelpers } from './agents/copiedHelpers.ts';
import { isAgentFile, planHelpers, planSettings, showChanges, writeChanges } from './agents/agentFiles.ts';

type Outcome = { readonly text: string } | { readonly problem: string };

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
 * @param scan      scans the folder, except for files for which its argument returns true
 */
export async function setUpAgents(
  folder: string,
  isDryRun: boolean,
  scan: (isOwn: (file: string) => boolean) => Promise<ScannedTree | { readonly problem: string } | undefined>,
): Promise<Outcome | undefined> {
  if (!isFolder(folder)) return { problem: `there is no folder ${folder}.` };
  // Report errors in the existing files before the scan, which takes longer.
  const settings = planSettings(folder);
  if ('problem' in settings) return settings;
  const entries = readProjectBaseline(path.resolve(folder));
  if ('problem' in entries) return entries;
  const scanned = await scan((file) => isAgentFile(folder, file));
  if (scanned === undefined || 'problem' in scanned) return scanned;
  const { groups } = judgeScan(scanned, entries).shown;
  const section = planHelpers(folder, copiedHelpers(groups, linesOf(scanned.listing, [])));
  if ('problem' in section) return section;
  const files = [...settings, section];
  const outcome = isDryRun ? { text: showChanges(files) } : writeChanges(files);
  return 'problem' in outcome || outcome.text !== '' ? outcome : { text: 'Nothing is missing.\n' };
}

function isFolder(name: string): boolean {
  return existsSync(name) && statSync(name).isDirectory();
}
