/** The version of Kindred. Programs answer `--version` with it before they load the command line. */
import { readFileSync } from 'node:fs';

/** Returns the version in package.json, which is in the parent folder of the bundle. */
export function readVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** True if the arguments after `kindred` ask for nothing but the version. */
export function requestsVersion(given: readonly string[]): boolean {
  return given.length === 1 && (given[0] === '--version' || given[0] === '-V');
}
