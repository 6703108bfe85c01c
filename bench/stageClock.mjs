/**
 * Loaded into a process of Kindred with `node --import`. Records the end of each stage of a scan. At exit, writes the
 * records as JSON to the file in KINDRED_STAGES. Times are relative to the start of the process.
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
