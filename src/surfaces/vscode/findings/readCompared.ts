/** Reads files for their text in views. The worker has those of remote and virtual folders, so none is read twice. */
import type * as vscode from 'vscode';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import type { Platform } from '../platform.ts';
import type { FindingsModel } from './findings.ts';

/** @param readFile  reads any other file */
export function readCompared(
  client: Pick<EngineClient, 'ask'>,
  findings: Pick<FindingsModel, 'snapshot'>,
  readFile: Platform['readFile'],
): Platform['readFile'] {
  return async (uri: vscode.Uri) => {
    const path = uri.scheme === 'file' ? undefined : findings.snapshot?.folders.pathOf(uri);
    const bytes = path === undefined ? undefined : await client.ask('contentOf', path);
    return bytes ?? readFile(uri);
  };
}
