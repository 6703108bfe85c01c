#!/usr/bin/env node
/** Starts the program `kindred`: loads and runs the command line. If loading fails, reports the error in a sentence. */
import type * as Hook from '../hook/askHook.ts';
import type * as CommandLine from './main.ts';

const given = process.argv.slice(2);
// Agents call the hook without options. It does not need the rest of the command line.
if (given.length === 1 && given[0] === 'hook') await answerAgent();
else await run();

async function answerAgent(): Promise<void> {
  // Load the hook from a separate bundle, which is not included here. With shared chunks, a call would take twice as
  // long.
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
    // Any other error, such as a syntax error, is a bug, so let Node report it.
    if (code === undefined) throw error;
    const help =
      code === 'EMFILE' || code === 'ENFILE' ? 'raise the limit, for example with ulimit -n 1024' : 'install it again';
    process.stderr.write(`kindred: the program cannot be loaded (${message}); ${help}.\n`);
    process.exitCode = 2;
    return undefined;
  }
}
