/** Copies with an inserted block as long as the copy or longer are found by the frame around it. */
import assert from 'node:assert/strict';
import { findingsOf } from '../corpusOf.ts';

const head = [
  'export function settle(account: Account, entries: Entry[]): Balance {',
  '  const open = entries.filter((entry) => !entry.closed && entry.account === account.id);',
  '  const total = open.reduce((sum, entry) => sum + entry.amount * entry.rate, 0);',
];
const tail = [
  "  if (total < account.limit) throw new LimitError(account.id, total, 'overdrawn');",
  '  return { account: account.id, total, count: open.length };',
  '}',
];
const block = [
  "  logger.debug('begin', window.location.href);",
  '  const socket = pool.take(options.timeoutMs);',
  '  cache.evict(socket.remoteAddress);',
  '  for (const listener of socket.listeners) listener.dispose();',
  '  metrics.increment(Counter.Sockets, socket.age / 1000);',
  "  element.classList.toggle('busy', socket.isBusy);",
  '  renderer.requestFrame(() => painter.paint(element));',
  '  queue.push(new Task(socket, priority.low));',
];

suite('frames', () => {
  test('a copy with an inserted block of eight lines is one match', () => {
    const [first, ...others] = groupsOf([...head, ...block, ...tail]);
    assert.deepEqual(others, []);
    assert.deepEqual(
      first.passages.map(({ startLine, endLine }) => [startLine, endLine]),
      [
        [1, head.length + tail.length],
        [1, head.length + block.length + tail.length],
      ],
    );
  });

  test('is rejected if the frames differ', () => {
    const other = tail.map((line) => line.replaceAll('total', 'sum').replaceAll('account', 'owner'));
    assert.deepEqual(groupsOf([...head, ...block, ...other]), []);
  });
});

function groupsOf(copy: readonly string[]): ReturnType<typeof findingsOf>['groups'] {
  const text = [...head, ...tail].join('\n');
  return findingsOf({ 'a.ts': text, 'b.ts': copy.join('\n') }).groups.filter(({ kind }) => kind !== 'file');
}
