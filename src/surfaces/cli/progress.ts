/** Shows a progress bar on a terminal. */
import type { SingleBar } from 'cli-progress';
import type { ScanProgress } from '../../scan/indexer/scanInput.ts';
import { percent } from './quantities.ts';

export interface Progress {
  readonly update: (progress: ScanProgress) => void;
  /** Removes the bar. */
  readonly stop: () => void;
}

export const noProgress: Progress = { update: () => undefined, stop: () => undefined };

/** Shows a progress bar if the stream is a terminal. The bar starts again for each phase. */
export async function showProgress(stream: NodeJS.WritableStream & { readonly isTTY?: boolean }): Promise<Progress> {
  if (!stream.isTTY) return noProgress;
  // Load the package on demand, because most runs have no terminal.
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
          // Limit the frame rate, because drawing the bar takes longer than reading some files.
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

const words: Readonly<Record<ScanProgress['phase'], string>> = {
  reading: 'Reading ',
  matching: 'Matching',
  grouping: 'Grouping',
};
