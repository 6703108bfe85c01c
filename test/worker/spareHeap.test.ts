import assert from 'node:assert/strict';
import { getHeapStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { collectGarbage } from '../../src/session/worker/spareHeap.ts';

const mega = 2 ** 20;

/** Creates unreachable objects of about this size that have survived for a while. */
function makeGarbage(bytes: number): void {
  const kept: object[] = [];
  for (let size = 0; size < bytes; size += 64) kept.push({ a: size, b: size + 0.5 });
  assert.ok(kept.length > 0);
  kept.length = 0;
}

function usedBytes(): number {
  return getHeapStatistics().used_heap_size;
}

suite('spare heap', () => {
  test('releases a lot of garbage, keeps a little, and gives other contexts no collector', () => {
    makeGarbage(64 * mega);
    collectGarbage();
    const alive = usedBytes();
    makeGarbage(64 * mega);
    assert.ok(usedBytes() > alive + 16 * mega, 'V8 has collected by itself');
    collectGarbage();
    assert.ok(usedBytes() < alive + 4 * mega);
    makeGarbage(4 * mega);
    const before = usedBytes();
    collectGarbage();
    assert.ok(usedBytes() >= before);
    assert.equal(runInNewContext('typeof gc'), 'undefined');
  });
});
