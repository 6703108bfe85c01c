import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { noProgress, showProgress } from '../../src/surfaces/cli/progress.ts';

/** A terminal that records the output. */
class Terminal extends Writable {
  readonly isTTY: boolean;
  readonly columns = 80;
  shown = '';
  constructor(isTTY = true) {
    super();
    this.isTTY = isTTY;
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.shown += chunk.toString();
    done();
  }
  cursorTo(): void {}
  moveCursor(): void {}
  clearLine(): void {}
  clearScreenDown(): void {}
}

suite('progress', () => {
  test('a bar shows the phase and its progress, and is removed at the end', async () => {
    const terminal = new Terminal();
    const progress = await showProgress(terminal);
    progress.update({ phase: 'reading', done: 0, total: 200 });
    progress.update({ phase: 'reading', done: 150, total: 200 });
    progress.update({ phase: 'matching', done: 1, total: 4 });
    progress.stop();
    progress.stop();
    assert.match(terminal.shown, /Reading {2}\[[ =]*\] 0% {2}0 of 200/);
    assert.match(terminal.shown, /Matching \[=+ +\] 25% {2}1 of 4/);
  });

  test('shows 29 of 100 as 29%', async () => {
    const terminal = new Terminal();
    const progress = await showProgress(terminal);
    progress.update({ phase: 'reading', done: 29, total: 100 });
    progress.stop();
    assert.match(terminal.shown, / 29% {2}29 of 100/);
  });

  test('shows no progress without a terminal', async () => {
    const pipe = new Terminal(false);
    const progress = await showProgress(pipe);
    progress.update({ phase: 'reading', done: 0, total: 1 });
    progress.stop();
    assert.equal(pipe.shown, '');
    assert.equal(progress, noProgress);
  });
});
