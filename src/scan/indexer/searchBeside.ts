/**
 * Searches the documents of a scan before it has compared them. The search has its own instance of the kernel, so that
 * the scan can continue where it was, and releases all memory that it has allocated.
 */
import { Kernel, MemoryExhaustedError } from '../../core/engine/kernel.ts';
import { endOf } from './endOf.ts';
import { type CorpusInput, fillCorpus } from './planWithin.ts';
import type { ScanMonitor, DocumentSearch } from './scanInput.ts';

/**
 * Returns a search of the documents in a kernel's memory. Precondition of each call: until its promise is settled, no
 * other thread or function allocates memory there.
 */
export function searchBeside(
  { memory }: Kernel,
  input: CorpusInput,
  monitor: Pick<ScanMonitor, 'cancelled'>,
): DocumentSearch {
  return async (text) => {
    const kernel = new Kernel(memory);
    const mark = kernel.mark();
    try {
      const { corpus } = fillCorpus(kernel, input, input.files);
      const found = await endOf(corpus.findSimilarSteps([text]), monitor);
      return found?.result[0];
    } catch (error) {
      if (error instanceof MemoryExhaustedError) return undefined;
      throw error;
    } finally {
      kernel.release(mark);
    }
  };
}
