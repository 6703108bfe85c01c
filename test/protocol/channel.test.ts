/** Calls and notifications between the two ends of a connection. */
import assert from 'node:assert/strict';
import { MessageChannel } from 'node:worker_threads';
import { Channel, ChannelEndedError } from '../../src/session/protocol/channel.ts';

/** Methods of the end that answers. */
interface Answering {
  repeat(text: string, times: number): string;
  fail(message: string): never;
  wait(): string;
  reverse(bytes: Uint8Array): Uint8Array;
  note(text: string): void;
  silence(): void;
  leak(): () => void;
}

/** Methods of the end that asks. */
interface Asking {
  heard(text: string): void;
  nameOf(id: number): string;
}

suite('a channel', () => {
  const heard: string[] = [];
  let ports: MessageChannel;
  let asking: Channel<Asking, Answering>;
  let answering: Channel<Answering, Asking>;

  setup(() => {
    heard.length = 0;
    ports = new MessageChannel();
    asking = new Channel(ports.port1);
    answering = new Channel(ports.port2);
    asking.serve({
      heard: (text) => void heard.push(text),
      nameOf: (id) => Promise.resolve(`name ${id}`),
    });
    answering.serve({
      repeat: (text, times) => text.repeat(times),
      fail: (message) => {
        throw new RangeError(message);
      },
      wait: (signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('cancelled'), { once: true })),
      reverse: (bytes) => Uint8Array.from(bytes).reverse(),
      note: (text) => answering.notify('heard', text),
      silence: () => new Promise(() => undefined),
      leak: () => () => undefined,
    });
  });

  teardown(() => ports.port1.close());

  test('returns the result of each call, whichever ends first', async () => {
    const controller = new AbortController();
    const first = asking.callUntil(controller.signal, 'wait');
    assert.equal(await asking.call('repeat', 'ab', 2), 'abab');
    controller.abort();
    assert.equal(await first, 'cancelled');
  });

  test('calls in both directions', async () => {
    assert.equal(await answering.call('nameOf', 7), 'name 7');
  });

  test('rejects with the message of what the method throws, and goes on', async () => {
    await assert.rejects(asking.call('fail', 'out of range'), { message: 'out of range' });
    assert.equal(await asking.call('repeat', 'a', 1), 'a');
  });

  test('rejects a call whose result cannot be copied', async () => {
    await assert.rejects(asking.call('leak'), /could not be cloned/);
  });

  test('copies bytes, and leaves the original usable', async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    assert.deepEqual(await asking.call('reverse', bytes), new Uint8Array([3, 2, 1]));
    assert.deepEqual(bytes, new Uint8Array([1, 2, 3]));
  });

  test('cancels a call whose signal was aborted before', async () => {
    assert.equal(await asking.callUntil(AbortSignal.abort(), 'wait'), 'cancelled');
  });

  test('delivers notifications before the answer to a later call', async () => {
    asking.notify('note', 'first');
    asking.notify('note', 'second');
    await asking.call('repeat', '', 0);
    assert.deepEqual(heard, ['first', 'second']);
  });

  test('rejects all waiting calls when it ends', async () => {
    const calls = [asking.call('silence'), asking.call('silence')];
    asking.end('the thread has ended');
    for (const call of calls) {
      await assert.rejects(call, (error: Error) => {
        return error instanceof ChannelEndedError && error.message === 'the thread has ended';
      });
    }
  });
});
