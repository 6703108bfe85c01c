/** Access to folders on disk in Node. */
import { existsSync, lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readLanguageConfiguration } from '../../scan/io/languageConfiguration.ts';
import { findConfiguration, readConfiguration } from '../../scan/io/readConfiguration.ts';
import { stampOf } from '../../scan/io/readSource.ts';
import { readTextFile } from '../../scan/io/textFile.ts';
import type { Disk } from './disk.ts';
import { listRoots, whatHidesIn } from './listRoots.ts';

export const nodeDisk: Disk = {
  listRoots,
  whatHidesIn,
  fileIn: ({ folder }, name) => path.join(folder, name),
  exists: existsSync,
  isNoLink: (file) => {
    try {
      return !lstatSync(file).isSymbolicLink();
    } catch {
      return false;
    }
  },
  stampOf,
  readBytes: (file) => readFile(file).catch(() => undefined),
  readerOf: (folder) => (name, maxBytes) => readTextFile(path.join(folder, name), maxBytes),
  readText: readTextFile,
  configurationIn: ({ folder, prefix }) => {
    const file = findConfiguration(folder);
    if (file === undefined) return undefined;
    const name = prefix + path.basename(file);
    return { name, configuration: readConfiguration(file, name) };
  },
  languageConfigurationIn: readLanguageConfiguration,
};
