/** Lines of standard input, split into any chunks. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { type MessageId, messageLines } from '../../src/surfaces/servers/mcp/messageLines.ts';

async function check(input: string, cuts: readonly number[], maxBytes: number): Promise<[string, MessageId[]]> {
  const bytes = Buffer.from(input);
  const chunks: Buffer[] = [];
  let start = 0;
  for (const cut of [...cuts, bytes.length].map((at) => at % (bytes.length + 1)).sort((a, b) => a - b)) {
    chunks.push(bytes.subarray(start, cut));
    start = cut;
  }
  chunks.push(bytes.subarray(start));
  const rejected: MessageId[] = [];
  const passed = await text(
    Readable.from(chunks.filter(({ length }) => length > 0)).pipe(messageLines(maxBytes, (id) => rejected.push(id))),
  );
  return [passed, rejected];
}

suite('lines of messages', () => {
  test('pass messages within the limit and reject others, however they are split', async () => {
    const line = fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map((it) => it.replaceAll('\n', ''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.array(fc.nat(500)),
        fc.integer({ min: 1, max: 40 }),
        async (lines, cuts, limit) => {
          const fits = (one: string): boolean => one.length + 1 <= limit;
          const [passed, rejected] = await check(lines.map((one) => `${one}\n`).join(''), cuts, limit);
          assert.equal(
            passed,
            lines
              .filter(fits)
              .map((one) => `${one}\n`)
              .join(''),
          );
          assert.equal(rejected.length, lines.filter((one) => !fits(one)).length);
        },
      ),
    );
  });

  test('find the identifier of a rejected message only at either end', async () => {
    const long = 'x'.repeat(5_000);
    const cases: readonly [string, MessageId][] = [
      [`{"jsonrpc":"2.0","id":7,"method":"m","params":{"text":"${long}"}}`, 7],
      [`{"method":"m","id":"a\\"b","params":{"text":"${long}"}}`, 'a"b'],
      [`{"method":"m","params":{"text":"${long}"},"jsonrpc":"2.0","id":0}`, 0],
      [`{"params":{"text":"${long}"}, "id" : -3 , "jsonrpc": "2.0" } `, -3],
      [`{"jsonrpc":"2.0","method":"m","params":{"text":"${long}","id":9}}`, null],
      [`{"params":{"text":"${long}\\"id\\":9}"}}`, null],
      [long, null],
    ];
    for (const [line, id] of cases) assert.deepEqual(await check(`${line}\n`, [], 100), ['', [id]], line.slice(0, 60));
  });
});
