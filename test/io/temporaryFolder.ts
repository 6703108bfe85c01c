/** Temporary folders with files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Creates a folder with these files: content by name, with forward slashes. */
export function makeFolder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-'));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

export function removeFolder(folder: string): void {
  // A process that a test leaves in the background may still write.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
