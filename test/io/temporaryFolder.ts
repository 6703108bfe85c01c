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
  // A process that a test leaves in the background may still write. Node's own retries do not remove new files.
  for (let tries = 1; ; tries++) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      return;
    } catch (error) {
      if (tries === 10) throw error;
    }
  }
}
