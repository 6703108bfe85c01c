/**
 * Entry point of `kindred hook`, for which agents wait after each write. Asks the tree's server; without a server,
 * answers from the stored index. Prints nothing if anything fails.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type * as Here from './answerHere.ts';
import { type AgentEvent, readHookEvent } from './hookEvent.ts';
import { addressOf, hookCache, readAddress, rootOfEvent } from './hookFiles.ts';

/** Default time limit in milliseconds. When it has passed, the hook exits without output. */
export const defaultTimeoutMs = 1000;

/** Returns the answer for the agent: '' if there is no note, or the time limit was reached. Never throws. */
export async function answerInTime(timeoutMs: number, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const event = readHookEvent(readFileSync(0, 'utf8'));
    if (event === undefined) return '';
    const answer = (await queryServer(event, timeoutMs, env)) ?? (await answerHere(event, env, timeoutMs));
    return performance.now() <= timeoutMs ? answer : '';
  } catch {
    // Ignore the error: the agent would read any output as an answer.
    return '';
  }
}

async function answerHere(event: AgentEvent, env: NodeJS.ProcessEnv, timeoutMs: number): Promise<string> {
  // The bundler does not follow this URL, so hookAnswer.js stays a separate bundle, which is not loaded if a server
  // answers.
  const here = (await import(new URL('./hookAnswer.js', import.meta.url).href)) as typeof Here;
  return here.answerHere(event, env, timeoutMs);
}

/** Returns the answer of a tree's server: '' if the time limit was reached; `undefined` if no server is running. */
function queryServer(event: AgentEvent, timeoutMs: number, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const address = readAddress(addressOf(hookCache(env), rootOfEvent(event)));
  if (address === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    let answer = '';
    let isConnected = false;
    const socket = connect(address, () => {
      isConnected = true;
      socket.end(JSON.stringify(event));
    });
    // A server that was killed leaves its address file behind.
    const fail = (): void => resolve(isConnected ? '' : undefined);
    socket
      .setEncoding('utf8')
      .on('data', (part: string) => void (answer += part))
      .on('end', () => resolve(answer))
      .on('error', fail)
      .on('close', fail);
    setTimeout(() => socket.destroy(), timeoutMs - performance.now()).unref();
  });
}
