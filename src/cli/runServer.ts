/** Starts a server. It has a bundle of its own, which no other command loads. */
import { existsSync } from 'node:fs';
import type * as Lsp from '../server/lsp/serveLsp.ts';
import type * as Mcp from '../server/mcp/serveMcp.ts';
import type { ServerArguments } from './serverArguments.ts';

/**
 * Serves until the client has gone; returns what is wrong when it cannot begin.
 *
 * @param write  takes lines of the log
 */
export async function runServer(
  { type, roots, cache }: ServerArguments,
  version: string,
  write: (line: string) => void,
): Promise<string | undefined> {
  if (type === 'lsp') {
    // The extension has no use for it, and is smaller without.
    if (!existsSync(new URL(bundle('lsp')))) {
      return 'this copy, which is part of the extension, has no language server; install the command line from npm.';
    }
    const { serveLsp } = (await import(bundle('lsp'))) as typeof Lsp;
    return serveLsp({ cache }, version, write);
  }
  const { serveMcp } = (await import(bundle('mcp'))) as typeof Mcp;
  return serveMcp({ roots: roots.length > 0 ? roots : ['.'], cache }, version, write);
}

/** A bundle beside this one, by an address that the bundler does not follow. */
function bundle(name: string): string {
  return new URL(`./${name}.js`, import.meta.url).href;
}
