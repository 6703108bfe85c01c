/** When the follower scans and updates, with a clock that stands still and a worker that answers on command. */
import assert from 'node:assert/strict';
import type { Clock } from '../../src/session/client/clock.ts';
import type { Outcome } from '../../src/session/client/engineClient.ts';
import { type Client, Follower, type Owner, type State } from '../../src/session/client/follower.ts';
import { Listeners } from '../../src/session/client/listeners.ts';
import { OpenTexts } from '../../src/session/client/openTexts.ts';
import type { Group } from '../../src/core/engine/report/report.ts';
import type { Judgement } from '../../src/session/protocol/judgement.ts';
import type {
  JudgedNotice,
  ProgressNotice,
  RecalledNotice,
  ReportResponse,
  UpdateRequest,
} from '../../src/session/protocol/messages.ts';
import { packFindings } from '../../src/session/protocol/packedFindings.ts';

/** Time that passes only on command. */
class StoppedClock implements Clock {
  #now = 1_000_000;
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return () => (this.#timers = this.#timers.filter((it) => it !== timer));
  }

  /** Lets time pass, and runs the timers that end. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= until).sort((x, y) => x.at - y.at);
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers = this.#timers.filter((it) => it !== next);
      next.run();
      await settled();
    }
    this.#now = until;
  }
}

/** Lets all promises settle that wait for nothing else. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

interface Request {
  readonly type: 'scan' | 'update';
  readonly changes: Partial<UpdateRequest>;
  readonly answer: (outcome: Outcome) => void;
}

/** A client whose requests the test answers. */
class ScriptedClient implements Client {
  readonly requests: Request[] = [];
  readonly #progress = new Listeners<ProgressNotice>();
  readonly #recalled = new Listeners<RecalledNotice>();
  readonly #judged = new Listeners<JudgedNotice>();
  readonly #renewed = new Listeners<void>();
  readonly onDidProgress = this.#progress.add;
  readonly onDidRecall = this.#recalled.add;
  readonly #first = new Listeners<RecalledNotice>();
  readonly onDidFindFirst = this.#first.add;
  readonly onDidJudge = this.#judged.add;
  readonly onDidRenew = this.#renewed.add;
  polledPaths: string[] = [];
  forgiven = 0;
  /** True if the last scan request asked for first findings. */
  isFirstWanted = false;

  scan({ wantsFirst = false }: { readonly wantsFirst?: boolean } = {}): Promise<Outcome> {
    this.isFirstWanted = wantsFirst;
    return this.#send('scan', {});
  }

  update(changes: Partial<UpdateRequest>): Promise<Outcome> {
    return this.#send('update', changes);
  }

  pollDisk(): Promise<{ paths: string[]; elapsedMs: number }> {
    return Promise.resolve({ paths: this.polledPaths, elapsedMs: 10 });
  }

  cancel(): void {
    this.requests.at(-1)!.answer({ type: 'cancelled' });
  }

  forgive(): void {
    this.forgiven++;
  }

  judge(notice: JudgedNotice): void {
    this.#judged.fire(notice);
  }

  recall(notice: RecalledNotice): void {
    this.#recalled.fire(notice);
  }

  findFirst(notice: RecalledNotice): void {
    this.#first.fire(notice);
  }

  renew(): void {
    this.#renewed.fire();
  }

  /** Answers the newest request. */
  async answer(outcome: Outcome): Promise<void> {
    this.requests.at(-1)!.answer(outcome);
    await settled();
  }

  /** A newer request supersedes the previous one, as in the real client. */
  #send(type: Request['type'], changes: Partial<UpdateRequest>): Promise<Outcome> {
    this.requests.at(-1)?.answer({ type: 'superseded' });
    return new Promise((answer) => this.requests.push({ type, changes, answer }));
  }
}

const quietMs = 400;

class TestOwner implements Owner<{ readonly edition: number }> {
  run: Owner<object>['run'] = 'onType';
  readonly quietMs = quietMs;
  afterFailure: 'wait' | 'retry' = 'wait';
  readonly texts = new OpenTexts();
  edition = 1;
  /** Ids of the groups of each shown report. */
  readonly shown: string[] = [];
  readonly calls: string[] = [];

  scanned(): NonNullable<ReturnType<Owner<object>['scanned']>> {
    return { roots: [] } as unknown as NonNullable<ReturnType<Owner<object>['scanned']>>;
  }

  surroundings(): { readonly edition: number } {
    return { edition: this.edition };
  }

  stateChanged(): void {
    this.calls.push('state');
  }

  willRequest(): void {
    this.calls.push('asked');
  }

  show({ all, edition }: { readonly all: readonly Group[]; readonly edition: number }): void {
    this.shown.push(`${edition}: ${all.map(({ id }) => id).join()}`);
  }

  showFirst({ all, edition }: { readonly all: readonly Group[]; readonly edition: number }): void {
    this.shown.push(`${edition}: first ${all.map(({ id }) => id).join()}`);
  }

  judged({ ignored }: { readonly ignored: readonly Group[] }): void {
    this.shown.push(`ignored: ${ignored.map(({ id }) => id).join()}`);
  }

  answered(): void {
    this.calls.push('answered');
  }
}

suite('the follower', () => {
  let clock: StoppedClock;
  let client: ScriptedClient;
  let owner: TestOwner;
  let follower: Follower<{ readonly edition: number }>;
  const logged: string[] = [];

  setup(() => {
    logged.length = 0;
    clock = new StoppedClock();
    client = new ScriptedClient();
    owner = new TestOwner();
    const log = (message: string | Error): void => void logged.push(String(message));
    follower = new Follower(client, owner, { error: log, warn: log, info: log, debug: log }, clock);
  });

  teardown(() => follower.dispose());

  test('follows nothing before the first scan', async () => {
    follower.filesChanged(['a.ts']);
    owner.texts.set('b.ts', 'text');
    follower.textsChanged(quietMs);
    await clock.pass(60_000);
    assert.deepEqual(client.requests, []);
  });

  test('processes changes of a quiet period together', async () => {
    await scanned();
    follower.filesChanged(['a.ts']);
    await clock.pass(300);
    follower.filesChanged(['b.ts']);
    owner.texts.set('c.ts', 'text');
    follower.textsChanged(quietMs);
    await clock.pass(399);
    assert.equal(updates().length, 0);
    await clock.pass(1);
    const [{ paths, overlays }] = updates();
    assert.deepEqual([paths, overlays?.map(({ path }) => path)], [['a.ts', 'b.ts'], ['c.ts']]);
  });

  test('rests after an update as long as it took, but not after a scan', async () => {
    void follower.scan();
    await clock.pass(30_000);
    await client.answer(report(1));
    await edit('one');
    await clock.pass(quietMs);
    assert.equal(updates().length, 1);
    await clock.pass(5_000);
    await client.answer({ type: 'unchanged' });
    await edit('two');
    await clock.pass(4_999);
    assert.equal(updates().length, 1);
    await clock.pass(1);
    assert.equal(updates().length, 2);
  });

  test('does not rest after a short pause', async () => {
    await scanned();
    await edit('one');
    await clock.pass(quietMs + 5_000);
    await client.answer({ type: 'unchanged' });
    owner.texts.set('a.ts', 'block');
    follower.textsChanged(50);
    // An event that is not an edit does not prolong the pause.
    follower.textsChanged(undefined);
    await clock.pass(50);
    assert.equal(updates().length, 2);
  });

  test('applies file changes after the running scan, and changed settings immediately', async () => {
    void follower.scan();
    follower.filesChanged(['a.ts']);
    await clock.pass(60_000);
    assert.equal(client.requests.length, 1);
    follower.settingsChanged();
    await clock.pass(quietMs);
    assert.deepEqual(
      client.requests.map(({ type }) => type),
      ['scan', 'scan'],
    );
    follower.filesChanged(['b.ts']);
    await client.answer(report(2));
    await clock.pass(quietMs);
    // A scan reads all files, so only changes after its start are left.
    assert.deepEqual(updates()[0].paths, ['b.ts']);
  });

  test('follows only files, or nothing, in other modes', async () => {
    await scanned();
    owner.run = 'onSave';
    await edit('text');
    await clock.pass(60_000);
    assert.equal(follower.isBehind, false);
    await follower.upToDate(60_000);
    assert.equal(updates().length, 0);
    follower.filesChanged(['a.ts']);
    await clock.pass(quietMs);
    await client.answer({ type: 'unchanged' });
    assert.equal(updates().length, 1);
    owner.run = 'manual';
    follower.filesChanged(['b.ts']);
    follower.settingsChanged();
    client.polledPaths = ['c.ts'];
    await clock.pass(60_000);
    assert.equal(client.requests.length, 2);
    assert.equal(follower.isBehind, false);
  });

  test('follows the changes of an action together', async () => {
    await scanned();
    follower.filesChanged(['a.ts']);
    await follower.together(async () => {
      follower.filesChanged(['b.ts']);
      await clock.pass(60_000);
      assert.equal(updates().length, 0);
    });
    await clock.pass(quietMs);
    assert.deepEqual(updates()[0].paths, ['a.ts', 'b.ts']);
  });

  test('processes edits while a configuration is rejected, and retries it when its file changes', async () => {
    void follower.scan();
    const problem = { problems: ['a comma is missing'], place: { path: '.kindredrc.jsonc', line: 3 } };
    await client.answer({ type: 'rejected', ...problem });
    const rejected: State = { type: 'rejected', ...problem };
    assert.deepEqual(follower.state, rejected);
    await edit('one');
    await clock.pass(quietMs);
    const { state } = follower;
    assert.deepEqual(state, rejected);
    await client.answer({ ...report(2), refused: problem });
    assert.equal(follower.state, state, 'the problem is reported once');
    assert.equal(owner.shown.length, 1);
    follower.filesChanged(['.kindredrc.jsonc']);
    await clock.pass(quietMs);
    assert.equal(follower.state.type, 'scanning');
    await client.answer(report(3));
    assert.deepEqual(follower.state, { type: 'idle', stopped: false });
  });

  test('clears the problem of a repaired configuration in manual mode without a scan', async () => {
    void follower.scan();
    await client.answer({ type: 'rejected', problems: ['a comma is missing'] });
    owner.run = 'manual';
    follower.filesChanged(['.kindredrc.jsonc']);
    await clock.pass(60_000);
    assert.deepEqual(follower.state, { type: 'idle', stopped: false });
    assert.equal(client.requests.length, 1);
  });

  test('waits for the user after a failure', async () => {
    await failed();
    await edit('text');
    await clock.pass(60_000);
    await follower.upToDate(0);
    assert.equal(client.requests.length, 1);
    assert.equal(client.forgiven, 0);
  });

  test('retries after a failure if the owner requests it', async () => {
    owner.afterFailure = 'retry';
    await failed();
    void follower.upToDate(1_000);
    assert.equal(client.forgiven, 1);
    assert.equal(client.requests.at(-1)!.type, 'scan');
    await client.answer({ type: 'failed', message: 'again' });
    await edit('text');
    await clock.pass(quietMs);
    assert.equal(client.requests.length, 3);
  });

  test('reports the failure of a request that throws', async () => {
    client.scan = () => Promise.reject(new Error('broken'));
    await follower.scan();
    assert.deepEqual(follower.state, { type: 'failed', message: 'Error: broken' });
    assert.deepEqual(logged, ['Error: broken']);
  });

  test('keeps a complete report if a later scan is stopped', async () => {
    await scanned();
    void follower.scan();
    await client.answer(report(2, ['partial'], false));
    assert.deepEqual(owner.shown, ['1: g']);
    assert.deepEqual(follower.state, { type: 'idle', stopped: true });
    await edit('text');
    await clock.pass(quietMs);
    assert.equal(updates()[0].has, 1);
  });

  test('requests a complete report if the response refers to another one', async () => {
    await scanned();
    await edit('text');
    await clock.pass(quietMs);
    const { findings, ...rest } = report(2, ['other']);
    const base = { ...findings, base: { generation: 99 } } as unknown as typeof findings;
    await client.answer({ ...rest, findings: base });
    assert.equal(updates().at(-1)!.has, 0);
    await client.answer(report(3, ['other']));
    assert.deepEqual(owner.shown, ['1: g', '1: other']);
  });

  test('shows stored findings until those of the scan arrive, and none after them', async () => {
    void follower.scan();
    const { findings, judgement, elapsedMs } = report(1, ['old']);
    client.recall({ generation: 1, findings, judgement, elapsedMs });
    await settled();
    owner.edition = 2;
    await client.answer(report(1));
    client.recall({ generation: 1, findings, judgement, elapsedMs });
    await settled();
    // The surroundings are those of the request.
    assert.deepEqual(owner.shown, ['1: old', '1: g']);
  });

  test('has the stored findings when they are confirmed directly after their arrival', async () => {
    void follower.scan();
    let shown: string | undefined;
    void follower.upToDate(60_000).then(() => (shown = owner.shown.at(-1)));
    const { findings, judgement, elapsedMs } = report(1, ['old']);
    client.recall({ generation: 1, findings, judgement, elapsedMs });
    await client.answer({ type: 'unchanged' });
    assert.equal(shown, '1: old');
    assert.deepEqual(follower.state, { type: 'idle', stopped: false });
  });

  test('shows first findings until the report arrives, and none after it', async () => {
    void follower.scan();
    assert.equal(client.isFirstWanted, true);
    const { findings, judgement, elapsedMs } = report(1, ['long']);
    const first = { generation: 1, findings: { ...findings, complete: false }, judgement, elapsedMs };
    client.findFirst(first);
    await settled();
    assert.equal(follower.report, undefined);
    assert.equal(follower.state.type, 'scanning');
    await client.answer(report(1, ['long', 'g']));
    client.findFirst(first);
    await settled();
    assert.deepEqual(owner.shown, ['1: first long', '1: long,g']);
    void follower.scan();
    assert.equal(client.isFirstWanted, false);
  });

  test('does not return first findings to a caller that waits for stored ones', async () => {
    void follower.scan();
    let isReleased = false;
    void follower.upToDate(60_000, 'stored').then(() => (isReleased = true));
    const { findings, judgement, elapsedMs } = report(1, ['long']);
    client.findFirst({ generation: 1, findings: { ...findings, complete: false }, judgement, elapsedMs });
    await settled();
    assert.equal(isReleased, false);
    await client.answer(report(1));
    assert.equal(isReleased, true);
  });

  test('applies a judgement that arrives before its report, and one that arrives later', async () => {
    void follower.scan();
    client.judge({ generation: 1, judgement: ignoring('g') });
    await client.answer(report(1, ['g', 'h']));
    assert.deepEqual(owner.shown, ['1: h']);
    client.judge({ generation: 1, judgement: ignoring('h') });
    assert.deepEqual(owner.shown, ['1: h', 'ignored: h']);
    client.judge({ generation: 7, judgement: ignoring() });
    assert.equal(owner.shown.length, 2);
  });

  test('requests renewed findings, unless a scan provides them', async () => {
    void follower.scan();
    client.renew();
    await settled();
    assert.equal(client.requests.length, 1);
    await client.answer(report(1));
    client.renew();
    await settled();
    assert.deepEqual(updates()[0].paths, []);
  });

  test('polls the disk, and applies changes that were not reported', async () => {
    await scanned();
    client.polledPaths = ['lost.ts'];
    await clock.pass(15_000);
    client.polledPaths = [];
    await clock.pass(quietMs);
    assert.deepEqual(updates()[0].paths, ['lost.ts']);
  });

  test('does not poll after a stopped scan', async () => {
    void follower.scan();
    await client.answer({ type: 'cancelled' });
    client.polledPaths = ['lost.ts'];
    await clock.pass(60_000);
    assert.equal(await follower.poll(), 0);
    assert.equal(client.requests.length, 1);
  });

  test('applies pending changes immediately for a caller that waits, until nothing is left', async () => {
    await scanned();
    await edit('one');
    let isDone = false;
    void follower.upToDate(60_000).then(() => (isDone = true));
    assert.equal(updates().length, 1);
    await edit('two');
    await client.answer(report(2));
    assert.equal(isDone, false);
    assert.equal(updates().length, 2);
    await client.answer({ type: 'unchanged' });
    assert.equal(isDone, true);
  });

  test('returns immediately to a caller if nothing is pending, and at the limit otherwise', async () => {
    await scanned();
    await follower.upToDate(60_000);
    assert.equal(updates().length, 0);
    await edit('one');
    await follower.upToDate(1);
    assert.equal(updates().length, 1);
  });

  test('returns to a caller as soon as stored findings are shown', async () => {
    void follower.scan();
    let isDone = false;
    void follower.upToDate(60_000, 'stored').then(() => (isDone = true));
    await settled();
    assert.equal(isDone, false);
    const { findings, judgement, elapsedMs } = report(1, ['old']);
    client.recall({ generation: 1, findings, judgement, elapsedMs });
    await settled();
    assert.equal(isDone, true);
    await follower.upToDate(60_000, 'stored');
    // After they have been checked, they are like any other report.
    await client.answer({ type: 'unchanged' });
    await edit('text');
    isDone = false;
    void follower.upToDate(60_000, 'stored').then(() => (isDone = true));
    await settled();
    assert.equal(isDone, false);
    await client.answer({ type: 'unchanged' });
    assert.equal(isDone, true);
  });

  test('sends nothing after it was disposed, and releases callers', async () => {
    await scanned();
    await edit('one');
    const waiting = follower.upToDate(60_000);
    follower.dispose();
    await waiting;
    await client.answer(report(2, ['late']));
    await edit('two');
    await clock.pass(60_000);
    assert.deepEqual([owner.shown, updates().length], [['1: g'], 1]);
  });

  // An update would start another worker thread, and a server would never exit.
  test('sends nothing if it is disposed while it reads a report', async () => {
    void follower.scan();
    client.requests.at(-1)!.answer(report(1));
    // Reading begins in this turn of the event loop, and ends in a later one.
    for (let i = 0; i < 20; i++) await Promise.resolve();
    follower.dispose();
    await settled();
    assert.deepEqual([owner.shown, updates(), owner.calls.includes('answered')], [[], [], false]);
  });

  async function scanned(): Promise<void> {
    void follower.scan();
    await client.answer(report(1));
    assert.deepEqual(follower.state, { type: 'idle', stopped: false });
  }

  async function failed(): Promise<void> {
    void follower.scan();
    await client.answer({ type: 'failed', message: 'out of memory' });
    assert.deepEqual(follower.state, { type: 'failed', message: 'out of memory' });
  }

  async function edit(text: string): Promise<void> {
    owner.texts.set('edited.ts', text);
    follower.textsChanged(quietMs);
    await settled();
  }

  function updates(): Partial<UpdateRequest>[] {
    return client.requests.flatMap(({ type, changes }) => (type === 'update' ? [changes] : []));
  }
});

const totals = { files: 2, lines: 20, groups: 1 } as unknown as Judgement['totals'];

function ignoring(...groups: string[]): Judgement {
  const source = { by: 'own', entry: {}, file: undefined, about: undefined, groups };
  return { sources: [source], aside: [], totals, unknown: undefined, trouble: [] } as unknown as Judgement;
}

function report(generation: number, ids: readonly string[] = ['g'], complete = true): ReportResponse {
  const passage = (path: string) => ({ path, startLine: 1, startColumn: 1, endLine: 9, endColumn: 2, tokens: 60 });
  const groups = ids.map((id): Group => ({
    id,
    kind: 'code',
    type: 'near',
    similarity: 0.9,
    lines: 9,
    tokens: 60,
    category: 'source',
    worth: 60,
    passages: [passage('a.ts'), passage('b.ts')],
    pairs: [],
  }));
  const findings = packFindings({ complete, totals, groups, files: [], folders: [], skipped: [] });
  return {
    type: 'report',
    generation,
    findings,
    judgement: ignoring(),
    elapsedMs: 5,
    leftOut: [],
    hidden: [],
  };
}
