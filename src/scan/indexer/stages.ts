/**
 * Publishes the end of each stage of a scan on a diagnostics channel, for measurements. Without a subscriber there is
 * no cost. `bench/stageClock.mjs` subscribes.
 */
import { channel } from 'node:diagnostics_channel';

/** Stages of a scan, in order. The last is published by the program that writes the report. */
export type Stage = 'listed' | 'read' | 'seeded' | 'matched' | 'grouped' | 'written';

/** Published message. `bytes` is the kernel memory in use, if there is a kernel. */
export interface StageEnd {
  readonly stage: Stage;
  readonly bytes?: number;
}

const stages = channel('kindred.stage');

export function endStage(end: StageEnd): void {
  if (stages.hasSubscribers) stages.publish(end);
}
