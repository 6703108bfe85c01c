/** Notes of baseline entries. */
import assert from 'node:assert/strict';
import { entryNote } from '../../src/presentation/wording/entryNote.ts';

suite('the note of a copy', () => {
  const lines = ['let a;', 'export function parseDay(text: string): Day {', '  return dayOf(text);', '}'];

  test('has its place, its name, and its first informative line', () => {
    assert.deepEqual(entryNote({ kind: 'code' }, { startLine: 2, endLine: 4 }, 'src/dates.ts', lines), {
      at: 'src/dates.ts:2-4',
      name: 'parseDay',
      text: 'function parseDay(text: string): Day',
    });
    assert.equal(entryNote({ kind: 'code' }, { startLine: 2, endLine: 2 }, 'a.ts', lines).at, 'a.ts:2');
  });

  test('has only the path for whole files', () => {
    assert.deepEqual(entryNote({ kind: 'file' }, { startLine: 1, endLine: 4 }, 'src/dates.ts', lines), {
      at: 'src/dates.ts',
    });
  });

  test('has only the place if the file cannot be read', () => {
    assert.deepEqual(entryNote({ kind: 'code' }, { startLine: 2, endLine: 4 }, 'a.ts', []), { at: 'a.ts:2-4' });
  });

  test('has no character that changes how a line is displayed', () => {
    const note = entryNote({ kind: 'code' }, { startLine: 1, endLine: 1 }, 'a\u202eb.ts', [
      'run("\u2066\u001b[31m x");',
    ]);
    assert.deepEqual(note, { at: 'a b.ts:1', text: 'run(" [31m x");' });
  });
});
