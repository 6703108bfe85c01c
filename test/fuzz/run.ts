/** Implements `npm run fuzz`. See scripts/fuzz.mjs for its options. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { originsOf } from './cases.ts';
import { fuzz, replay } from './fuzzing.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 30) },
    tree: { type: 'string' },
    every: { type: 'string', default: '60' },
    replay: { type: 'string' },
    'keep-going': { type: 'boolean', default: false },
  },
});
process.exitCode = values.replay === undefined ? await search() : await again(values.replay);

async function search(): Promise<number> {
  const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
  const end = performance.now() + 60_000 * minutes;
  const origins = originsOf(values.tree);
  console.log(`${origins.length} texts, ${minutes} min, from seed ${seed} on`);
  const seen = new Map<string, number>();
  const tally = await fuzz(
    origins,
    seed,
    () => performance.now() > end,
    ({ seed, level, problem, folder }) => {
      const about = problem.split('\n').slice(0, 4).join('\n');
      const kind = about.replaceAll(/[\w./ -]+:\d+:\d+-\d+:\d+|\b[0-9a-f]{16}\b|\d+/g, '…');
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      if (seen.get(kind) === 1) console.log(`\n${level}, seed ${seed}: ${folder}\n${about}\n`);
      return values['keep-going'];
    },
    Number(values.every),
  );
  const failures = [...seen.values()].reduce((sum, count) => sum + count, 0);
  console.log(JSON.stringify({ seed, ...tally, failures, kinds: seen.size }));
  return failures === 0 ? 0 : 1;
}

async function again(folder: string): Promise<number> {
  const problem = await replay(path.resolve(folder));
  console.log(problem ?? 'It holds.');
  return problem === undefined ? 0 : 1;
}
