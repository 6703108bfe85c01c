/** Reads files whose text the views need: remote and virtual ones from the worker, so that none is sent twice. */
import type * as vscode from 'vscode';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import type { Platform } from '../platform.ts';
import type { FindingsModel } from './findings.ts';

/** @param readFile  reads a file that the worker does not have */
export function readCompared(
  client: Pick<EngineClient, 'callIfScanned'>,
  findings: Pick<FindingsModel, 'snapshot'>,
  readFile: Platform['readFile'],
): Platform['readFile'] {
  return async (uri: vscode.Uri) => {
    const path = uri.scheme === 'file' ? undefined : findings.snapshot?.folders.pathOf(uri);
    const bytes = path === undefined ? undefined : await client.callIfScanned('contentOf', path);
    return bytes ?? readFile(uri);
  };
}
