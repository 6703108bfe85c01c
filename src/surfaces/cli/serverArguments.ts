/** Arguments of `kindred mcp` and `kindred lsp`. */
import { type Command, Option } from 'commander';
import * as flag from './flags.ts';
import { type Problem, problem } from './scanArguments.ts';

export interface ServerArguments {
  readonly type: 'mcp' | 'lsp';
  /** Folders as the user entered them. If empty, the server uses the current folder or the editor's folders. */
  readonly roots: readonly string[];
  /** Folder of the index as the user entered it; false to store none; `undefined` for the default folder. */
  readonly cache: string | false | undefined;
}

const cacheFlag: flag.Flag<string | false> = {
  define: () => [
    new Option('--cache <folder>', "keep the index in this folder (default: kindred in the user's cache folder)"),
    new Option('--no-cache', 'do not keep the index'),
  ],
  read: (flagValue, name, reader) =>
    flagValue === false ? false : reader.path(name, 'a folder', flagValue as string | undefined),
};

export function mcpCommand(program: Command, version: string): Command {
  const command = program
    .command('mcp')
    .description(
      'Starts an MCP server on standard input and output, for agents: find similar code, list duplicates, ' +
        'and check changes for new copies. It follows file changes while it runs. Serves the current folder by default.',
    )
    .version(version, '-V, --version', 'show the version')
    .argument('[root...]', 'folders to serve');
  flag.addFlags(command, { cache: cacheFlag });
  return command.addHelpText(
    'after',
    `
Settings come from .kindredrc.jsonc in each folder.
The server ends when its client closes standard input.

Examples:
  kindred mcp
  kindred mcp ~/project --cache ~/project/.cache/kindred`,
  );
}

export function lspCommand(program: Command, version: string): Command {
  const command = program
    .command('lsp')
    .description(
      'Starts a language server on standard input and output, for editors: diagnostics for copies, with the others as ' +
        'related locations, quick fixes, and hovers. It serves the folders that the editor has open.',
    )
    .version(version, '-V, --version', 'show the version');
  // Many clients add this option to every command. It has no effect, because there is no other transport.
  command.addOption(new Option('--stdio', 'use standard input and output (always the case)'));
  flag.addFlags(command, { cache: cacheFlag });
  return command.addHelpText('after', '\nSettings come from .kindredrc.jsonc in each folder, and from the editor.');
}

export function serverArguments(
  type: ServerArguments['type'],
  roots: readonly string[],
  values: flag.Values,
): ServerArguments | Problem {
  const reader = new flag.Reader(values);
  const cache = reader.one(cacheFlag);
  return reader.problem === undefined ? { type, roots, cache } : problem(reader.problem);
}
