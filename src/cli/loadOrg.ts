/** `kindred org` has a bundle of its own, with the client of PostgreSQL, which no other command loads. */
import { existsSync } from 'node:fs';
import type * as Org from './org/runOrg.ts';

/** Undefined in the extension, which is smaller without. */
export async function loadOrg(): Promise<(typeof Org)['runOrg'] | undefined> {
  // An address that the bundler does not follow.
  const bundle = new URL('./org.js', import.meta.url);
  if (!existsSync(bundle)) return undefined;
  return ((await import(bundle.href)) as typeof Org).runOrg;
}
