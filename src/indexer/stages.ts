/**
 * Where a scan is, for whoever measures: each stage is published on a diagnostics channel when it ends. Without a
 * subscriber that costs nothing. `bench/stageClock.mjs` subscribes.
 */
import { channel } from 'node:diagnostics_channel';

/** The stages of a scan, in order. The last is published by the program that writes the report. */
export type Stage = 'listed' | 'read' | 'seeded' | 'matched' | 'grouped' | 'written';

/** What is published: `bytes` are those in use in the kernel's memory then, where there is one. */
export interface StageEnd {
  readonly stage: Stage;
  readonly bytes?: number;
}

const stages = channel('kindred.stage');

export function endStage(end: StageEnd): void {
  if (stages.hasSubscribers) stages.publish(end);
}
