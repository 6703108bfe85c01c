/** A client of the official SDK for the built `kindred mcp`, which checks every response. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { root } from '../../scripts/project.mjs';
import type { CheckChangesData } from '../../src/surfaces/tools/checkChanges.ts';
import type { FindSimilarData } from '../../src/surfaces/tools/findSimilar.ts';
import type { GetDuplicateData } from '../../src/surfaces/tools/getDuplicate.ts';
import type { ListDuplicatesData } from '../../src/surfaces/tools/listDuplicates.ts';

/** Revisions of the protocol: with a handshake, and stateless. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

export interface Data {
  readonly find_similar: FindSimilarData;
  readonly list_duplicates: ListDuplicatesData;
  readonly get_duplicate: GetDuplicateData;
  readonly check_changes: CheckChangesData;
}

export class McpClient {
  readonly client: Client;
  readonly transport: StdioClientTransport;

  private constructor(client: Client, transport: StdioClientTransport) {
    this.client = client;
    this.transport = transport;
  }

  /**
   * @param cache  folder of the index
   * @param env    environment variables besides the usual ones
   */
  static async start(
    folders: readonly string[],
    cache: string,
    revision: Revision,
    env: Readonly<Record<string, string>> = {},
  ): Promise<McpClient> {
    const mode = revision === '2025-11-25' ? ('legacy' as const) : { pin: revision };
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [path.join(root, 'dist/cli.js'), 'mcp', ...folders, '--cache', cache],
      env: { ...getDefaultEnvironment(), ...env },
      stderr: 'ignore',
    });
    await client.connect(transport);
    return new McpClient(client, transport);
  }

  /** Returns the data of the response of a complete index. */
  async data<Name extends keyof Data>(name: Name, input: object): Promise<Data[Name]> {
    const data = await this.earlyData(name, input);
    return isIndexing(data) ? this.data(name, input) : data;
  }

  /**
   * Returns the data of a response, which may have only stored findings. Checks that it equals the text. Asks again
   * while the server says so, because every answer has a time limit.
   *
   * @param onMessage  receives the messages of progress
   */
  async earlyData<Name extends keyof Data>(
    name: Name,
    input: object,
    onMessage?: (message: string) => void,
  ): Promise<Data[Name]> {
    const { structuredContent, content, isError } = await this.client.callTool(
      { name, arguments: { ...input } },
      onMessage && { onprogress: ({ message = '' }) => onMessage(message) },
    );
    const [first] = content;
    assert.ok(first?.type === 'text');
    if (isError === true && asksForPatience(first.text)) return this.earlyData(name, input, onMessage);
    assert.notEqual(isError, true, first.text);
    assert.deepEqual(JSON.parse(first.text), structuredContent);
    return structuredContent as Data[Name];
  }

  /** Returns the error message of a tool. */
  async problem(name: keyof Data, input: object): Promise<string> {
    const { content, isError, structuredContent } = await this.client.callTool({ name, arguments: { ...input } });
    const [first] = content;
    assert.ok(first?.type === 'text');
    if (isIndexing(structuredContent) || asksForPatience(first.text)) return this.problem(name, input);
    assert.equal(isError, true, first.text);
    return first.text;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** Returns true if an answer could not be given in time, and the same question may be answered later. */
export function asksForPatience(text: string): boolean {
  return /try again in a few seconds/i.test(text);
}

/** Returns true if an answer comes from stored findings, before the index is complete. */
function isIndexing(data: unknown): boolean {
  return (data as Partial<FindSimilarData> | undefined)?.index?.state === 'indexing';
}
