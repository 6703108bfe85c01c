/** Enumeration of the windows of contents. */
import assert from 'node:assert/strict';
import type { DocumentIndex } from '../../src/core/engine/documents/documents.ts';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { listViews } from '../../src/organisation/repositories/blocks.ts';
import { forEachWindow, type Window } from '../../src/organisation/repositories/windows.ts';
import { functionText, indexText } from './texts.ts';

const words = 'Words that say little, again and again, until there are enough of them. ';
const texts = {
  'a.ts': functionText('alpha'),
  'commented.ts': `/*\n${` * ${words}\n`.repeat(9)} */\n${functionText('beta')}`,
  'page.md': `# Page\n\n${`${words}\n`.repeat(9)}\n\`\`\`ts\n${functionText('gamma')}\`\`\`\n`,
};

test('windows of contents include all views and parts', () => {
  const kernel = new Kernel(createMemory());
  const windows = Object.entries(texts).flatMap(([path, text]) => windowsOf(kernel, indexText(kernel, path, text)));
  assert.deepEqual([...new Set(windows.map((window) => window.view))].sort(), [...listViews]);
  assert.deepEqual([...new Set(windows.map(({ part }) => part))].sort(), [0, 1, 2]);
});

function windowsOf(kernel: Kernel, content: DocumentIndex): Window[] {
  const windows: Window[] = [];
  forEachWindow(kernel, content, (window) => windows.push(window));
  return windows;
}
