/** A try or two of each fault: `npm run faults` has more. */
import assert from 'node:assert/strict';
import { randomNumbers } from '../../bench/randomNumbers.mjs';
import { canBeMade, faults, Place } from './faults.ts';

const tries = 2;
suite('nothing is lost', function () {
  this.timeout(240_000);
  const places: Place[] = [];
  teardown(() => places.splice(0).forEach((place) => place.end()));

  for (const fault of Object.values(faults)) {
    if (!canBeMade(fault)) continue;
    test(`when: ${fault.about}`, async () => {
      const place = await Place.make();
      places.push(place);
      const chance = randomNumbers(1);
      for (let time = 0; time < tries; time++) {
        const lost = await fault.once(place, chance);
        assert.equal(lost, undefined);
      }
    });
  }
});
