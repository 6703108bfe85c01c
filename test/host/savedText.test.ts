import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { FindingsModel } from '../../src/surfaces/vscode/findings/findings.ts';
import { SavedText } from '../../src/surfaces/vscode/findings/savedText.ts';
import { remove, uriOf, write } from './window.ts';

suite('saved text', () => {
  const name = 'text.txt';
  const uri = () => uriOf(name);
  const text = new SavedText(new FindingsModel());

  teardown(() => remove(name));

  test('returns the requested lines, whatever their ends', async () => {
    await write(name, 'one\r\ntwo\nthrée\r\n\nfive');
    assert.deepEqual(await text.linesOf(uri(), 2, 3), ['two', 'thrée']);
    assert.deepEqual(await text.linesOf(uri(), 1, 1), ['one']);
    assert.deepEqual(await text.linesOf(uri(), 4, 9), ['', 'five']);
    assert.deepEqual(await text.linesOf(uri(), 5, 5), ['five']);
    await write(name, 'one\rtwo\r\r\nfour\r');
    assert.deepEqual(await text.linesOf(uri(), 2, 2), ['two']);
    assert.deepEqual(await text.linesOf(uri(), 1, 9), ['one', 'two', '', 'four', '']);
    await writeFile(uri().fsPath, Buffer.from('\ufeffone\rtwö', 'utf16le'));
    assert.deepEqual(await text.linesOf(uri(), 2, 2), ['twö']);
  });

  test('returns no lines past the end or of a removed file', async () => {
    await write(name, 'one\n');
    assert.deepEqual(await text.linesOf(uri(), 7, 9), []);
    await remove(name);
    assert.deepEqual(await text.linesOf(uri(), 1, 9), []);
  });

  test('reads UTF-16 by its mark, and other encodings by the settings', async () => {
    await writeFile(uri().fsPath, Buffer.from('\ufeffone\ntwö\nthree', 'utf16le'));
    assert.deepEqual(await text.linesOf(uri(), 2, 2), ['twö']);
    await writeFile(uri().fsPath, Buffer.from('one\ntwö\nthree', 'latin1'));
    const [line] = await text.linesOf(uri(), 2, 2);
    assert.match(line, /^tw.$/u);
  });

  test('reads many files at once', async () => {
    await write(name, 'one\ntwo\n');
    const answers = await Promise.all(Array.from({ length: 100 }, () => text.linesOf(uri(), 2, 2)));
    assert.ok(answers.every(([line]) => line === 'two'));
  });
});
