/** Starts a server. Each server is a separate bundle, because no other command needs its code. */
import { existsSync } from 'node:fs';
import { indexFolder, variableIn } from '../../organisation/folder/indexPlace.ts';
import type * as Lsp from '../servers/lsp/serveLsp.ts';
import type * as Mcp from '../servers/mcp/serveMcp.ts';
import type { ServerArguments } from './serverArguments.ts';

/**
 * Runs the server until the client disconnects. Returns an error message if it cannot start.
 *
 * @param write  called with lines of the log
 */
export async function runServer(
  { type, roots, cache }: ServerArguments,
  version: string,
  write: (line: string) => void,
): Promise<string | undefined> {
  if (type === 'lsp') {
    // The extension does not need this server, and is shipped without it.
    if (!existsSync(new URL(bundle('lsp')))) {
      return 'the extension does not include kindred lsp; install the command line from npm.';
    }
    const { serveLsp } = (await import(bundle('lsp'))) as typeof Lsp;
    return serveLsp({ cache }, version, write);
  }
  const { serveMcp } = (await import(bundle('mcp'))) as typeof Mcp;
  const organisation = { folder: indexFolder(undefined, process.env), setting: variableIn(process.env) };
  return serveMcp({ roots: roots.length > 0 ? roots : ['.'], cache }, organisation, version, write);
}

/** Returns the URL of a bundle in the same folder. The bundler does not follow this URL, so the code stays separate. */
function bundle(name: string): string {
  return new URL(`./${name}.js`, import.meta.url).href;
}
