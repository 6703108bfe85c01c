import { type BaselineEntry, printBaseline } from '../../../review/gate/baseline.ts';
import { beginFile } from '../output.ts';
import { isSystemError, causeOf } from '../../../scan/io/systemErrors.ts';

/** Writes a baseline file. Returns an error message if that fails. */
export function writeBaseline(file: string, entries: readonly BaselineEntry[]): string | undefined {
  const pending = beginFile(file);
  if ('problem' in pending) return pending.problem;
  try {
    pending.write([printBaseline(entries)]);
    pending.commit();
    return undefined;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return `cannot write ${file} (${causeOf(error)}).`;
  } finally {
    pending.discard();
  }
}
