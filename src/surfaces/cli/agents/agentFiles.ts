/** Files of a folder that coding agents read: adds what is missing, shows the changes, and writes all or none. */
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { causeOf, isSystemError } from '../../../scan/io/systemErrors.ts';
import { readSmallFile } from '../../../scan/io/textFile.ts';
import { beginFile, type PendingFile } from '../output.ts';
import { callsHook, pluginFolder, settingsFiles, withEntries } from './agentSettings.ts';
import type { Helper } from './copiedHelpers.ts';
import { agentsFile, withHelpers } from './helpersSection.ts';

/** A file that agents read, as it is and as it should be. */
interface AgentFile {
  /** Path from the folder, with forward slashes. */
  readonly name: string;
  /** Absolute path. If the file is a link, that of its target. */
  readonly target: string;
  /** `undefined` if there is no file. */
  readonly before: string | undefined;
  readonly after: string;
}

type Problem = { readonly problem: string };

const maxBytes = 2 ** 20;
const copilotFolder = '.github/hooks';
const skillFile = `${pluginFolder}/skills/kindred/SKILL.md`;

/** True if a file, by absolute path, is one of these. They are not scanned, so that a second run changes nothing. */
export function isAgentFile(folder: string, file: string): boolean {
  const names = [agentsFile, skillFile, ...settingsFiles.map(({ name }) => name)];
  return names.some((name) => path.resolve(folder, name) === file);
}

/** Returns the files with their missing entries, except the section of helpers; or a sentence with the problem. */
export function planSettings(folder: string): readonly AgentFile[] | Problem {
  const files: AgentFile[] = [];
  for (const wanted of settingsFiles) {
    if (wanted.name.startsWith(copilotFolder) && callsHookAlready(path.join(folder, copilotFolder))) continue;
    const file = readFile(folder, wanted.name, (text) => withEntries(wanted, text));
    if ('problem' in file) return file;
    files.push(file);
  }
  const skill = readFile(folder, skillFile, (text) => ({ text: text ?? readSkill() }));
  if ('problem' in skill) return skill;
  files.push(skill);
  // Its markers are checked before the scan.
  const section = planHelpers(folder, []);
  return 'problem' in section ? section : files;
}

/** Returns the skill of the extension. */
function readSkill(): string {
  return readFileSync(new URL('../media/skills/kindred/SKILL.md', import.meta.url), 'utf8');
}

export function planHelpers(folder: string, helpers: readonly Helper[]): AgentFile | Problem {
  return readFile(folder, agentsFile, (text) => withHelpers(text, helpers));
}

/** True if another file in the folder of Copilot's hooks calls Kindred. */
function callsHookAlready(folder: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder).some((name) => {
    const read = name.endsWith('.json') && readSmallFile(path.join(folder, name), maxBytes);
    return read && 'bytes' in read && callsHook(read.bytes.toString('utf8'));
  });
}

function readFile(
  folder: string,
  name: string,
  change: (text: string | undefined) => { readonly text: string } | Problem,
): AgentFile | Problem {
  const target = targetOf(folder, name);
  if (target === undefined) return { problem: `${name} is a link to a place outside of the folder.` };
  const read = readSmallFile(target, maxBytes);
  if ('isMissing' in read && !read.isMissing) return { problem: `${name} ${read.problem}.` };
  const before = 'bytes' in read ? textOf(read.bytes) : undefined;
  if (before === undefined && 'bytes' in read) return { problem: `${name} is not a text file; save it as UTF-8.` };
  const mark = before?.startsWith('\uFEFF') ? '\uFEFF' : '';
  const changed = change(before?.slice(mark.length));
  return 'problem' in changed ? changed : { name, target, before, after: mark + changed.text };
}

/** Returns `undefined` for bytes that are not UTF-8. Keeps the byte order mark. */
function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}

/** Returns the path of a file with its links followed; `undefined` if they lead out of the folder. */
function targetOf(folder: string, name: string): string | undefined {
  const root = realpathSync(folder);
  let existing = path.join(root, name);
  while (!existsSync(existing)) existing = path.dirname(existing);
  const rest = path.relative(existing, path.join(root, name));
  const target = path.join(realpathSync(existing), rest);
  return target.startsWith(root.endsWith(path.sep) ? root : root + path.sep) ? target : undefined;
}

/** Returns the changes as a patch that git can apply; empty if there are none. */
export function showChanges(files: readonly AgentFile[]): string {
  return files
    .filter(({ before, after }) => before !== after)
    .map(({ name, before, after }) => {
      const from = before === undefined ? '/dev/null' : `a/${name}`;
      return createTwoFilesPatch(from, `b/${name}`, before ?? '', after).replace(/^=+\n/, '');
    })
    .join('');
}

/** Writes the changed files, all or none of them. Returns a line for each, or a sentence with the problem. */
export function writeChanges(files: readonly AgentFile[]): { readonly text: string } | Problem {
  const changed = files.filter(({ before, after }) => before !== after);
  const begun: PendingFile[] = [];
  const abandon = (problem: string): Problem => {
    for (const file of begun) file.discard();
    return { problem };
  };
  for (const { name, target, after } of changed) {
    try {
      mkdirSync(path.dirname(target), { recursive: true });
      const file = beginFile(target);
      if ('problem' in file) return abandon(file.problem);
      begun.push(file);
      file.write([after]);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return abandon(`${name} cannot be written (${causeOf(error)}).`);
    }
  }
  for (const file of begun) file.commit();
  const lines = changed.map(({ name, before }) => `${before === undefined ? 'Created' : 'Changed'} ${name}.`);
  return { text: lines.map((line) => `${line}\n`).join('') };
}
