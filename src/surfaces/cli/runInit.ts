/** kindred init: creates the configuration file of a folder. */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultOptions } from '../../core/engine/options.ts';
import { configurationNames, findConfiguration } from '../../scan/io/configuration.ts';
import { newConfiguration } from '../../scan/io/newConfiguration.ts';
import { causeOf, isSystemError } from '../../scan/io/systemErrors.ts';

/** Creates the file. Returns lines about the result, or an error message. */
export function createConfiguration(folder: string): { readonly text: string } | { readonly problem: string } {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return { problem: `there is no folder ${folder}.` };
  const existing = findConfiguration(folder);
  if (existing !== undefined) return { problem: `${existing} exists already; edit it, or delete it first.` };
  const made = newConfiguration(path.resolve(folder), defaultOptions);
  if ('problem' in made) return made;
  const file = path.join(folder, configurationNames[0]);
  try {
    // If it is created concurrently, the other one wins.
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
