/**
 * Defines the entries that Kindred needs in the settings of coding agents: the MCP server, the hooks in the documented
 * format of each client, and a plugin in the portable format (agent-plugins.org, 1.0.0). When entries are added,
 * comments, other entries, and indentation are kept.
 */
import { applyEdits, findNodeAtLocation, type JSONPath, modify, type Node } from 'jsonc-parser';
import { parseObject } from '../../../scan/io/configuration.ts';

interface SettingsFile {
  /** Path relative to the project folder, with forward slashes. */
  readonly name: string;
  readonly entries: readonly Entry[];
}

interface Entry {
  /** JSON path of the entry. A final −1 appends the entry to an array. */
  readonly at: JSONPath;
  readonly value: unknown;
}

/** Folder of the plugin. Other code relies on the repository root being three levels above. */
export const pluginFolder = '.agents/plugins/kindred';
const pluginSchemas = 'https://agent-plugins.org/schemas/1.0.0';
const command = 'kindred hook';
/** Timeout for the client, in seconds. The hook itself stops after one second. */
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
        // The server's working folder is that of the plugin, so pass the root of the repository.
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
 * Returns the text of a settings file with its missing entries added, or an error message.
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
  // Write short arrays on one line, as formatters do.
  return { text: changed.replace(/\[\s+"mcp",\s+("[^"]*")\s+\]/, '["mcp", $1]') };
}

/** Returns true if a text calls Kindred's hook in any form, such as `npx kindred hook`. */
export function callsHook(text: string): boolean {
  return /\bkindred\b.{0,60}?\shook\b/.test(text);
}

function isThere(root: Node, text: string, at: JSONPath): boolean {
  if (findNodeAtLocation(root, [...at]) !== undefined) return true;
  const parent = findNodeAtLocation(root, at.slice(0, -1));
  if (parent === undefined || at.length === 1) return false;
  const within = text.slice(parent.offset, parent.offset + parent.length);
  // Users may give the server another name, so look for the name of the program in its command.
  return at.at(-1) === -1 ? callsHook(within) : /"(?:[^"]*[\\/])?kindred(?:@[^"]*)?"(?!\s*:)/.test(within);
}

/** Returns an error message if an object or array on the path to the entry has the wrong type. */
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
