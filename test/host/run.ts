/**
 * Entry point for VS Code's extension host, which runs the suites beside this file. The results file determines
 * success; the rejection is for a human reader.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { runMocha } from '../../scripts/mochaRun.mjs';

/** A test in the extension host waits for the editor, the worker, and the disk. */
const timeoutMs = 600_000;

export async function run(): Promise<void> {
  const failures = await runMocha(suites(), timeoutMs);
  if (failures > 0) throw new Error(`${failures} failed.`);
}

function suites(): string[] {
  const folder = import.meta.dirname;
  const sabotage = process.env['KINDRED_SABOTAGE'];
  if (sabotage !== undefined) return [path.join(folder, '..', 'harness', 'sabotage', `${sabotage}.js`)];
  if (process.env['KINDRED_SOAK'] !== undefined) return [path.join(folder, 'soak.js')];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.test.js'))
    .sort()
    .map((name) => path.join(folder, name));
}
