/** Loads `kindred org` from a separate bundle, because no other command needs an index of many repositories. */
import { existsSync } from 'node:fs';
import type * as Org from './org/runOrg.ts';

/** Returns `undefined` in the extension, which is shipped without the bundle. */
export async function loadOrg(): Promise<(typeof Org)['runOrg'] | undefined> {
  // The bundler does not follow a computed URL, so it does not include the file.
  const bundle = new URL('./org.js', import.meta.url);
  if (!existsSync(bundle)) return undefined;
  return ((await import(bundle.href)) as typeof Org).runOrg;
}
