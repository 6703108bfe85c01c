/** A few cases, the same in every run. `npm run test:long` and `npm run fuzz` try others. */
import assert from 'node:assert/strict';
import { originsOf } from './cases.ts';
import { type Failure, fuzz } from './fuzzing.ts';

/** Number of cases of the engine, which take a few seconds. */
const engineCases = 120;
/** Interval of cases for the command line, each of which takes as long as 100 cases of the engine. */
const every = 41;

suite('any files and options', () => {
  test('have a consistent report, the same in every way of creating it', async () => {
    const failures: Failure[] = [];
    const tally = await fuzz(
      originsOf(undefined),
      1_000_000,
      ({ engine }) => engine >= engineCases,
      (failure) => {
        failures.push(failure);
        return false;
      },
      every,
    );
    assert.deepEqual(
      failures.map(({ folder, problem }) => `${folder}\n${problem}`),
      [],
    );
    assert.ok(tally.groups > engineCases / 2, `only ${tally.groups} groups were found`);
    assert.ok(tally.commandLine > 1);
  });
});
