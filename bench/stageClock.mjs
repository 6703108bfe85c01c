/**
 * Loaded into a program of Kindred with `node --import`: notes when each stage of its scan ends and, when the program
 * ends, writes the notes as JSON to the file that KINDRED_STAGES names. Times are since the program's start.
 */
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';

/** @type {{ stage: string, ms: number, userMs: number, cpuMs: number, residentBytes: number, bytes?: number }[]} */
const ends = [];

subscribe('kindred.stage', (message) => {
  const { user, system } = process.cpuUsage();
  ends.push({
    .../** @type {{ stage: string, bytes?: number }} */ (message),
    ms: performance.now(),
    userMs: user / 1000,
    cpuMs: (user + system) / 1000,
    residentBytes: process.memoryUsage.rss(),
  });
});

process.on('exit', () => {
  if (process.env.KINDRED_STAGES) writeFileSync(process.env.KINDRED_STAGES, JSON.stringify(ends));
});
