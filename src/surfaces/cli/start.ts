#!/usr/bin/env node
/** Program `kindred`. Loads the command line, so that an error while loading is reported in a sentence, and runs it. */
import type * as CommandLine from './main.ts';

const program = await load();
if (program) {
  program.prepareProcess();
  process.exitCode = await program.runCommandLine(process.argv.slice(2), process);
}

async function load(): Promise<typeof CommandLine | undefined> {
  try {
    return await import('./main.ts');
  } catch (error) {
    const { code, message } = error as Partial<NodeJS.ErrnoException>;
    // A bug, such as a syntax error, is reported by Node.
    if (code === undefined) throw error;
    const help =
      code === 'EMFILE' || code === 'ENFILE' ? 'raise the limit, for example with ulimit -n 1024' : 'install it again';
    process.stderr.write(`kindred: the program cannot be loaded (${message}); ${help}.\n`);
    process.exitCode = 2;
    return undefined;
  }
}
