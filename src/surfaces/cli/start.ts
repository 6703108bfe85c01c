#!/usr/bin/env node
/** Program `kindred`. Loads the command line, so that an error while loading is reported in a sentence, and runs it. */
import type * as Hook from '../hook/askHook.ts';
import type * as CommandLine from './main.ts';

const given = process.argv.slice(2);
// Clients call the hook without options. It does not need the rest of the command line.
if (given.length === 1 && given[0] === 'hook') await answerAgent();
else await run();

async function answerAgent(): Promise<void> {
  // A separate bundle at an address that the bundler does not follow. Shared chunks would double the time of the hook.
  const { answerInTime, defaultTimeoutMs } = (await import(new URL('./hook.js', import.meta.url).href)) as typeof Hook;
  process.stdout.on('error', () => undefined).write(await answerInTime(defaultTimeoutMs, process.env));
}

async function run(): Promise<void> {
  const program = await load();
  if (program === undefined) return;
  program.prepareProcess();
  process.exitCode = await program.runCommandLine(given, process);
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
