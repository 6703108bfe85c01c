/** The progress bar on a terminal. */
import type { SingleBar } from 'cli-progress';
import type { ScanProgress } from '../indexer/scanInput.ts';
import { percent } from './quantities.ts';

export interface Progress {
  readonly update: (progress: ScanProgress) => void;
  /** Takes the bar away. */
  readonly stop: () => void;
}

export const noProgress: Progress = { update: () => undefined, stop: () => undefined };

/** A bar on the stream, if that is a terminal. It begins anew for each phase. */
export async function showProgress(stream: NodeJS.WritableStream & { readonly isTTY?: boolean }): Promise<Progress> {
  if (!stream.isTTY) return noProgress;
  // Loaded only where a bar is drawn: most runs are in pipes.
  const { default: cliProgress } = await import('cli-progress');
  let bar: SingleBar | undefined;
  let phase: ScanProgress['phase'] | undefined;
  const stop = (): void => {
    bar?.stop();
    bar = undefined;
  };
  return {
    update: (progress) => {
      if (progress.phase !== phase) {
        stop();
        phase = progress.phase;
        bar = new cliProgress.SingleBar({
          format: `${words[phase]} [{bar}] {share}  {value} of {total}`,
          barCompleteChar: '=',
          barIncompleteChar: ' ',
          barsize: 30,
          clearOnComplete: true,
          hideCursor: true,
          stream,
          // A redraw takes longer than reading some files.
          fps: 10,
        });
        bar.start(progress.total, progress.done, { share: shareOf(progress) });
      } else {
        bar?.update(progress.done, { share: shareOf(progress) });
      }
    },
    stop,
  };
}

function shareOf({ done, total }: ScanProgress): string {
  return percent(total === 0 ? 1 : done / total);
}

const words: Readonly<Record<ScanProgress['phase'], string>> = { reading: 'Reading ', matching: 'Matching' };
