/** Reports sent to a host that has an earlier one: combined, they form the complete report. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Group } from '../../src/core/engine/report/report.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import type { ReportResponse } from '../../src/session/protocol/messages.ts';
import { unpackGroups } from '../../src/scan/io/packedGroups.ts';
import { changeGroups } from '../../src/session/protocol/packedFindings.ts';
import { drawing, parsing } from '../passages.ts';
import { Conversation, reportIn, type Response } from './conversation.ts';

suite('a report to a host that has an earlier one', () => {
  let folder: string;
  let conversation: Conversation;
  /** Groups of each report by generation. */
  let groups: Map<number, readonly Group[]>;

  setup(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kindred-reports-'));
    conversation = new Conversation();
    groups = new Map();
    for (const name of ['a', 'b']) await writeFile(path.join(folder, `${name}.ts`), parsing);
    for (const name of ['c', 'd']) await writeFile(path.join(folder, `${name}.ts`), drawing);
  });

  teardown(async () => {
    await conversation.end();
    await rm(folder, { recursive: true });
  });

  test('is sent as a difference from it, as a difference from an older one, or completely', async () => {
    const first = take(await conversation.scan(roots(), undefined));
    assert.equal(first.findings.base, undefined);
    const second = take(await put('e.ts', parsing, first.generation));
    assert.equal(second.findings.base?.generation, first.generation);
    // The groups of the other two files are unchanged.
    const stays = groups.get(second.generation)!.filter((group) => groups.get(first.generation)!.includes(group));
    assert.ok(stays.length > 0);
    await same(second);
    // The host has dropped the second report.
    const third = take(await put('f.ts', drawing, first.generation));
    assert.equal(third.findings.base?.generation, first.generation);
    await same(third);
    // A generation that was never sent.
    const fourth = take(await put('g.ts', parsing, 999));
    assert.equal(fourth.findings.base, undefined);
    await same(fourth);
  });

  test('is sent again without changes to a host that has not received it', async () => {
    const first = take(await conversation.scan(roots(), undefined));
    const second = take(await put('e.ts', parsing, first.generation));
    assert.equal(typeOf(await conversation.update([], { has: second.generation })), 'unchanged');
    const again = take(await conversation.update([], { has: first.generation }));
    assert.equal(again.findings.base?.generation, first.generation);
    assert.deepEqual(groups.get(again.generation), groups.get(second.generation));
    const whole = take(await conversation.update([], { has: 0 }));
    assert.equal(whole.findings.base, undefined);
    assert.deepEqual(groups.get(whole.generation), groups.get(second.generation));
    assert.equal(typeOf(await conversation.update([], { has: whole.generation })), 'unchanged');
  });

  function roots() {
    return [{ folder, prefix: '', sources: defaultSourceOptions }];
  }

  async function put(name: string, text: string, has: number): Promise<Response[]> {
    await writeFile(path.join(folder, name), text);
    return conversation.update([name], { has });
  }

  /** Returns the report at the end of a request and records its groups. */
  function take(responses: readonly Response[]): ReportResponse {
    const report = reportIn(responses);
    const { findings, generation } = report;
    const { base } = findings;
    groups.set(
      generation,
      base === undefined
        ? [...unpackGroups(findings)]
        : changeGroups({ ...findings, base }, groups.get(base.generation)!).groups,
    );
    return report;
  }

  /** Compares a report with that of a new worker. */
  async function same({ generation }: ReportResponse): Promise<void> {
    const fresh = new Conversation();
    const { findings } = reportIn(await fresh.scan(roots(), undefined));
    await fresh.end();
    const places = (list: Iterable<Group>): unknown[] => [...list].map(({ id, passages }) => ({ id, passages }));
    assert.deepEqual(places(groups.get(generation)!), places(unpackGroups(findings)));
  }
});

function typeOf(responses: readonly Response[]): string {
  return responses.at(-1)!.type;
}
