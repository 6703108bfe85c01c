/** Loads and runs the command line. If loading fails, reports the error in a sentence. */
import type * as CommandLine from './main.ts';
import { reportLoadError } from './loadError.ts';

const program = await load();
if (program !== undefined) {
  program.prepareProcess();
  process.exitCode = await program.runCommandLine(process.argv.slice(2), process);
}

async function load(): Promise<typeof CommandLine | undefined> {
  try {
    return await import('./main.ts');
  } catch (error) {
    reportLoadError(error);
    return undefined;
  }
}
