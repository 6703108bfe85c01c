/** The version of Kindred. Programs answer `--version` with it before they load the command line. */
import { readFileSync } from 'node:fs';

/** Returns the version in package.json, which is in the parent folder of the bundle. */
export function readVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** True if the arguments after `kindred` request only the version. */
export function requestsVersion(commandArguments: readonly string[]): boolean {
  return commandArguments.length === 1 && (commandArguments[0] === '--version' || commandArguments[0] === '-V');
}
