/** Contents of packages: their digests, and the files in which two of them differ. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';

export function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Returns the files that differ between two packages. */
export function differingFiles(vsix: string, other: string): string[] {
  const [a, b] = [filesOf(vsix), filesOf(other)];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (name) => a[name] === undefined || b[name] === undefined || !Buffer.from(a[name]).equals(b[name]),
  );
}

/** Returns the files of a package that contain one of these texts, such as a folder of this machine. */
export function filesThatName(vsix: string, texts: readonly string[]): string[] {
  return Object.entries(filesOf(vsix))
    .filter(([, bytes]) => texts.some((text) => Buffer.from(bytes).includes(text)))
    .map(([name]) => name);
}

/** Returns the text of a file in a package. */
export function textIn(vsix: string, name: string): string {
  return new TextDecoder().decode(filesOf(vsix)[name]);
}

function filesOf(vsix: string): Record<string, Uint8Array> {
  return unzipSync(readFileSync(vsix));
}
