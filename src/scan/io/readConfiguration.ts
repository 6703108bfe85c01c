/** Finds and reads configuration files on disk. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { type Configuration, type ConfigurationProblem, parseConfiguration } from './configuration.ts';
import { configurationNames } from './fileNames.ts';
import { decodeText, textOf } from './decode.ts';
import { readSmallFile } from './textFile.ts';

/** Returns the path of the configuration file in a folder, or `undefined` if there is none. */
export function findConfiguration(folder: string): string | undefined {
  return configurationNames.map((name) => path.join(folder, name)).find((file) => existsSync(file));
}

/** Maximum size of a configuration file in bytes. */
const maxConfigurationBytes = 2 ** 20;

/**
 * Reads a configuration file. If it is invalid, the problem is a sentence with the location and the reason.
 *
 * @param shownAs  name of the file in messages
 */
export function readConfiguration(file: string, shownAs: string): Configuration | ConfigurationProblem {
  const read = readSmallFile(file, maxConfigurationBytes);
  if ('isMissing' in read) {
    const problem = read.isMissing
      ? l10n.t('there is no configuration file {0}.', shownAs)
      : `${shownAs} ${read.problem}.`;
    return { problem, line: undefined };
  }
  const text = decodeText(read.bytes, (size) => new Uint8Array(size));
  if ('reason' in text)
    return { problem: l10n.t('{0} is not a text file; save it as UTF-8.', shownAs), line: undefined };
  return parseConfiguration(textOf(text.bytes), shownAs);
}
