/**
 * `kindred mcp`: the tools as a server of the Model Context Protocol, over standard input and output. Both of its revisions are
 * served: with the handshake of 2025, and without state as of 2026-07-28.
 */
import { McpServer, type ServerContext, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { once } from 'node:events';
import type { Access, OnWait } from '../../tools/access.ts';
import type { InputSchema, ObjectSchema } from '../../tools/schemas.ts';
import { type Tool, toolsFor } from '../../tools/tools.ts';
import { type ServedFolders, serveWorkspace } from '../servedFolders.ts';
import { serverLog } from '../serverLog.ts';
import { accessTo } from '../workspaceAccess.ts';
import { type MessageId, messageLines } from './messageLines.ts';
import { openOrganisation } from './openOrganisation.ts';

const instructions =
  'Kindred knows every duplicated and nearly duplicated passage of this workspace from a live index. ' +
  'Before you write a function, class, test or section of more than ten lines, call find_similar with a draft: what exists ' +
  'should be called or extended. Before you edit code that may have copies, call find_similar with its place. ' +
  'Before you finish, call check_changes: it says whether you have added copies.';

/** As the SDK has it by default. The longest text that a tool takes has some hundred thousand characters. */
const mostMessageBytes = 10 * 2 ** 20;

/**
 * Serves until the client closes standard input, or the program is told to end. Returns what is wrong when it cannot begin.
 *
 * @param write  takes lines of the log: standard output is the protocol's
 */
export async function serveMcp(
  served: ServedFolders,
  version: string,
  write: (line: string) => void,
): Promise<string | undefined> {
  const log = serverLog(write);
  const workspace = serveWorkspace(served, { isToldOfChanges: false }, log);
  if ('problem' in workspace) return workspace.problem;
  const findInOrganisation = openOrganisation(workspace, process.env);
  const accessFor = (onWait: OnWait | undefined): Access => ({
    ...accessTo(workspace, onWait),
    ...(findInOrganisation && { findInOrganisation }),
  });
  const messages = process.stdin.pipe(messageLines(mostMessageBytes, refuseLong));
  const handle = serveStdio(() => makeServer(accessFor, version), {
    transport: new StdioServerTransport(messages, process.stdout, { maxBufferSize: mostMessageBytes }),
    onerror: (error) => log.warn(error.message),
  });
  await ended();
  await workspace.store();
  workspace.dispose();
  await handle.close();
  // The transport pauses what it reads from, which is not standard input itself.
  process.stdin.unpipe(messages).pause();
  return undefined;
}

/** Answers a message that is not read. */
function refuseLong(id: MessageId): void {
  const message = `The message has more than ${mostMessageBytes / 2 ** 20} MiB, and was not read; send less text.`;
  // As the specification of JSON-RPC numbers an invalid request.
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_600, message } })}\n`);
}

/** Resolves when the client has gone, or a signal says to end. */
function ended(): Promise<unknown> {
  const { stdin, stdout } = process;
  return Promise.race([
    ...[once(stdin, 'end'), once(stdin, 'close'), once(stdout, 'close')],
    ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => once(process, signal)),
  ]);
}

function makeServer(accessFor: (onWait: OnWait | undefined) => Access, version: string): McpServer {
  const server = new McpServer({ name: 'kindred', title: 'Kindred', version }, { instructions });
  for (const { name, title, description, input, output, call } of toolsFor(accessFor(undefined))) {
    const annotations = {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    };
    const config = { title, description, annotations, inputSchema: takenAsIs(input), outputSchema: takenAsIs(output) };
    server.registerTool(name, config, async (given, { mcpReq }) =>
      answerOf(await call(accessFor(progressTo(mcpReq)), given)),
    );
  }
  return server;
}

/** Reports to a client that has asked for it how far the index is, while an answer waits for that. */
function progressTo({ _meta: meta, notify }: ServerContext['mcpReq']): OnWait | undefined {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return ({ detail = 'Comparing.' }) => {
    const params = { progressToken, progress: ++progress, message: detail };
    // A client that has gone needs no news.
    void notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** Data as they are and as text, for clients that read only that; a problem as an error that the model reads. */
function answerOf(answer: Awaited<ReturnType<Tool['call']>>) {
  if ('problem' in answer) return { isError: true, content: [{ type: 'text' as const, text: answer.problem }] };
  const text = JSON.stringify(answer.data);
  return { content: [{ type: 'text' as const, text }], structuredContent: { ...answer.data } };
}

/** A schema to tell of. The tool itself checks its input, and says what is wrong in a sentence. */
function takenAsIs(schema: InputSchema | ObjectSchema): StandardSchemaWithJSON {
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
