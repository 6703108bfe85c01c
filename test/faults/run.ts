/** Implements `npm run faults`. See scripts/faults.mjs for its options. */
import { parseArgs } from 'node:util';
import { randomNumbers } from '../../bench/randomNumbers.mjs';
import { canBeMade, faults, Place, users } from './faults.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tries: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const names = positionals.length > 0 ? positionals : Object.keys(faults);
const unknown = names.filter((name) => !Object.hasOwn(faults, name));
if (unknown.length > 0) {
  console.error(`There is no fault ${unknown.join(', ')}. The faults are: ${Object.keys(faults).join(', ')}.`);
  process.exitCode = 2;
} else {
  process.exitCode = await run(Number(values.tries), Number(values.seed));
}

async function run(tries: number, seed: number): Promise<number> {
  console.log('| fault | tries | losses | |\n| --- | --: | --: | --- |');
  const all: Record<string, number> = {};
  for (const name of names) {
    const fault = faults[name];
    if (!canBeMade(fault)) {
      console.log(`| ${fault.about} | 0 | – | it has to be ${fault.needs} who tries |`);
      continue;
    }
    const lost: string[] = [];
    const chance = randomNumbers(seed);
    const places = await Promise.all(users.map((user) => Place.make(user)));
    try {
      for (let time = 0; time < tries; time++) {
        const loss = await fault.once(places[time % places.length], chance);
        if (loss !== undefined) lost.push(loss);
      }
    } finally {
      for (const place of places) place.end();
    }
    all[name] = lost.length;
    const first = (lost[0] ?? '')
      .trim()
      .replaceAll(/\s*\n\s*/g, ' ⏎ ')
      .slice(0, 160);
    console.log(`| ${fault.about} | ${tries} | ${lost.length} | ${first.replaceAll('|', '\\|')} |`);
  }
  console.log(`\n${JSON.stringify({ tries, seed, losses: all })}`);
  return Object.values(all).some((losses) => losses > 0) ? 1 : 0;
}
