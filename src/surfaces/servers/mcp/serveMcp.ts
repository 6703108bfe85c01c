/**
 * `kindred mcp`: a Model Context Protocol server on standard input and output. Supports two revisions of the protocol:
 * one with a handshake (2025) and a stateless one (2026-07-28).
 */
import { once } from 'node:events';
import { McpServer, type ServerContext, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { lexiconForLanguage, lexiconForPath } from '../../../core/engine/languages/allLexicons.ts';
import { linesOf } from '../../../presentation/wording/lineRange.ts';
import type { FindParams } from '../../../session/protocol/calls.ts';
import type { Access, WaitListener } from '../../tools/access.ts';
import type { InputSchema } from '../../tools/schemas.ts';
import { type Tool, toolsFor } from '../../tools/tools.ts';
import { type HookServer, serveHooks } from '../../hook/hookServer.ts';
import { likenessText } from '../../hook/noteText.ts';
import type { Folders } from '../folders.ts';
import { type ServedFolders, serveWorkspace } from '../servedFolders.ts';
import { serverLog } from '../serverLog.ts';
import { accessTo } from '../workspaceAccess.ts';
import { type MessageId, messageLines } from './messageLines.ts';
import type { Workspace } from '../workspace.ts';

const instructions =
  'Kindred knows every duplicated and nearly duplicated passage of this workspace from a live index. ' +
  'Before you write a function, class, test or section of more than ten lines, call find_similar with a draft: existing code ' +
  'should be called or extended. Before you edit code that may have copies, call find_similar with its place. ' +
  'Before you finish, call check_changes: it reports whether you have added copies.';

/** Maximum size of a message in bytes; the SDK's default. Agents send at most a few hundred thousand characters. */
const maxMessageBytes = 10 * 2 ** 20;

/**
 * Runs the server until the client closes standard input or a signal arrives. Returns an error message if the server
 * cannot start.
 *
 * @param write  writes log lines. They must not go to standard output, which belongs to the protocol
 */
export async function serveMcp(
  served: ServedFolders,
  organisation: OrganisationPlace,
  version: string,
  write: (line: string) => void,
): Promise<string | undefined> {
  const log = serverLog(write);
  const workspace = serveWorkspace(served, { clientReportsChanges: false }, log);
  if ('problem' in workspace) return workspace.problem;
  const findInOrganisation = openOrganisation(workspace, organisation);
  const hooks = serveHooks(
    workspace.folders.roots.map(({ folder }) => folder),
    process.env,
  );
  const accessFor = (onWait: WaitListener | undefined): Access => ({
    ...accessTo(workspace, onWait, findInOrganisation),
    functionLike: (text, language) => functionIn(workspace.folders, hooks, text, language),
  });
  const messages = process.stdin.pipe(messageLines(maxMessageBytes, refuseLong));
  const handle = serveStdio(() => makeServer(accessFor, version), {
    transport: new StdioServerTransport(messages, process.stdout, { maxBufferSize: maxMessageBytes }),
    onerror: (error) => log.warn(error.message),
  });
  await ended();
  hooks.dispose();
  await workspace.store();
  workspace.dispose();
  await handle.close();
  // The transport pauses its own input stream, but not standard input itself.
  process.stdin.unpipe(messages).pause();
  return undefined;
}

/** Returns a sentence about an existing function in the folders that resembles a text; see `Access.functionLike`. */
function functionIn(
  folders: Folders,
  hooks: HookServer,
  text: string,
  { path, languageId }: Pick<FindParams, 'path' | 'languageId'>,
): string | undefined {
  const lexicon = lexiconForLanguage(languageId) ?? lexiconForPath(path);
  for (const { folder } of folders.roots) {
    const like = hooks.functionLike(folder, text, lexicon);
    const name = like && folders.nameOfWritten(like.file);
    // The repository may be larger than the folders.
    if (name === undefined || folders.realFileOf(name) === undefined) continue;
    return likenessText(like!.found, `${name}:${linesOf(like!.found.existing)}`);
  }
  return undefined;
}

function refuseLong(id: MessageId): void {
  const message = `The message is larger than ${maxMessageBytes / 2 ** 20} MiB and was not read; send less text.`;
  // "Invalid Request" in the JSON-RPC specification.
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_600, message } })}\n`);
}

/** Resolves when the client disconnects or a termination signal arrives. An error of a stream is a disconnection. */
function ended(): Promise<unknown> {
  const { stdin, stdout } = process;
  return Promise.race([
    ...[once(stdin, 'end'), once(stdin, 'close'), once(stdout, 'close')],
    ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => once(process, signal)),
  ]).catch(() => undefined);
}

function makeServer(accessFor: (onWait: WaitListener | undefined) => Access, version: string): McpServer {
  const server = new McpServer({ name: 'kindred', title: 'Kindred', version }, { instructions });
  for (const { name, title, description, input, call } of toolsFor(accessFor(undefined))) {
    // Omit the output schemas. They would be most of the tool list, which every client sends to its model.
    const annotations = { readOnlyHint: true, openWorldHint: false };
    const config = { title, description, annotations, inputSchema: takenAsIs(input) };
    server.registerTool(name, config, async (toolInput, { mcpReq }) =>
      answerOf(await call(accessFor(progressTo(mcpReq)), toolInput)),
    );
  }
  return server;
}

/** If the client asked for progress, returns a function that reports the index's progress while a call waits. */
function progressTo({ _meta: meta, notify }: ServerContext['mcpReq']): WaitListener | undefined {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return ({ detail = 'Comparing.' }) => {
    const params = { progressToken, progress: ++progress, message: detail };
    // Ignore errors, because the client may have disconnected.
    void notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** Returns data as an object and as text, which older clients read; returns a problem as an error for the model. */
function answerOf(answer: Awaited<ReturnType<Tool['call']>>) {
  if ('problem' in answer) return { isError: true, content: [{ type: 'text' as const, text: answer.problem }] };
  const text = JSON.stringify(answer.data);
  return { content: [{ type: 'text' as const, text }], structuredContent: { ...answer.data } };
}

/** Wraps a schema for the SDK without validation. The tools check their inputs themselves and explain errors. */
function takenAsIs(schema: InputSchema): StandardSchemaWithJSON {
  const json = { ...schema } as unknown as Record<string, unknown>;
  return {
    '~standard': {
      version: 1,
      vendor: 'kindred',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

interface OrganisationPlace {
  /** Path of the index; `undefined` if there is none. */
  readonly folder: string | undefined;
  /** Name of the setting that contains the path, for messages. */
  readonly setting: string;
}

/** Returns `undefined` if no index was specified. */
function openOrganisation(
  workspace: Pick<Workspace, 'folders' | 'findInOrganisation'>,
  { folder, setting }: OrganisationPlace,
): Access['findInOrganisation'] {
  if (folder === undefined) return undefined;
  return ({ origin, ...search }) => {
    const file = origin && workspace.folders.realFileOf(origin.path);
    return workspace.findInOrganisation({
      ...search,
      folder,
      setting,
      origin: origin && file !== undefined ? { ...origin, file } : undefined,
    });
  };
}
