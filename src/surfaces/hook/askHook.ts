/**
 * Entry point of `kindred hook`, which agents wait for after each write: asks the server of the tree, or else answers
 * from the stored index. It is silent if anything fails.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type * as Here from './answerHere.ts';
import { type AgentEvent, readHookEvent } from './hookEvent.ts';
import { addressOf, hookCache, readAddress, rootOf } from './hookFiles.ts';

/** Time after which the hook says nothing, by default. */
export const defaultTimeoutMs = 1000;

/** Returns the answer for the agent; empty if there is nothing to say, or after the time. Never throws. */
export async function answerInTime(timeoutMs: number, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const event = readHookEvent(readFileSync(0, 'utf8'));
    if (event === undefined) return '';
    const answer = (await askServer(event, timeoutMs, env)) ?? (await answerHere(event, env));
    return performance.now() <= timeoutMs ? answer : '';
  } catch {
    // There is nobody to tell: the output belongs to the agent.
    return '';
  }
}

async function answerHere(event: AgentEvent, env: NodeJS.ProcessEnv): Promise<string> {
  // A separate bundle at an address that the bundler does not follow, because it is not needed if there is a server.
  const here = (await import(new URL('./hookAnswer.js', import.meta.url).href)) as typeof Here;
  return here.answerHere(event, env);
}

/** Returns the answer of the server of a tree; empty if it is late, and `undefined` if there is no server. */
function askServer(event: AgentEvent, timeoutMs: number, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const address = readAddress(addressOf(hookCache(env), rootOf(event.cwd)));
  if (address === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    let answer = '';
    let isConnected = false;
    const socket = connect(address, () => {
      isConnected = true;
      socket.end(JSON.stringify(event));
    });
    // A server that was killed leaves its address.
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
