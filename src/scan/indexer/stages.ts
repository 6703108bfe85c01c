/** Publishes the end of each stage of a scan, for measurements. nodeSystem.ts publishes it on a channel of Node. */

/** Stages of a scan, in order. The last is published by the program that writes the report. */
export type Stage = 'listed' | 'read' | 'seeded' | 'matched' | 'grouped' | 'written';

/** Published message. `bytes` is the kernel memory in use, if there is a kernel. */
export interface StageEnd {
  readonly stage: Stage;
  readonly bytes?: number;
}

let publish: ((end: StageEnd) => void) | undefined;

/** Sets the function that publishes messages. Without one, there are none. */
export function publishStages(by: (end: StageEnd) => void): void {
  publish = by;
}

export function endStage(end: StageEnd): void {
  publish?.(end);
}
