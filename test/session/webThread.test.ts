/** Workers of a browser, with the events of Node's. */
import assert from 'node:assert/strict';
import { WebThread, type WebWorker } from '../../src/session/protocol/webThread.ts';

/** A worker that records its messages. */
class RecordingWorker implements WebWorker {
  onmessage: WebWorker['onmessage'] = null;
  onerror: WebWorker['onerror'] = null;
  readonly posted: unknown[] = [];
  isTerminated = false;

  postMessage(message: unknown): void {
    this.posted.push(message);
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

suite('a worker of a browser', () => {
  let worker: RecordingWorker;
  let events: string[];
  setup(() => {
    worker = new RecordingWorker();
    events = [];
  });

  function listenTo(thread: WebThread): WebThread {
    thread.on('message', (message) => events.push(`message ${String(message)}`));
    thread.on('error', ({ message }) => events.push(`error ${message}`));
    thread.on('exit', (code) => events.push(`exit ${code}`));
    return thread;
  }

  test('receives the messages that were sent while it was loaded, in order', async () => {
    let loaded: (worker: WebWorker) => void = () => assert.fail();
    const thread = listenTo(new WebThread(() => new Promise((resolve) => (loaded = resolve))));
    thread.postMessage(1);
    thread.postMessage(2);
    assert.deepEqual(worker.posted, []);
    loaded(worker);
    await new Promise(setImmediate);
    assert.deepEqual(worker.posted, [1, 2]);
    worker.onmessage!({ data: 'answer' });
    assert.deepEqual(events, ['message answer']);
  });

  test('exits if its script cannot be loaded', async () => {
    listenTo(new WebThread(() => Promise.reject(new Error('Not Found'))));
    await new Promise(setImmediate);
    assert.deepEqual(events, ['error Not Found', 'exit 1']);
  });

  test('exits after an error, once', async () => {
    const thread = listenTo(new WebThread(() => Promise.resolve(worker)));
    await new Promise(setImmediate);
    worker.onerror!({ message: 'out of memory', preventDefault: () => undefined });
    await thread.terminate();
    assert.ok(worker.isTerminated);
    assert.deepEqual(events, ['error out of memory', 'exit 1']);
  });
});
