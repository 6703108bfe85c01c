/** Some thousand cases, the same in every run: `npm run fuzz` searches on, with others. */
import assert from 'node:assert/strict';
import { originsOf } from './cases.ts';
import { type Failure, fuzz } from './fuzzing.ts';

/** Each test tries so many in the engine, and some through the command line: half a minute, or more on a busy machine. */
const casesOfTest = 360;

suite('any files and options', function () {
  this.timeout(400_000);
  const origins = originsOf(undefined);
  for (let n = 1; n <= 5; n++) {
    test(`have a sound report, the same in every way it is made: part ${n}`, async () => {
      const failures: Failure[] = [];
      const tally = await fuzz(
        origins,
        n * 1_000_000,
        ({ engine }) => engine >= casesOfTest,
        (failure) => {
          failures.push(failure);
          return false;
        },
      );
      assert.deepEqual(
        failures.map(({ folder, problem }) => `${folder}\n${problem}`),
        [],
      );
      assert.ok(tally.groups > casesOfTest / 2, `only ${tally.groups} groups were found`);
      assert.ok(tally.commandLine > 3);
    });
  }
});
