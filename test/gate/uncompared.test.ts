import assert from 'node:assert/strict';
import type { SkippedFile } from '../../src/core/engine/report/report.ts';
import { verdictOf } from '../../src/review/gate/limits.ts';
import { uncomparedWords } from '../../src/review/gate/uncompared.ts';

const outOfMemory = (path: string): SkippedFile => ({
  path,
  reason: 'no memory left (limit 256 MB)',
  setting: 'memory',
});
const unreadable = (path: string): SkippedFile => ({ path, reason: 'unreadable (permission denied)' });

suite('an incomplete comparison', () => {
  function check(skipped: readonly SkippedFile[], words: string | undefined): void {
    assert.equal(uncomparedWords(skipped), words);
  }

  test('lacks files that do not fit into memory, cannot be read, or change meanwhile', () => {
    check([outOfMemory('a.ts')], '1 file was not compared for lack of memory (limit 256 MB)');
    check(
      [...Array.from({ length: 1_000 }, (_, at) => outOfMemory(`${at}.ts`)), unreadable('z.ts')],
      '1,000 files were not compared for lack of memory (limit 256 MB); 1 file could not be read (z.ts)',
    );
    check(
      [{ path: 'log.ts', reason: 'changed while being read' }, ...['a/', 'b', 'c'].map(unreadable)],
      '4 files could not be read (log.ts, a/, b, …)',
    );
  });

  test('lacks nothing that a rule excludes or that has no content', () => {
    check(
      [
        { path: 'a.png', reason: 'binary' },
        { path: 'b.ts', reason: 'too large (2 MB, limit 1 MB)', setting: 'maxFileSize' },
        { path: 'c', reason: 'a broken symbolic link' },
        { path: 'd.ts', reason: 'missing' },
      ],
      undefined,
    );
  });

  test('fails unless it is allowed, and a broken limit takes precedence', () => {
    const [holding, broken] = [0, 1].map((actual) => ({
      option: 'max-new' as const,
      limit: 0,
      actual,
      holds: actual === 0,
    }));
    const verdicts = [
      verdictOf([holding], '1 file could not be read (a.ts)', false),
      verdictOf([holding], '1 file could not be read (a.ts)', true),
      verdictOf([broken], '1 file could not be read (a.ts)', true),
    ];
    assert.deepEqual(
      verdicts.map(({ holds, message }) => `${holds} ${message}`),
      [
        'false Incomplete: 1 file could not be read (a.ts).',
        'true Passed: 0 groups with new copies, at most 0 allowed (--max-new). 1 file could not be read (a.ts).',
        'false Failed: 1 group with new copies, at most 0 allowed (--max-new). 1 file could not be read (a.ts).',
      ],
    );
  });
});
