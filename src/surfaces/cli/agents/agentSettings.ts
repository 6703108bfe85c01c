/**
 * Defines the entries that Kindred needs in the settings of coding agents: the MCP server, the hooks in the documented
 * format of each client, and a plugin in the portable format (agent-plugins.org, 1.0.0).
 */
import { findNodeAtLocation, getNodeValue, type JSONPath, type Node, parse } from 'jsonc-parser';
import { fieldOf, isObject, itemsOf } from '../../../core/collections/parsedValues.ts';
import { addEntry } from '../../../scan/io/addEntry.ts';
import { parseObject } from '../../../scan/io/configuration.ts';

interface SettingsFile {
  /** Path relative to the project folder, with forward slashes. */
  readonly name: string;
  readonly entries: readonly Entry[];
  /** Path of a file with settings for one person. The client adds its hooks to those of the project. */
  readonly personal?: string;
}

type Entry = ValueEntry | HookEntry;

interface ValueEntry {
  /** JSON path of the entry. */
  readonly at: JSONPath;
  readonly value: unknown;
}

/** A hook, which is appended to the list of its event. */
interface HookEntry {
  readonly event: string;
  /** Names of the tools after which the client must call the hook; empty if the event is not about tools. */
  readonly tools: readonly string[];
  /** Returns the hook for a list of tools, separated by `|`. */
  readonly hookFor: (tools: string) => object;
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
    // Cursor reads no other file, and does not define the working folder of a server.
    name: '.cursor/mcp.json',
    entries: [{ at: ['mcpServers', 'kindred'], value: { command: 'kindred', args: ['mcp', '${workspaceFolder}'] } }],
  },
  {
    name: '.claude/settings.json',
    personal: '.claude/settings.local.json',
    entries: [
      { event: 'PostToolUse', tools: ['Write', 'Edit', 'MultiEdit'], hookFor: (matcher) => claudeHook({ matcher }) },
      { event: 'SessionStart', tools: [], hookFor: () => claudeHook({}) },
      { event: 'Stop', tools: [], hookFor: () => claudeHook({}) },
    ],
  },
  {
    name: '.github/hooks/kindred.json',
    entries: [
      { at: ['version'], value: 1 },
      {
        event: 'postToolUse',
        tools: [],
        hookFor: () => ({ type: 'command', bash: command, powershell: command, timeoutSec: timeout }),
      },
    ],
  },
  {
    name: '.cursor/hooks.json',
    entries: [
      { at: ['version'], value: 1 },
      { event: 'postToolUse', tools: ['Write'], hookFor: (matcher) => ({ command, matcher }) },
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
        // The server runs in the folder of the plugin, so pass the root of the repository.
        at: ['mcpServers', 'kindred'],
        value: { type: 'stdio', command: 'kindred', args: ['mcp', '${PLUGIN_ROOT}/../../..'] },
      },
    ],
  },
];

function claudeHook(filter: object): object {
  return { ...filter, hooks: [{ type: 'command', command, timeout }] };
}

/**
 * Returns the text of a settings file with its missing entries added, or an error message.
 *
 * @param text      current text; `undefined` if the file does not exist
 * @param personal  text of the file with personal settings, if it exists
 * @returns `text` is `undefined` if the file does not exist, and the personal settings already have all entries
 */
export function withEntries(
  { name, entries }: SettingsFile,
  text: string | undefined,
  personal?: string,
): { readonly text: string | undefined } | { readonly problem: string } {
  const before = text === undefined || text.trim() === '' ? '{}\n' : text;
  let changed = before;
  for (const entry of entries) {
    const root = parseObject(changed, name);
    if ('problem' in root) return { problem: root.problem };
    const at = 'event' in entry ? ['hooks', entry.event, -1] : [...entry.at];
    const wrong = misshapen(root, at);
    if (wrong !== undefined) return { problem: `${name}: ${wrong}` };
    const value = 'event' in entry ? missingHook(entry, root, personal) : missingValue(entry, root, changed);
    if (value === undefined) continue;
    changed = addEntry(changed, at, value);
  }
  return { text: changed === before ? text : changed };
}

/** Returns true if a settings file calls Kindred's hook after an event. */
export function callsHookAfter(event: string, text: string): boolean {
  return hooksIn(parse(text), event).some(callsHook);
}

/** Returns the hooks of an event in parsed settings. Ignores the case of the event, which depends on the client. */
function hooksIn(settings: unknown, event: string): readonly unknown[] {
  const lists = Object.entries(fieldOf(settings, 'hooks') ?? {});
  return lists.filter(([name]) => name.toLowerCase() === event.toLowerCase()).flatMap(([, list]) => itemsOf(list));
}

/** Returns true if a hook calls Kindred's in any form, such as `npx kindred hook`. */
function callsHook(hook: unknown): boolean {
  return /\bkindred\b.{0,60}?[\s"]hook\b/.test(JSON.stringify(hook));
}

/** Returns the value of an entry; `undefined` if the file has it already. */
function missingValue({ at, value }: ValueEntry, root: Node, text: string): unknown {
  if (findNodeAtLocation(root, [...at]) !== undefined) return undefined;
  const parent = findNodeAtLocation(root, at.slice(0, -1));
  if (parent === undefined || at.length === 1) return value;
  const within = text.slice(parent.offset, parent.offset + parent.length);
  return startsProgram(within) ? undefined : value;
}

/** Returns true if the JSON of a server starts Kindred. Users may give the server any name. */
function startsProgram(json: string): boolean {
  return /"(?:[^"]*[\\/])?kindred(?:@[^"]*)?"(?!\s*:)/.test(json);
}

/** Returns the name that Kindred's server has in the text of a file such as `.mcp.json`. */
export function serverNameIn(text: string | undefined): string {
  const servers = fieldOf(parse(text ?? ''), 'mcpServers');
  if (!isObject(servers) || 'kindred' in servers) return 'kindred';
  return Object.keys(servers).find((name) => startsProgram(JSON.stringify(servers[name]))) ?? 'kindred';
}

/** Returns the hook for the tools that no existing hook has; `undefined` if none is missing. */
function missingHook({ event, tools, hookFor }: HookEntry, root: Node, personal: string | undefined): unknown {
  const settings: readonly unknown[] = [getNodeValue(root), personal === undefined ? {} : parse(personal)];
  const hooks = settings.flatMap((one) => hooksIn(one, event)).filter(callsHook);
  if (tools.length === 0) return hooks.length === 0 ? hookFor('') : undefined;
  const missing = tools.filter((tool) => !hooks.some((hook) => matches(fieldOf(hook, 'matcher'), tool)));
  return missing.length === 0 ? undefined : hookFor(missing.join('|'));
}

/** Returns true if a hook's matcher has a tool. A matcher is a regular expression; without one, all tools match. */
function matches(matcher: unknown, tool: string): boolean {
  if (typeof matcher !== 'string' || matcher === '' || matcher === '*') return true;
  try {
    return new RegExp(`^(?:${matcher})$`).test(tool);
  } catch {
    return false;
  }
}

/** Returns an error message if an object or array on the path to the entry has the wrong type. */
function misshapen(root: Node, at: JSONPath): string | undefined {
  for (let length = 1; length < at.length; length++) {
    const node = findNodeAtLocation(root, at.slice(0, length));
    const requiredType = at[length] === -1 ? 'array' : 'object';
    if (node === undefined) return undefined;
    if (node.type !== requiredType)
      return `${at.slice(0, length).join('.')} must be ${requiredType === 'array' ? 'a list' : 'an object'}.`;
  }
  return undefined;
}
