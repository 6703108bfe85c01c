/** `kindred org` is a separate bundle, because no other command needs the index of many repositories. */
import { existsSync } from 'node:fs';
import type * as Org from './org/runOrg.ts';

/** Returns `undefined` in the extension, which does not include the bundle. */
export async function loadOrg(): Promise<(typeof Org)['runOrg'] | undefined> {
  // The expression keeps the bundler from including the file.
  const bundle = new URL('./org.js', import.meta.url);
  if (!existsSync(bundle)) return undefined;
  return ((await import(bundle.href)) as typeof Org).runOrg;
}
