/** Updates the files that agents read. Adds missing entries, shows the changes, and writes all files or none. */
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { programOnPath } from '../../../scan/io/programOnPath.ts';
import { causeOf, isSystemError } from '../../../scan/io/systemErrors.ts';
import { readSmallFile } from '../../../scan/io/textFile.ts';
import { beginFile, type PendingFile } from '../output.ts';
import { callsHookAfter, pluginFolder, serverNameIn, settingsFiles, withEntries } from './agentSettings.ts';
import type { Helper } from './copiedHelpers.ts';
import { agentsFile, isOnlySection, withHelpers } from './helpersSection.ts';

/** A file that agents read: its current content and its new content. */
export interface AgentFile {
  /** Path relative to the project folder, with forward slashes. */
  readonly name: string;
  /** Absolute path. For a symbolic link, the path of the link's target. */
  readonly target: string;
  /** Current content; `undefined` if the file does not exist. */
  readonly before: string | undefined;
  /** New content; `undefined` if the file is not needed. */
  readonly after: string | undefined;
}

type Problem = { readonly problem: string };

const maxBytes = 2 ** 20;
const copilotFolder = '.github/hooks';
const skillFile = `${pluginFolder}/skills/kindred/SKILL.md`;
/** Files in which Claude Code looks for instructions. It does not read AGENTS.md, but can import it. */
const claudeFiles = ['CLAUDE.md', '.claude/CLAUDE.md'];

/** Returns true if an absolute path is one of these files. If they were scanned, each run would change them. */
export function isAgentFile(folder: string, file: string): boolean {
  const names = [agentsFile, skillFile, ...settingsFiles.map(({ name }) => name)];
  return names.some((name) => path.resolve(folder, name) === file);
}

/**
 * Returns all files with their missing entries added, but with an empty list of copied helpers. Returns an error
 * message if a file cannot be changed.
 */
export function planSettings(folder: string): readonly AgentFile[] | Problem {
  const files: AgentFile[] = [];
  for (const settingsFile of settingsFiles) {
    if (settingsFile.name.startsWith(copilotFolder) && callsHookAlready(path.join(folder, copilotFolder))) continue;
    const personal = settingsFile.personal && textIn(path.join(folder, settingsFile.personal));
    const file = readFile(folder, settingsFile.name, (text) => withEntries(settingsFile, text, personal));
    if ('problem' in file) return file;
    files.push(file);
  }
  const skill = readFile(folder, skillFile, (text) => ({ text: text ?? readSkill() }));
  if ('problem' in skill) return skill;
  files.push(skill);
  // Report invalid markers of the section before the scan, which takes much longer.
  const section = planHelpers(folder, []);
  if ('problem' in section) return section;
  const claude = planImport(folder, section);
  return 'problem' in claude ? claude : [...files, claude];
}

/**
 * Returns the instructions of Claude Code with the line that imports AGENTS.md. They are not changed if they mention
 * AGENTS.md, or if both files have texts of their own.
 *
 * @param agents  AGENTS.md
 */
function planImport(folder: string, agents: AgentFile): AgentFile | Problem {
  const name = claudeFiles.find((one) => existsSync(path.join(folder, one))) ?? claudeFiles[0]!;
  if (targetOf(folder, name) === agents.target) return { name, target: agents.target, before: '', after: '' };
  const line = importIn(name);
  return readFile(folder, name, (text) => {
    if (text === undefined || text.trim() === '') return { text: `${line}\n` };
    if (text.includes(agentsFile) || !isOnlySection(agents.before)) return { text };
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    return { text: `${text.trimEnd()}${eol}${eol}${line}${eol}` };
  });
}

/** Returns the line with which a file imports AGENTS.md. The path is relative to the file. */
function importIn(name: string): string {
  return `@${path.posix.relative(path.posix.dirname(name), agentsFile)}`;
}

/** Returns sentences for the user about what the files do not achieve by themselves. */
export function notesOn(folder: string, files: readonly AgentFile[], env: NodeJS.ProcessEnv): string[] {
  const notes: string[] = [];
  for (const { name, personal } of settingsFiles) {
    const file = files.find((one) => one.name === name);
    const own = personal && textIn(path.join(folder, personal));
    if (file && own !== undefined && callsHookAfter('PostToolUse', own)) {
      notes.push(`${personal} calls kindred hook for you alone; ${name} has only the hooks that are missing there.`);
    }
  }
  const agents = files.find(({ name }) => name === agentsFile);
  const claude = files.find(({ name, target }) => claudeFiles.includes(name) && target !== agents?.target);
  if (claude?.after?.includes(agentsFile) === false) {
    notes.push(`Claude Code reads ${claude.name} and not ${agentsFile}; add the line ${importIn(claude.name)} to it.`);
  }
  const isCalled = files.some(({ after }) => /"(?:command|bash|powershell)":\s*"kindred[\s"]/.test(after ?? ''));
  if (isCalled && programOnPath('kindred', env) === undefined) {
    notes.push(
      'the files call kindred, which is not on the PATH; install it there (npm install --global kindred), or change ' +
        'the commands to one that all users of the repository have, such as npx kindred.',
    );
  }
  return notes;
}

/** Returns the text of the extension's skill. */
function readSkill(): string {
  return readFileSync(new URL('../media/skills/kindred/SKILL.md', import.meta.url), 'utf8');
}

export function planHelpers(folder: string, helpers: readonly Helper[]): AgentFile | Problem {
  const server = serverNameIn(textIn(path.join(folder, '.mcp.json')));
  return readFile(folder, agentsFile, (text) => withHelpers(text, helpers, server));
}

/** Returns true if another file in the folder of Copilot's hooks already calls Kindred. */
function callsHookAlready(folder: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder).some((name) => {
    const text = name.endsWith('.json') ? textIn(path.join(folder, name)) : undefined;
    return text !== undefined && callsHookAfter('postToolUse', text);
  });
}

/** Returns the text of a file that will not be changed; `undefined` if it cannot be read. */
function textIn(file: string): string | undefined {
  const read = readSmallFile(file, maxBytes);
  return 'bytes' in read ? read.bytes.toString('utf8') : undefined;
}

function readFile(
  folder: string,
  name: string,
  change: (text: string | undefined) => { readonly text: string | undefined } | Problem,
): AgentFile | Problem {
  const target = targetOf(folder, name);
  if (target === undefined) return { problem: `${name} is a link to a place outside of the folder.` };
  const read = readSmallFile(target, maxBytes);
  if ('isMissing' in read && !read.isMissing) return { problem: `${name} ${read.problem}.` };
  const before = 'bytes' in read ? textOf(read.bytes) : undefined;
  if (before === undefined && 'bytes' in read) return { problem: `${name} is not a text file; save it as UTF-8.` };
  const mark = before?.startsWith('\uFEFF') ? '\uFEFF' : '';
  const changed = change(before?.slice(mark.length));
  if ('problem' in changed) return changed;
  return { name, target, before, after: changed.text === undefined ? undefined : mark + changed.text };
}

/** Decodes UTF-8, and keeps a byte order mark. Returns `undefined` if the bytes are not valid UTF-8. */
function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}

/** Resolves symbolic links in a file's path. Returns `undefined` if they lead out of the folder. */
function targetOf(folder: string, name: string): string | undefined {
  const root = realpathSync(folder);
  let existing = path.join(root, name);
  while (!existsSync(existing)) existing = path.dirname(existing);
  const rest = path.relative(existing, path.join(root, name));
  const target = path.join(realpathSync(existing), rest);
  return target.startsWith(root.endsWith(path.sep) ? root : root + path.sep) ? target : undefined;
}

/** Returns the changes as a patch for `git apply`; '' if there are none. */
export function showChanges(files: readonly AgentFile[]): string {
  return files
    .filter(({ before, after }) => before !== after)
    .map(({ name, before, after }) => {
      const from = before === undefined ? '/dev/null' : `a/${name}`;
      return createTwoFilesPatch(from, `b/${name}`, before ?? '', after ?? '').replace(/^=+\n/, '');
    })
    .join('');
}

/** Writes all changed files, or none. Returns a line of text for each file, or an error message. */
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
      file.write([after ?? '']);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return abandon(`${name} cannot be written (${causeOf(error)}).`);
    }
  }
  for (const file of begun) file.commit();
  const lines = changed.map(({ name, before }) => `${before === undefined ? 'Created' : 'Changed'} ${name}.`);
  return { text: lines.map((line) => `${line}\n`).join('') };
}
