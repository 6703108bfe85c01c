/** Inputs as listed for a scan and again for updates. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultOptions } from '../../src/core/engine/options.ts';
import type { ScanInput } from '../../src/scan/indexer/scanInput.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import type { ScanRequest } from '../../src/session/protocol/messages.ts';
import { differs, Inputs } from '../../src/session/worker/inputs.ts';
import { nodeDisk } from '../../src/session/worker/nodeDisk.ts';
import { VirtualFiles } from '../../src/session/worker/virtualFiles.ts';
import { noFiles } from './conversation.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

suite('inputs', () => {
  let folder = '';
  setup(() => (folder = makeFolder({ 'a.ts': 'let a;\n', 'b.ts': 'let b;\n' })));
  teardown(() => removeFolder(folder));

  test('are listed again after an interrupted update, even if only the disk shows the reason', async () => {
    const inputs = new Inputs(nodeDisk, new VirtualFiles(noFiles), assert.fail);
    const request: ScanRequest = {
      type: 'scan',
      generation: 1,
      roots: [{ folder, prefix: '', sources: defaultSourceOptions }],
      options: defaultOptions,
      languages: [],
      workers: 1,
      memoryMB: 0,
      overlays: [],
      storage: undefined,
      recall: false,
      ignored: [],
    };
    const never = (): boolean => false;
    const pathsOf = ({ listing }: ScanInput): string[] => listing.files.map((file) => file.path);
    const before = await inputs.list(request, { stored: () => undefined, touched: new Set() }, () => undefined, never);
    assert.deepEqual(pathsOf(before), ['a.ts', 'b.ts']);
    mkdirSync(path.join(folder, '.git', 'info'), { recursive: true });
    writeFileSync(path.join(folder, '.git', 'info', 'exclude'), 'b.ts\n');
    const { paths } = await inputs.listChanges(request, before, never);
    assert.deepEqual(paths, ['b.ts']);
    // The listing of the first update is dropped. The report and its input remain.
    for (const update of ['cut short', 'whole']) {
      const input = await inputs.listAgain(request, before, new Set(paths), never);
      assert.deepEqual(pathsOf(input), ['a.ts'], update);
    }
    const after = await inputs.listAgain(request, before, new Set(paths), never);
    assert.equal((await inputs.listAgain(request, after, new Set(['a.ts']), never)).listing, after.listing);
  });

  test('differ by an added, removed, skipped, or touched file, or a touched text', () => {
    const inputOf = (files: readonly string[], skipped: readonly string[] = [], texts: readonly string[] = []) => ({
      listing: {
        files: files.map((path) => ({ path, file: `/w/${path}` })),
        skipped: skipped.map((path) => ({ path, reason: 'binary' })),
      },
      texts: texts.map((path) => ({ path, bytes: new Uint8Array() })),
    });
    const check = (after: ScanInput, isOther: boolean, touched: readonly string[] = []): void =>
      assert.equal(differs(inputOf(['a', 'b'], ['s'], ['t']), after, new Set(touched)), isOther);
    const same = inputOf(['a', 'b'], ['s'], ['t']);
    check(same, false, ['c']);
    check(same, true, ['b']);
    check(same, true, ['t']);
    check(inputOf(['a', 'b', 'c'], ['s'], ['t']), true);
    check(inputOf(['a', 'c'], ['s'], ['t']), true);
    check(inputOf(['a', 'b'], ['s', 'u'], ['t']), true);
    check(inputOf(['a', 'b'], ['s']), true, ['t']);
  });
});
