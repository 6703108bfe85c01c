import type { Writable } from 'node:stream';
import type { OrganisationIndex } from '../../../organisation/repositories/organisationIndex.ts';
import type { ScanProgress } from '../../../scan/indexer/scanInput.ts';

export interface OrgCall {
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  /** Returns true once the user has interrupted the command. */
  readonly interrupted: () => boolean;
  /** Returns the exit code of an interrupted command. */
  readonly interruptedCode: () => number;
  /** Writes messages to standard error. */
  readonly writeMessages: (sentences: readonly string[]) => Promise<void>;
}

export interface OrgSession extends OrgCall {
  readonly index: OrganisationIndex;
  readonly progress: (progress: ScanProgress) => void;
}

/** URL of the script that tokenizes files. It is in the same folder as this bundle. */
export const scanThread = new URL('./scanThread.js', import.meta.url);
