/** Prose in a compare: one sentence a line, with the lines of the file. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { reflow } from '../../src/presentation/copies/reflow.ts';

suite('reflowed prose', () => {
  const textOf = (text: string): string[] => reflow(text.split('\n')).map((line) => line.text);

  test('has one sentence a line, however its lines are broken', () => {
    const sentences = ['Open the lock, e.g. by hand.', 'Is it full?', 'Then wait (an hour).'];
    const wrapped = 'Open the lock, e.g. by\nhand. Is it\nfull? Then wait (an\nhour).';
    assert.deepEqual(textOf(sentences.join(' ')), sentences);
    assert.deepEqual(textOf(wrapped), sentences);
    assert.deepEqual(
      reflow(wrapped.split('\n')).map(({ line }) => line),
      [0, 1, 2],
    );
  });

  test('keeps a mark with the markup that follows it, and begins a sentence without a space in scripts that use none', () => {
    assert.deepEqual(textOf('It is *(not `here`!)*: look there.'), ['It is *(not `here`!)*: look there.']);
    assert.deepEqual(textOf('锁已经打开。请关上它。'), ['锁已经打开。', '请关上它。']);
  });

  test('keeps blank lines, headings, tables, and code, and joins the lines of an item', () => {
    const kept = [
      '# Locks. And gates',
      '',
      '| a | b. C |',
      '',
      '```sh',
      'open. Now',
      '  shut',
      '```',
      '    indented. Code',
    ];
    assert.deepEqual(textOf(kept.join('\n')), kept);
    assert.deepEqual(textOf('- open the\n  lock. Wait\n- shut it'), ['- open the lock.', 'Wait', '- shut it']);
  });

  test('keeps code of a fence that was opened above, and front matter at the beginning of a file', () => {
    const lines = ['open();', 'shut();', '```', 'Open the', 'lock.'];
    const textBelow = (...above: readonly string[]): string[] => reflow(lines, above).map(({ text }) => text);
    assert.deepEqual(textBelow('Wait.', '```js'), ['open();', 'shut();', '```', 'Open the lock.']);
    assert.deepEqual(textBelow('```js', '```'), ['open(); shut();', '```', 'Open the', 'lock.']);
    const page = ['---', 'title: Locks', 'tags: gates', '---', 'import Lock', 'and gate.'];
    assert.deepEqual(textOf(page.join('\n')), [...page.slice(0, 4), 'import Lock and gate.']);
    assert.deepEqual(
      reflow(page, ['Wait.']).map(({ text }) => text),
      ['---', 'title: Locks tags: gates', '---', 'import Lock and gate.'],
    );
    const imports = ["import Lock from './lock';", "import { gate } from './gate';"];
    assert.deepEqual(textOf(imports.join('\n')), imports);
  });

  test('keeps the lines of an HTML comment, even if it begins above', () => {
    const comment = ['<!-- YAML', 'added: v8.4.0', 'changes:', '  - version: v9', '-->'];
    assert.deepEqual(textOf([...comment, 'Open the', 'lock.'].join('\n')), [...comment, 'Open the lock.']);
    assert.deepEqual(
      reflow(comment.slice(1), comment.slice(0, 1)).map(({ text }) => text),
      comment.slice(1),
    );
    assert.deepEqual(textOf('<!-- one line -->\nOpen the\nlock.'), ['<!-- one line -->', 'Open the lock.']);
  });

  test('does not end a sentence at an abbreviation', () => {
    assert.deepEqual(textOf('Answer with an error (e.g. 400 Bad Request). Wait.'), [
      'Answer with an error (e.g. 400 Bad Request).',
      'Wait.',
    ]);
  });

  test('keeps all words in their order, on lines that ascend', () => {
    const line = fc.array(fc.constantFrom('Open', 'the', 'lock.', 'Wait!', '-', '#', '```', '1.', '<!--', '-->', ''), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        fc.array(
          line.map((words) => words.join(' ')),
          { maxLength: 12 },
        ),
        (lines) => {
          const wordsOf = (texts: readonly string[]): string[] => texts.join(' ').split(/\s+/).filter(Boolean);
          const reflowed = reflow(lines);
          assert.deepEqual(wordsOf(reflowed.map(({ text }) => text)), wordsOf(lines));
          for (const [place, { text, line: from }] of reflowed.entries()) {
            assert.ok(place === 0 || from >= reflowed[place - 1].line);
            assert.ok(lines[from].includes(wordsOf([text])[0] ?? ''));
          }
        },
      ),
    );
  });
});
