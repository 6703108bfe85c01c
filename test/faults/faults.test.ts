/** A try of each fault as each user: `npm run faults` has more. */
import assert from 'node:assert/strict';
import { randomNumbers } from '../../bench/randomNumbers.mjs';
import { canBeMade, faults, Place, users } from './faults.ts';

suite('resistance to faults', function () {
  this.timeout(240_000);
  const places: Place[] = [];
  teardown(() => places.splice(0).forEach((place) => place.end()));

  for (const fault of Object.values(faults)) {
    if (!canBeMade(fault)) continue;
    test(`when: ${fault.about}`, async () => {
      const chance = randomNumbers(1);
      for (const user of users) {
        const place = await Place.make(user);
        places.push(place);
        const lost = await fault.once(place, chance);
        assert.equal(lost, undefined, user === undefined ? undefined : 'as a user without privileges');
      }
    });
  }
});
