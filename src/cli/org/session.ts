/** What a command of `kindred org` works with. */
import type { Writable } from 'node:stream';
import type { Database } from '../../database/openDatabase.ts';
import type { ScanProgress } from '../../indexer/scanInput.ts';

/** What the command line gives it. */
export interface OrgCall {
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  /** Whether somebody has interrupted it, and the exit code then. */
  readonly interrupted: () => boolean;
  readonly interruptedCode: () => number;
  /** Writes sentences to standard error. */
  readonly tell: (sentences: readonly string[]) => Promise<void>;
}

export interface OrgSession extends OrgCall {
  readonly database: Database;
  /** The addresses of its servers. */
  readonly urls: readonly string[];
  readonly progress: (progress: ScanProgress) => void;
}

/** The script that indexes files, beside the bundle of this one. */
export const scanThread = new URL('./scanThread.js', import.meta.url);
