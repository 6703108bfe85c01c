/** Tools that the extension provides to language models in VS Code. They answer from the findings of this window. */
import * as vscode from 'vscode';
import type { EngineClient } from '../../session/client/engineClient.ts';
import { changedSince } from '../../session/client/changedSince.ts';
import { whyNotCompared } from '../../session/client/whyNotCompared.ts';
import { within } from '../../session/client/within.ts';
import type { Access } from '../tools/access.ts';
import { conditionOf, lateSearch } from '../tools/conditionOf.ts';
import { toolsFor } from '../tools/tools.ts';
import type { FindingsModel } from './findings/findings.ts';
import { inBrowser } from './inBrowser.ts';
import type { SavedText } from './findings/savedText.ts';
import type { Scanner } from './scanning/scanner.ts';
import type { OrganisationSearch } from './similar/organisationSearch.ts';
import { languageOf } from './workspace/languages.ts';
import { exists } from './workspace/files.ts';

/** Returns the name of a tool in VS Code, with a prefix, because all extensions share one namespace. */
export function toolName(name: string): string {
  return `kindred_${name}`;
}

export interface AgentParts {
  readonly client: EngineClient;
  readonly scanner: Scanner;
  readonly findings: FindingsModel;
  readonly text: SavedText;
  readonly organisation: OrganisationSearch;
}

type InvokeMethod = vscode.LanguageModelTool<object>['invoke'];

/** Returns the implementation of each tool, by the tool's name in VS Code. */
export function makeAgentTools(parts: AgentParts): ReadonlyMap<string, InvokeMethod> {
  return new Map(
    toolsFor(accessTo(parts)).map(({ name, call }): [string, InvokeMethod] => [
      toolName(name),
      async ({ input }) => {
        const answer = await call(accessTo(parts), input);
        // VS Code passes the error's message to the language model.
        if ('problem' in answer) throw new Error(answer.problem);
        const text = new vscode.LanguageModelTextPart(JSON.stringify(answer.data));
        return new vscode.LanguageModelToolResult([text]);
      },
    ]),
  );
}

/** Maximum time in milliseconds to wait for up-to-date findings; shorter than the timeouts of agents. */
const maxWaitMs = 25_000;

/** Returns the reason why a tool must not run Git, which a repository can make run any program, if there is one. */
function whyGitIsUnavailable(): string | undefined {
  if (inBrowser)
    return 'VS Code runs in a browser, in which there is no Git; open the folder in VS Code for the desktop.';
  return vscode.workspace.isTrusted ? undefined : 'the workspace is in Restricted Mode, in which Git is not asked.';
}

/** Returns the access for one call of a tool. All waits of the call share one deadline. */
function accessTo({ client, scanner, findings, text, organisation }: AgentParts): Access {
  const deadline = Date.now() + maxWaitMs;
  const folders = () => findings.snapshot?.folders;
  return {
    waitForChanges: async (changes) => {
      if (findings.settled === undefined) void scanner.scan();
      if (changes !== 'reported') await scanner.poll();
      await scanner.upToDate(Math.max(0, deadline - Date.now()));
      return conditionOf(scanner.state);
    },
    report: () => findings.settled,
    prefixes: () =>
      folders()
        ?.roots()
        .map(({ prefix }) => prefix) ?? [],
    pathOf: (written) => pathOf(written, folders()),
    exists: async (path) => {
      const uri = folders()?.uriOf(path);
      return uri !== undefined && exists(uri);
    },
    whyNotCompared: (path) =>
      within(
        whyNotCompared(client, path, findings.settled?.findings.skipped ?? []),
        deadline - Date.now(),
        () => undefined,
      ),
    fileOf: (path) => folders()?.uriOf(path).fsPath,
    find: (request) =>
      within(client.call('find', request), deadline - Date.now(), () => lateSearch(conditionOf(scanner.state))),
    findInOrganisation: async ({ origin, ...search }) => {
      const uri = origin && folders()?.uriOf(origin.path);
      const file = uri?.scheme === 'file' ? await organisation.realFile(uri.fsPath) : undefined;
      return organisation.query({
        ...search,
        origin: origin && file !== undefined ? { ...origin, file } : undefined,
      });
    },
    check: async (prefix, gate) => {
      const problem = whyGitIsUnavailable();
      if (problem !== undefined) return { check: undefined, reason: 'refused', problem };
      return client.call('check', { prefix, gate });
    },
    changedSince: async (since) => {
      const problem = whyGitIsUnavailable();
      if (problem !== undefined) return { problem };
      return changedSince(client, folders()?.roots() ?? [], since);
    },
    textOf: (path) => textOf(path),
    languageOf: (path) => languageOf(path),
  };

  async function textOf(path: string): Promise<string | undefined> {
    const uri = folders()?.uriOf(path);
    const lines = uri && (await text.linesOf(uri, 1, Number.MAX_SAFE_INTEGER));
    return lines?.join('\n');
  }
}

/** Converts an absolute path or a report path to a report path. Returns `undefined` for files outside all folders. */
function pathOf(written: string, folders: SnapshotFolders | undefined): string | undefined {
  const isAbsolute = /^(?:[\\/]|[A-Za-z]:[\\/])/.test(written);
  if (isAbsolute) {
    const uri = vscode.Uri.file(written);
    const isRoot = vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() === uri.toString();
    return isRoot ? '' : folders?.pathOf(uri);
  }
  const parts: string[] = [];
  for (const part of written.split(/[\\/]/)) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

type SnapshotFolders = NonNullable<FindingsModel['snapshot']>['folders'];
