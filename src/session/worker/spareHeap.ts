/**
 * Collects garbage of the worker's heap while the worker is idle. V8 lets a heap grow to a multiple of its live size
 * before it collects old garbage. After a thousand edits in 0.96M lines of TypeScript, 60 of 140 MB were garbage.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Minimum growth in bytes that is worth a collection, which takes some tenths of a second of CPU time. */
const worthBytes = 16 * 2 ** 20;

let collect: (() => void) | undefined;
/** Live size in bytes after the last collection. */
let aliveBytes = 0;

/** Collects the garbage of this thread if there is probably enough of it. Blocks the thread. */
export function giveBackHeap(): void {
  if (getHeapStatistics().used_heap_size < aliveBytes + worthBytes) return;
  collect ??= collector();
  collect();
  aliveBytes = getHeapStatistics().used_heap_size;
}

/**
 * Returns a function that collects the garbage of this thread. In Node, it can be obtained only in this way. The flag
 * affects new contexts, so it is reset.
 */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const made = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return made;
}
