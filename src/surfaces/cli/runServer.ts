/** Starts a server. Servers are separate bundles, because no other command needs their code. */
import { existsSync } from 'node:fs';
import { databaseVariable, defaultFolder } from '../../organisation/folder/indexPlace.ts';
import type * as Lsp from '../servers/lsp/serveLsp.ts';
import type * as Mcp from '../servers/mcp/serveMcp.ts';
import type { ServerArguments } from './serverArguments.ts';

/**
 * Serves until the client disconnects. Returns an error message if the start fails.
 *
 * @param write  called with lines of the log
 */
export async function runServer(
  { type, roots, cache }: ServerArguments,
  version: string,
  write: (line: string) => void,
): Promise<string | undefined> {
  if (type === 'lsp') {
    // The extension does not need this server and does not include it.
    if (!existsSync(new URL(bundle('lsp')))) {
      return 'the extension does not include kindred lsp; install the command line from npm.';
    }
    const { serveLsp } = (await import(bundle('lsp'))) as typeof Lsp;
    return serveLsp({ cache }, version, write);
  }
  const { serveMcp } = (await import(bundle('mcp'))) as typeof Mcp;
  const organisation = { folder: organisationFolder(process.env), setting: databaseVariable };
  return serveMcp({ roots: roots.length > 0 ? roots : ['.'], cache }, organisation, version, write);
}

/** Returns the folder of an organization's index: the one that is named, or else the user's own if there is one. */
function organisationFolder(environment: NodeJS.ProcessEnv): string | undefined {
  const named = (environment[databaseVariable] ?? '').trim();
  if (named !== '') return named;
  const own = defaultFolder(environment);
  return existsSync(own) ? own : undefined;
}

/** Returns the URL of a bundle in the same folder. The bundler does not include it. */
function bundle(name: string): string {
  return new URL(`./${name}.js`, import.meta.url).href;
}
