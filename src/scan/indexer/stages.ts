/** Publishes the end of each stage of a scan, for measurements, through a diagnostics channel (nodeSystem.ts). */

/** Stages of a scan, in order. `written` is published by the program that writes the report. */
export type Stage = 'listed' | 'read' | 'seeded' | 'matched' | 'grouped' | 'written';

/** Message published at the end of a stage. `bytes` is the kernel memory in use, if there is a kernel. */
export interface StageEnd {
  readonly stage: Stage;
  readonly bytes?: number;
}

let publish: ((end: StageEnd) => void) | undefined;

/** Sets the function that receives messages. Before this, none are published. */
export function publishStages(by: (end: StageEnd) => void): void {
  publish = by;
}

export function endStage(end: StageEnd): void {
  publish?.(end);
}
