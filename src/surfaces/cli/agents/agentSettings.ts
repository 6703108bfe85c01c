/**
 * Entries for Kindred in the settings of coding agents: the MCP server, the hooks of each client in the format that it
 * documents, and a plugin in the portable format (agent-plugins.org, 1.0.0). Comments, other entries, and the
 * indentation of a file stay the same.
 */
import { applyEdits, findNodeAtLocation, type JSONPath, modify, type Node } from 'jsonc-parser';
import { parseObject } from '../../../scan/io/configuration.ts';

interface SettingsFile {
  /** Path relative to the folder, with forward slashes. */
  readonly name: string;
  readonly entries: readonly Entry[];
}

interface Entry {
  /** JSON path of the entry. −1 at its end appends the entry to a list. */
  readonly at: JSONPath;
  readonly value: unknown;
}

/** Folder of the plugin. The root of the repository is three levels above it. */
export const pluginFolder = '.agents/plugins/kindred';
const pluginSchemas = 'https://agent-plugins.org/schemas/1.0.0';
const command = 'kindred hook';
/** Timeout in seconds. The hook itself gives up after one second. */
const timeout = 10;

export const settingsFiles: readonly SettingsFile[] = [
  {
    name: '.mcp.json',
    entries: [{ at: ['mcpServers', 'kindred'], value: { command: 'kindred', args: ['mcp', '.'] } }],
  },
  {
    name: '.claude/settings.json',
    entries: [
      claudeHook('PostToolUse', { matcher: 'Write|Edit|MultiEdit' }),
      claudeHook('SessionStart', {}),
      claudeHook('Stop', {}),
    ],
  },
  {
    name: '.github/hooks/kindred.json',
    entries: [
      { at: ['version'], value: 1 },
      {
        at: ['hooks', 'postToolUse', -1],
        value: { type: 'command', bash: command, powershell: command, timeoutSec: timeout },
      },
    ],
  },
  {
    name: '.cursor/hooks.json',
    entries: [
      { at: ['version'], value: 1 },
      { at: ['hooks', 'postToolUse', -1], value: { command, matcher: 'Write' } },
    ],
  },
  {
    name: `${pluginFolder}/plugin.json`,
    entries: [
      { at: ['$schema'], value: `${pluginSchemas}/plugin.schema.json` },
      { at: ['name'], value: 'kindred' },
      {
        at: ['description'],
        value: 'Avoids duplicated code and text: finds existing code before it is written again.',
      },
    ],
  },
  {
    name: `${pluginFolder}/mcp.json`,
    entries: [
      { at: ['$schema'], value: `${pluginSchemas}/mcp.schema.json` },
      {
        // Clients start the server in the folder of the plugin.
        at: ['mcpServers', 'kindred'],
        value: { type: 'stdio', command: 'kindred', args: ['mcp', '${PLUGIN_ROOT}/../../..'] },
      },
    ],
  },
];

function claudeHook(event: string, filter: object): Entry {
  return { at: ['hooks', event, -1], value: { ...filter, hooks: [{ type: 'command', command, timeout }] } };
}

/**
 * Returns the text of a file with missing entries added, or an error message.
 *
 * @param text  current text; `undefined` if the file does not exist
 */
export function withEntries(
  { name, entries }: SettingsFile,
  text: string | undefined,
): { readonly text: string } | { readonly problem: string } {
  let changed = text === undefined || text.trim() === '' ? '{}\n' : text;
  for (const { at, value } of entries) {
    const root = parseObject(changed, name);
    if ('problem' in root) return { problem: root.problem };
    const wrong = misshapen(root, at);
    if (wrong !== undefined) return { problem: `${name}: ${wrong}` };
    if (isThere(root, changed, at)) continue;
    changed = applyEdits(changed, modify(changed, [...at], value, { formattingOptions: formattingOf(changed) }));
  }
  // Formatters write a list of words on one line.
  return { text: changed.replace(/\[\s+"mcp",\s+("[^"]*")\s+\]/, '["mcp", $1]') };
}

/** True if the place of an entry already calls Kindred in some form, such as `npx kindred hook`. */
export function callsHook(text: string): boolean {
  return /\bkindred\b.{0,60}?\shook\b/.test(text);
}

function isThere(root: Node, text: string, at: JSONPath): boolean {
  if (findNodeAtLocation(root, [...at]) !== undefined) return true;
  const parent = findNodeAtLocation(root, at.slice(0, -1));
  if (parent === undefined || at.length === 1) return false;
  const within = text.slice(parent.offset, parent.offset + parent.length);
  // The name of the server may be another one, but its command contains the name of the program.
  return at.at(-1) === -1 ? callsHook(within) : /"(?:[^"]*[\\/])?kindred(?:@[^"]*)?"(?!\s*:)/.test(within);
}

/** Returns an error message if a value that should contain the entry exists and has the wrong type. */
function misshapen(root: Node, at: JSONPath): string | undefined {
  for (let length = 1; length < at.length; length++) {
    const node = findNodeAtLocation(root, at.slice(0, length));
    const wanted = at[length] === -1 ? 'array' : 'object';
    if (node === undefined) return undefined;
    if (node.type !== wanted)
      return `${at.slice(0, length).join('.')} must be ${wanted === 'array' ? 'a list' : 'an object'}.`;
  }
  return undefined;
}

function formattingOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const indentation = /^[ \t]+(?=\S)/m.exec(text)?.[0] ?? '  ';
  const insertSpaces = !indentation.startsWith('\t');
  return { insertSpaces, tabSize: insertSpaces ? indentation.length : 4, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}
