import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';

suite('--help', () => {
  for (const [program, usage] of [
    ['scripts/fuzz.mjs', /^ *npm run fuzz -- \[--minutes N\]/m],
    ['scripts/faults.mjs', /^ *npm run faults -- \[--tries N\]/m],
    ['scripts/start.mjs', /^ *npm start -- \[--server\]/m],
    ['scripts/test.mjs', /^ *node scripts\/test\.mjs \[--check/m],
    ['bench/ecosystem.mjs', /^ *npm run ecosystem -- \[--base REF\]/m],
    ['bench/run.mjs', /^usage: npm run bench -- <name>/m],
    ['bench/run.mjs scan', /bench -- scan/],
  ] as const) {
    test(`prints the usage of ${program} and does nothing else`, () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [...program.split(' '), '--help'], {
        cwd: path.resolve(root),
        encoding: 'utf8',
      });
      assert.deepEqual([status, stderr], [0, '']);
      assert.match(stdout, usage);
    });
  }
});
