/**
 * Another extension of the workbench, which runs in the browser and calls the tools for language models there, as a
 * chat does, and commands, as a keyboard shortcut with arguments does. Its command reads questions from a file of the
 * folder and writes the answers beside it.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { installExtension } from '../../scripts/vscodeServer.mjs';
import type { Workbench } from './workbench.ts';

/** Tool name and input, or a command and its argument. */
export type Question =
  { readonly name: string; readonly input: object } | { readonly command: string; readonly argument?: unknown };

export interface Answers {
  /** Identifies the questions. The workbench may run the command more than once, and late. */
  readonly id: string;
  /** Names of the registered tools that begin with `kindred_`. */
  readonly tools: readonly string[];
  /** True if the extension runs without Node. */
  readonly isInBrowser: boolean;
  /** Answer to each question: JSON of the tool, empty text of a command, or the message of an error. */
  readonly answers: readonly ({ readonly text: string } | { readonly problem: string })[];
}

const title = 'Probe: Ask Tools';

const manifest = {
  name: 'probe',
  publisher: 'kindred-tests',
  version: '1.0.0',
  engines: { vscode: '^1.101.0' },
  browser: './probe.js',
  files: ['probe.js', 'LICENSE'],
  contributes: { commands: [{ command: 'probe.askTools', title }] },
};

const program = `'use strict';
const vscode = require('vscode');
exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.commands.registerCommand('probe.askTools', async () => {
    const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, '.vscode');
    const { fs } = vscode.workspace;
    const { id, questions } = JSON.parse(new TextDecoder().decode(await fs.readFile(vscode.Uri.joinPath(folder, 'questions.json'))));
    const answers = [];
    for (const { name, input, command, argument } of questions) {
      try {
        if (command !== undefined) {
          await vscode.commands.executeCommand(command, argument);
          answers.push({ text: '' });
          continue;
        }
        const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
        answers.push({ text: content[0].value });
      } catch (error) {
        answers.push({ problem: error.message });
      }
    }
    const tools = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('kindred_')).sort();
    const text = JSON.stringify({ id, tools, isInBrowser: typeof process === 'undefined', answers });
    await fs.writeFile(vscode.Uri.joinPath(folder, 'answers.json'), new TextEncoder().encode(text));
  }));
};
`;

/** Installs the extension into a folder of extensions. */
export async function installProbe(extensionsFolder: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kindred-probe-'));
  try {
    await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(path.join(folder, 'probe.js'), program);
    await writeFile(path.join(folder, 'LICENSE'), 'MIT\n');
    const packagePath = path.join(folder, 'probe.vsix');
    await createVSIX({ cwd: folder, packagePath, dependencies: false, allowMissingRepository: true });
    await installExtension(packagePath, extensionsFolder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the command, and returns the answers to the questions. */
export async function askTools(workbench: Workbench, questions: readonly Question[]): Promise<Answers> {
  const folder = path.join(workbench.folder, '.vscode');
  const file = path.join(folder, 'answers.json');
  await mkdir(folder, { recursive: true });
  const id = randomUUID();
  // An earlier run of the command may read the file now.
  await writeFile(path.join(folder, 'next.json'), JSON.stringify({ id, questions }));
  await rename(path.join(folder, 'next.json'), path.join(folder, 'questions.json'));
  await workbench.run(title);
  let answers: Answers | undefined;
  await workbench.until(async () => {
    // The file may be written only in part.
    answers = await readFile(file, 'utf8').then(
      (text) => (text.endsWith('}') ? (JSON.parse(text) as Answers) : undefined),
      () => undefined,
    );
    return answers?.id === id;
  });
  return answers!;
}
