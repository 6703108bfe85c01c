/** Tries each fault once, with the users in turn. `npm run test:long` and `npm run faults` try more. */
import assert from 'node:assert/strict';
import { randomNumbers } from '../../bench/randomNumbers.mjs';
import { canBeMade, faults, Place, users } from './faults.ts';

suite('resistance to faults', () => {
  const places: Place[] = [];
  teardown(() => places.splice(0).forEach((place) => place.end()));

  for (const [i, fault] of Object.values(faults).entries()) {
    if (!canBeMade(fault)) continue;
    test(`when: ${fault.about}`, async () => {
      const user = users[i % users.length];
      const place = await Place.make(user);
      places.push(place);
      const lost = await fault.once(place, randomNumbers(1));
      assert.equal(lost, undefined, user === undefined ? undefined : 'as a user without privileges');
    });
  }
});
