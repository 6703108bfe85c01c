/** Lines of contents by their phrases. */
import assert from 'node:assert/strict';
import type { DocumentIndex } from '../../src/core/engine/documents/documents.ts';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { languageHashOf } from '../../src/core/engine/languages/languageHash.ts';
import { phraseNumber } from '../../src/core/engine/seeds/phrases.ts';
import { phraseView } from '../../src/organisation/repositories/blocks.ts';
import { forEachWindow, languageOfKey, type Window } from '../../src/organisation/repositories/windows.ts';
import { kotlin, withoutWindows } from '../engine/matches/portedTexts.ts';
import { indexText } from './texts.ts';

const page = ['Read this page first.', '```kotlin', ...kotlin, '```'].join('\n');

suite('phrases of contents', () => {
  const kernel = new Kernel(createMemory());

  test('are equal in a function and its port to another language', () => {
    const [planner, port] = Object.entries(withoutWindows).map(([path, text]) =>
      linesOf(indexText(kernel, path, text)),
    );
    const phrases = new Set(planner.map(phraseOf));
    const common = port.filter((line) => phrases.has(phraseOf(line)));
    assert.ok(common.length >= 5, `${common.length} of ${port.length} lines`);
    assert.deepEqual([...new Set(planner.map(({ low }) => languageOfKey(low)))], [languageHashOf('java')]);
    assert.deepEqual([...new Set(port.map(({ low }) => languageOfKey(low)))], [languageHashOf('kotlin')]);
  });

  test('are those of code with functions, not those of prose and quoted code', () => {
    assert.deepEqual(linesOf(indexText(kernel, 'page.md', page)), []);
    assert.deepEqual(linesOf(indexText(kernel, 'planner.sql', "SELECT 'lease', 'owner', 'registry', 'patience';")), []);
  });

  function linesOf(content: DocumentIndex): Window[] {
    const lines: Window[] = [];
    forEachWindow(kernel, content, (window) => lines.push(window));
    return lines.filter(({ view }) => view === phraseView);
  }
});

function phraseOf({ high, low }: Window): number {
  return phraseNumber(high, low);
}
