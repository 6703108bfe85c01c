/**
 * Parses the event that an agent passes to its hook on standard input, in the formats of Claude Code, GitHub Copilot,
 * and Cursor. VS Code sends the format of Claude Code with camelCase names.
 */
import path from 'node:path';
import { isObject, type Values } from '../../core/collections/parsedValues.ts';

export type HookEvent =
  | { readonly type: 'written'; readonly client: Client; readonly session: string; readonly write: FileWrite }
  | { readonly type: 'stop'; readonly client: Client; readonly session: string; readonly isContinued: boolean }
  | { readonly type: 'start' };

export type Client = 'claude' | 'copilot' | 'cursor';

/** Text that an agent wrote to a file. */
export interface FileWrite {
  /** Absolute path of the file. */
  readonly file: string;
  readonly edits: readonly Edit[];
}

export interface Edit {
  /** Text that the edit replaced; empty for a new file. */
  readonly before: string;
  readonly after: string;
}

/** An event, and the folder in which the agent works. */
export interface AgentEvent {
  readonly event: HookEvent;
  /** Absolute path of the agent's working folder. */
  readonly cwd: string;
}

/** Parses an event. Returns `undefined` for other events and unknown formats. */
export function readHookEvent(text: string): AgentEvent | undefined {
  const input = objectIn(text);
  if (input === undefined) return undefined;
  const [root] = Array.isArray(input['workspace_roots']) ? (input['workspace_roots'] as unknown[]) : [];
  const cwd = path.resolve(textIn({ ...input, root }, 'cwd', 'root') ?? '.');
  const event = eventOf(input, cwd);
  return event && { event, cwd };
}

function eventOf(input: Values, cwd: string): HookEvent | undefined {
  const name = textIn(input, 'hook_event_name', 'hookEventName') ?? '';
  const client = clientOf(input);
  const session = textIn(input, 'session_id', 'sessionId', 'conversation_id') ?? '';
  if (/^sessionstart$/i.test(name)) return { type: 'start' };
  if (/^(?:agent)?stop$/i.test(name) || 'stopReason' in input) {
    return { type: 'stop', client, session, isContinued: input['stop_hook_active'] === true };
  }
  if (name !== '' && !/^(?:posttooluse|afterfileedit)$/i.test(name)) return undefined;
  // Copilot sends the same format before and after a tool call. Only the one after it has a result.
  if (name === '' && 'toolName' in input && !('toolResult' in input)) return undefined;
  const toolInput = input['tool_input'] ?? input['toolArgs'] ?? input;
  const write = writeOf(typeof toolInput === 'string' ? objectIn(toolInput) : (toolInput as Values | null), cwd);
  return write && { type: 'written', client, session, write };
}

function clientOf(input: Values): Client {
  if ('conversation_id' in input || 'workspace_roots' in input) return 'cursor';
  return 'toolName' in input || 'stopReason' in input ? 'copilot' : 'claude';
}

/** Returns the text that a tool call wrote; `undefined` if it did not write any text. */
function writeOf(tool: Values | null | undefined, cwd: string): FileWrite | undefined {
  if (!tool) return undefined;
  const list = tool['edits'] ?? tool['replacements'];
  const several = Array.isArray(list) ? (list as Values[]) : [tool];
  const file = textIn({ ...several[0], ...tool }, 'file_path', 'filePath', 'path');
  if (!file) return undefined;
  const edits = several.flatMap((edit) => {
    // In VS Code, one call may edit several files. Use only the edits of the first file.
    if ((textIn(edit, 'filePath') ?? file) !== file) return [];
    const after = textIn(edit, 'new_string', 'newString', 'new_str', 'content', 'contents', 'file_text');
    const before = textIn(edit, 'old_string', 'oldString', 'old_str') ?? '';
    return after === undefined ? [] : [{ before, after }];
  });
  return edits.length === 0 ? undefined : { file: path.resolve(cwd, file), edits };
}

function objectIn(text: string): Values | undefined {
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : undefined;
}

/** Returns the value of the first of the given names that has a string value. */
function textIn(values: Values, ...names: readonly string[]): string | undefined {
  const name = names.find((one) => typeof values[one] === 'string');
  return name === undefined ? undefined : (values[name] as string);
}
