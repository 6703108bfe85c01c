/** `kindred org` is a separate bundle, because no other command needs the index of many repositories. */
import { existsSync } from 'node:fs';
import type * as Org from './org/runOrg.ts';

/** Returns `undefined` in the extension, which omits the bundle to reduce its size. */
export async function loadOrg(): Promise<(typeof Org)['runOrg'] | undefined> {
  // An address that the bundler does not follow.
  const bundle = new URL('./org.js', import.meta.url);
  if (!existsSync(bundle)) return undefined;
  return ((await import(bundle.href)) as typeof Org).runOrg;
}
