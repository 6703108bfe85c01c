/** Requests that replace waiting ones. */
import assert from 'node:assert/strict';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import type { ScanRequest, UpdateRequest } from '../../src/session/protocol/messages.ts';
import { overtake, type WaitingRequest } from '../../src/session/worker/requests.ts';

suite('a request that overtakes another', () => {
  const overlay = (path: string, text: string) => ({ path, text, overFile: true });

  function update(generation: number, changes: Partial<UpdateRequest>): UpdateRequest {
    return { type: 'update', generation, paths: [], overlays: [], dropped: [], ...changes };
  }

  const scan: ScanRequest = {
    type: 'scan',
    generation: 1,
    roots: [{ folder: '/w', prefix: '', sources: defaultSourceOptions }],
    options: defaultOptions,
    languages: [],
    workers: 1,
    memoryMB: 0,
    overlays: [overlay('a.ts', 'one')],
    storage: undefined,
    recall: false,
    ignored: [],
  };

  /** Checks the request that results from a waiting one and a newer one. */
  function check(waiting: WaitingRequest, newer: ScanRequest | UpdateRequest, expected: WaitingRequest): void {
    assert.deepEqual(overtake(waiting, newer), expected);
  }

  test('is an update with all paths, and the newest texts', () => {
    check(
      update(1, { paths: ['p'], overlays: [overlay('a.ts', 'one'), overlay('b.ts', 'b')], dropped: ['c.ts', 'd.ts'] }),
      update(2, { paths: ['q'], overlays: [overlay('a.ts', 'two'), overlay('c.ts', 'c')], dropped: ['b.ts'] }),
      update(2, {
        paths: ['p', 'q'],
        overlays: [overlay('a.ts', 'two'), overlay('c.ts', 'c')],
        dropped: ['d.ts', 'b.ts'],
      }),
    );
  });

  test('is the waiting scan with the texts of the update', () => {
    check(scan, update(2, { paths: ['p'], overlays: [overlay('a.ts', 'two')], dropped: ['b.ts'] }), {
      ...scan,
      generation: 2,
      overlays: [overlay('a.ts', 'two')],
      touched: ['p', 'a.ts', 'b.ts'],
    });
    check(scan, update(2, { dropped: ['a.ts'] }), { ...scan, generation: 2, overlays: [], touched: ['a.ts'] });
  });

  test('is the newer scan with the paths of the update', () => {
    const newer = { ...scan, generation: 2 };
    const waiting = update(1, { paths: ['p'], overlays: [overlay('b.ts', 'b')], dropped: ['c.ts'] });
    check(waiting, newer, { ...newer, touched: ['p', 'b.ts', 'c.ts'] });
  });
});
