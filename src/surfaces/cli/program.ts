#!/usr/bin/env node
/**
 * Program `kindred` of the npm package. It is a CommonJS file, which Node starts 10 ms sooner than a module: agents
 * wait for the hook after each write. It answers `--version` too, and loads all other commands from dist/cli.js.
 */
import { writeSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { cacheFolder } from '../../scan/io/cacheFolder.ts';
import { answerInTime, defaultTimeoutMs } from '../hook/answerInTime.ts';
import { reportLoadError } from './loadError.ts';
import { requestsVersion, readVersion } from './version.ts';

const commandArguments = process.argv.slice(2);
// Agents call the hook without options.
if (commandArguments.length === 1 && commandArguments[0] === 'hook')
  void answerInTime(defaultTimeoutMs, process.env).then(print);
else if (!requestsVersion(commandArguments) || !printVersion()) {
  keepCompiledCode();
  // The bundler does not follow this URL, so cli.js stays a module.
  import(new URL('./cli.js', import.meta.url).href).catch(reportLoadError);
}

/**
 * Lets Node store the compiled code of the modules that are loaded from now on, and read it at the next start. Node can
 * do this since 22.8, and reports no error if it cannot write. The folder must belong to the user, because V8 runs
 * whatever code is there.
 */
function keepCompiledCode(): void {
  const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => void };
  if (enableCompileCache === undefined) return;
  try {
    enableCompileCache(path.join(cacheFolder(process.env), 'kindred', 'compiled'));
  } catch {
    // The user has no home folder.
  }
}

/** Prints the version. Returns false if this fails; the command line then reports the reason. */
function printVersion(): boolean {
  try {
    writeSync(1, `${readVersion()}\n`);
    return true;
  } catch {
    return false;
  }
}

/** Writes an answer synchronously, because opening `process.stdout` takes 5 ms. */
function print(answer: string): void {
  if (answer === '') return;
  const bytes = Buffer.from(answer);
  try {
    const written = writeSync(1, bytes);
    if (written < bytes.length) process.stdout.write(bytes.subarray(written));
  } catch (error) {
    // The pipe is full, and does not block.
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') process.stdout.write(bytes);
    // If the agent has closed the pipe, it does not want the answer.
  }
}
