/** Copied prose: quoted, listed, rewrapped, with other markup, moved to a comment, or with sentences reordered. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import { groupsOf } from './corpusOf.ts';

const sentences = [
  'The index keeps every window of the text, so that a later search need not read the files again.',
  'When a file changes, only its own windows are taken out and put in anew, and nothing else is touched.',
  'A reader who opens the folder on the next day therefore sees the findings at once, before anything is compared.',
  'What was written in the meantime by other programs is noticed by its size and its date.',
];
const paragraph = sentences.join(' ');

/** Wraps the words of a text at `width` characters, with a mark before each line. */
function wrapped(text: string, width: number, mark = '', firstMark = mark): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].map((each, index) => (index === 0 ? firstMark : mark) + each).join('\n');
}

/** Returns a page with the paragraph between unrelated ones. */
function page(body: string, mark: 'one' | 'two'): string {
  const [before, behind] =
    mark === 'one'
      ? ['Notes on storage\n\nSome facts come first.', 'The rest is history.']
      : ['Manual\n\nRead this page slowly, please.', 'Questions go to the authors.'];
  return `${before}\n\n${body}\n\n${behind}\n`;
}

/** Checks that a file with the copy is found beside a file with the paragraph, with all its lines. */
function check(file: string, copy: string, options: Partial<Options> = {}): void {
  const groups = groupsOf({ 'a.md': page(wrapped(paragraph, 90), 'one'), [file]: copy }, options);
  assert.equal(groups.length, 1);
  const passage = groups[0].passages.find(({ path }) => path === file);
  assert.ok(passage);
  const lines = copy.split('\n');
  const holding = lines.flatMap((line, index) => (/index|date\b/.test(line) ? [index + 1] : []));
  assert.ok(passage.startLine <= holding[0] && passage.endLine >= (holding.at(-1) ?? Infinity));
}

suite('prose: a paragraph is found', () => {
  test('with other line breaks', () => check('b.md', page(wrapped(paragraph, 50), 'two')));
  test('in one line', () => check('b.md', page(paragraph, 'two')));
  test('in a quote, and in a nested quote', () => {
    check('b.md', page(wrapped(paragraph, 70, '> '), 'two'));
    check('b.md', page(wrapped(paragraph, 70, '> > '), 'two'));
  });
  test('in a list item', () => {
    check('b.md', page(`- First\n${wrapped(paragraph, 70, '  ', '- ')}\n- Last`, 'two'));
    check('b.md', page(`1. First\n${wrapped(paragraph, 70, '   ', '2. ')}\n3. Last`, 'two'));
    check('b.md', page(wrapped(paragraph, 70, '      ', '- [x] '), 'two'));
  });
  test('in list items, one per sentence', () => check('b.md', page(`* ${sentences.join('\n* ')}`, 'two')));
  test('with emphasis, code, and links', () => {
    const marked = paragraph
      .replace('every window', '**every** _window_')
      .replace('the files', '[the files](https://example.org/files "Files")')
      .replace('nothing else', '<b>nothing else</b>')
      .replace('the findings', '`the findings`')
      .replace('other programs', '[other programs][programs]');
    check('b.md', page(wrapped(marked, 60), 'two'));
  });
  test('in reStructuredText, AsciiDoc, LaTeX, and plain text', () => {
    const marked = (link: string): string =>
      paragraph.replace('every window', '*every* window').replace('the files', link).replace('size', '``size``');
    check('b.rst', page(wrapped(marked('`the files <https://example.org>`_'), 60), 'two'));
    check('b.adoc', page(wrapped(marked('https://example.org[the files]'), 60), 'two'));
    check('b.txt', page(wrapped(paragraph, 60, '   '), 'two'));
    check('b.tex', page(wrapped(paragraph.replace('every', '\\emph{every}'), 60), 'two'));
  });
  test('in comments of code that are read', () => {
    const options = { readComments: 'asText' } as const;
    const code = (comment: string, body: string): string => `${body}\n\n${comment}\n${body}\n`;
    check('b.ts', code(`/**\n${wrapped(paragraph, 70, ' * ')}\n */`, 'run();'), options);
    check('b.ts', code(wrapped(paragraph, 70, '// '), 'run();'), options);
    check('b.py', code(`def f():\n    """${wrapped(paragraph, 70, '    ', '')}"""`, 'run()'), options);
    check('b.sh', code(wrapped(paragraph, 70, '# '), 'run'), options);
    check('b.lua', code(wrapped(paragraph, 70, '-- '), 'run()'), options);
    check('b.hs', code(`{-\n${wrapped(paragraph, 70)}\n-}`, 'main = run'), options);
  });
});

suite('prose: reordered sentences', () => {
  const inOrder = (order: readonly number[]): string => order.map((sentence) => sentences[sentence]).join(' ');
  test('two that were swapped', () => {
    check('b.md', page(wrapped(inOrder([1, 0, 2, 3]), 60), 'two'));
    check('b.md', page(wrapped(inOrder([3, 1, 2, 0]), 60), 'two'));
  });
  test('the first one moved to the end', () => check('b.md', page(wrapped(inOrder([1, 2, 3, 0]), 60), 'two')));
  test('with changed words in addition', () => {
    const changed = inOrder([2, 3, 0, 1])
      .replace('later', 'further')
      .replace('touched', 'changed')
      .replace('size', 'length');
    check('b.md', page(wrapped(changed, 60), 'two'));
  });
  /** Returns the group of the paragraph and its reordered sentences. */
  const groupOf = (order: readonly number[]) => {
    const copy = page(wrapped(inOrder(order), 60), 'two');
    const groups = groupsOf({ 'a.md': page(wrapped(paragraph, 90), 'one'), 'b.md': copy });
    assert.equal(groups.length, 1);
    return groups[0];
  };
  test('in any order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (order) => {
        const starts = groupOf(order).passages.map(({ startLine }) => startLine);
        assert.deepEqual(starts, [5, 5]);
      }),
      { numRuns: scaled(24) },
    );
  });
  test('three orders form one group', () => {
    const orders = [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [2, 0, 3, 1],
      [1, 3, 0, 2],
    ];
    const texts = orders.map((order, i): [string, string] => [
      `${i}.md`,
      `Heading ${i}\n\n${wrapped(inOrder(order), 60 + i)}\n\nEnd ${i}\n`,
    ]);
    const groups = groupsOf(Object.fromEntries(texts));
    assert.deepEqual(
      groups.map(({ passages }) => passages.map(({ path }) => path)),
      [['0.md', '1.md', '2.md', '3.md']],
    );
  });
  test('their similarity is the share of words in common rows of three', () => {
    const order = [3, 2, 1, 0];
    const expected = sharedByDefinition(paragraph, inOrder(order));
    assert.ok(Math.abs(groupOf(order).similarity - expected) < 0.01);
  });
  test('a paragraph with only the same words is rejected', () => {
    const words = paragraph.split(' ');
    const shuffled = words.map((_, i) => words[(i * 29) % words.length]).join(' ');
    assert.equal(words.length % 29 !== 0, true);
    assert.deepEqual(
      groupsOf({ 'a.md': page(wrapped(paragraph, 90), 'one'), 'b.md': page(wrapped(shuffled, 60), 'two') }),
      [],
    );
  });
  test('half a paragraph with a different second half is rejected', () => {
    const other =
      'Nothing of this second half has been seen before by anyone who ever opened that old book on gardens. ';
    const mixed = other + sentences[3] + ' ' + other.replaceAll('e', 'a') + sentences[2];
    const groups = groupsOf({ 'a.md': page(wrapped(paragraph, 90), 'one'), 'b.md': page(wrapped(mixed, 60), 'two') });
    assert.deepEqual(groups, []);
  });
});

suite('prose: reworded sentences', () => {
  const reworded = [
    'Every window of the text is kept by the index, so that the files need not be read again by a later search.',
    'Only the windows of a file are taken out and put in anew when it changes, and nothing else is touched.',
    'The findings are therefore there at once for a reader who opens the folder on the next day, before anything is compared.',
    'Other programs may have written something in the meantime, which is noticed by its date and its size.',
  ];
  const groupsBeside = (copy: string, options: Partial<Options> = {}) =>
    groupsOf({ 'a.md': page(wrapped(paragraph, 90), 'one'), 'b.md': copy }, options);
  test('are found in a paragraph, from its first to its last line', () => {
    const lines = wrapped(reworded.join(' '), 60);
    const groups = groupsBeside(page(lines, 'two'));
    assert.deepEqual(
      groups.map(({ passages }) => passages.map(({ startLine, endLine }) => [startLine, endLine])),
      [
        [
          [5, 4 + wrapped(paragraph, 90).split('\n').length],
          [5, 4 + lines.split('\n').length],
        ],
      ],
    );
  });
  test('are found in a list item, without its neighbors', () => {
    const item = wrapped(reworded.join(' '), 60, '  ', '- ');
    const groups = groupsBeside(page(`- First of all\n${item}\n- Last of all`, 'two'));
    assert.deepEqual(
      groups.map(({ passages }) => [passages[1].startLine, passages[1].endLine]),
      [[6, 5 + item.split('\n').length]],
    );
  });
  test('their similarity is the share of common words, in any order', () => {
    const words = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g)!;
    const [a, b] = [words(paragraph), words(reworded.join(' '))];
    const left = [...b];
    const common = a.filter((word) => {
      const at = left.indexOf(word);
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
    const [group] = groupsBeside(page(wrapped(reworded.join(' '), 60), 'two'));
    assert.ok(Math.abs(group.similarity - (2 * common.length) / (a.length + b.length)) < 0.01);
  });
  test('need a lower share of common words if they have many of them', () => {
    const freely = [
      'Since the index keeps every window of the text, no file must be read again by a search that comes later.',
      'A change to a file only takes out its own windows and adds others, while nothing else is touched.',
      'So results are there without a wait, for instance on the next day, when a reader opens the folder.',
      'Files which some program has written in between are recognized by size and date.',
    ];
    const [group] = groupsBeside(page(wrapped(freely.join(' '), 60), 'two'));
    assert.ok(group.similarity > 0.6 && group.similarity < 0.65, String(group.similarity));
    // About the same share of the words, but only 26 different ones in common.
    const [short, shortFreely] = [
      [...sentences.slice(0, 2), 'The size and the date of a file are compared first.'],
      [...freely.slice(0, 2), 'First of all, its date is looked at.'],
    ].map((texts) => wrapped(texts.join(' '), 60));
    assert.deepEqual(groupsOf({ 'a.md': page(short, 'one'), 'b.md': page(shortFreely, 'two') }), []);
  });
  test('are not found with a higher minimum similarity', () => {
    const prose = { ...defaultOptions.prose, minSimilarity: 0.9 };
    assert.deepEqual(groupsBeside(page(wrapped(reworded.join(' '), 60), 'two'), { prose }), []);
  });
  test('a paragraph about the same subject is rejected', () => {
    const other =
      'The index of a library is a list of books, which a reader opens on the first day. When a book changes, ' +
      'the list is written again by hand, so that a later reader finds every book at once. Programs of other ' +
      'libraries read the list in the night, and notice its date before anything else is copied from it.';
    assert.deepEqual(groupsBeside(page(wrapped(other, 60), 'two')), []);
  });
});

suite('prose: entries of one form', () => {
  type Row = (name: string, value: string) => string;
  const fields = (values: readonly string[], row: Row): string => {
    const [type, sets, aliases, required, position, pipeline] = values;
    const all = { Type: type, 'Parameter sets': sets, Aliases: aliases, Required: required, Position: position };
    const rest = { 'Default value': 'none', 'Accept pipeline input': pipeline, 'Accept wildcard characters': 'false' };
    return Object.entries({ ...all, ...rest })
      .map(([name, value]) => row(name, value))
      .join('\n');
  };
  /** An entry of a reference: two parameters with their descriptions. */
  const entry = (i: number, row: Row): string => {
    const purpose = (at: number): string => sentences[(i + at) % 4].split(' ', 8).join(' ');
    return `${purpose(0)}.\n\n${fields(values[i], row)}\n\n${purpose(1)}.\n\n${fields(values[(i + 2) % 5], row)}\n`;
  };
  const values = [
    ['string array', 'by name', 'host', 'true', 'first', 'by property'],
    ['switch', 'session', 'quiet', 'false', 'named', 'false'],
    ['date', 'everything', 'since', 'false', 'third', 'by value'],
    ['hash table', 'custom', 'props', 'true', 'last', 'within arrays'],
    ['integer', 'paging', 'take', 'false', 'second', 'through objects'],
  ];
  const rows = {
    'in a list': (name: string, value: string): string => `- ${name}: ${value}`,
    'in a table': (name: string, value: string): string => `| ${name} | ${value} |`,
    'in lines': (name: string, value: string): string => `${name}: ${value}\\`,
  };
  for (const [how, row] of Object.entries(rows)) {
    test(`share their field names and are not copies: ${how}`, () => {
      const pages = values.map((_, i): [string, string] => [`${i}.md`, entry(i, row)]);
      assert.deepEqual(groupsOf(Object.fromEntries(pages)), []);
    });
    test(`are found if one is copied: ${how}`, () => {
      const groups = groupsOf({
        'a.md': page(entry(2, row), 'one'),
        'b.md': page(entry(2, row).replace('third', 'seventh'), 'two'),
        'c.md': page(entry(3, row), 'two'),
      });
      assert.deepEqual(
        groups.map(({ passages }) => passages.map(({ path }) => path)),
        [['a.md', 'b.md']],
      );
    });
  }
  const sentence = 'Nobody has to wait for it, and a machine with little memory can do all of this as well.';
  test('a text with one replaced sentence is a copy', () => {
    for (const replaced of sentences) check('b.md', page(paragraph.replace(replaced, sentence), 'two'));
  });
  test('a text with one additional sentence is a copy', () => {
    for (const next of sentences) check('b.md', page(paragraph.replace(next, `${sentence} ${next}`), 'two'));
  });
  test('finds equal passages of minimum size in any context', () => {
    const equal = paragraph.split(' ').slice(0, 40).join(' ');
    const around = (i: number): string => `${equal}\n\n${entry(i, rows['in a list'])}\n`;
    const groups = groupsOf({ 'a.md': around(1), 'b.md': `${entry(0, rows['in a list'])}\n\n${around(3)}` });
    assert.ok(groups.some(({ passages }) => passages.length === 2 && passages.every(({ tokens }) => tokens >= 40)));
  });
});

suite('prose: part of a copy', () => {
  test('is a separate passage in the full text too', () => {
    const part = sentences.slice(0, 3).join(' ');
    const groups = groupsOf({
      'a.md': page(`${part}\n\n${sentences[3]}`, 'one'),
      'b.md': page(`${part}\n\n${sentences[3]}`, 'two'),
      'c.md': `# Elsewhere\n\n${part}\n`,
    });
    const found = groups.map(({ type, passages }) => [
      type,
      ...passages.map(({ path, tokens }) => `${path} ${tokens}`),
    ]);
    const [all, partial] = [paragraph, part].map((text) => text.split(' ').length);
    assert.deepEqual(found, [
      ['exact', `a.md ${partial}`, `b.md ${partial}`, `c.md ${partial}`],
      ['exact', `a.md ${all}`, `b.md ${all}`],
    ]);
  });
});

suite('prose before other text', () => {
  const endings = {
    'a fence': '\n```sh\nrun --all\n```\n',
    'a fence right below it': '```sh\nrun --all\n```\n',
    'two empty fences': '\n```\n```\n\n~~~\n~~~\nMore.\n',
  };
  for (const [what, ending] of Object.entries(endings)) {
    test(`ends with its last word: ${what}`, () => {
      const text = wrapped(paragraph, 50);
      const groups = groupsOf({ 'a.md': `${text}\n${ending}`, 'b.md': `# Other\n\n${text}\n${ending}` });
      const ends = groups.map(({ type, passages }) => [type, ...passages.map(({ endColumn }) => endColumn)]);
      const column = text.length - text.lastIndexOf('\n') - 1;
      assert.deepEqual(ends, [['exact', column, column]]);
    });
  }
  test('ends with its last word: code behind a comment', () => {
    const comment = `/*\n${wrapped(paragraph, 50)}\n*/\n`;
    const documents = {
      'a.c': `${comment}int a;\n/* ${sentences[0]} */\n`,
      'b.c': `int b;\n${comment}b();\n/* No. */`,
    };
    const [group] = groupsOf(documents, { readComments: 'asText' });
    const words = paragraph.split(' ').length;
    assert.deepEqual([group.type, ...group.passages.map(({ tokens }) => tokens)], ['exact', words, words]);
  });
});

suite('prose below headings', () => {
  const edited = paragraph.replace(/\w+(?=\.$)/, 'elsewhere');
  const places = (headings: readonly string[], rest: readonly string[], copies = [paragraph, edited]): string[] => {
    const [a, b] = headings.map((heading, i) => `${heading}\n\n${wrapped(copies[i], 90)}\n\n${rest[i]}\n`);
    const groups = groupsOf({ 'a.md': `# Notes\n\nSome facts.\n\n${a}`, 'b.md': `# Manual\n\n${b}` });
    return groups.flatMap(({ type, passages }) => [
      type,
      ...passages.map(({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`),
    ]);
  };
  const sections = ['## Later\n\nThe rest is history.', '## Questions\n\nThey go to the authors.'];

  test('a whole section begins with its heading, also where the headings differ', () => {
    assert.deepEqual(places(['## Keeping the index', '## Storage'], sections), ['near', 'a.md:5-11', 'b.md:3-9']);
  });
  test('an exact copy of a section begins with its heading only if that is equal', () => {
    const exact = [paragraph, paragraph];
    assert.deepEqual(places(['## Storage', '## Storage'], sections, exact), ['exact', 'a.md:5-11', 'b.md:3-9']);
    const headings = ['## Keeping the index', '## Storage'];
    assert.deepEqual(places(headings, sections, exact), ['exact', 'a.md:7-11', 'b.md:5-9']);
  });
  test('a section in another one begins with both headings', () => {
    const [a, b] = ['0.6', '1.8'].map((version) => `## Version ${version}\n\n### Changes`);
    assert.deepEqual(places([a, b], sections), ['near', 'a.md:5-13', 'b.md:3-11']);
  });
  test('part of a section begins with its heading if the headings are alike', () => {
    const parts = ['The rest is history.', 'Questions go to the authors.'];
    assert.deepEqual(places(['## Keeping the index', '## Keeping an index'], parts), ['near', 'a.md:5-11', 'b.md:3-9']);
    assert.deepEqual(places(['## Keeping the index', '## Storage'], parts), ['near', 'a.md:7-11', 'b.md:5-9']);
  });
});

/** Returns the share of the words of both texts that are in rows of three common words. */
function sharedByDefinition(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => text.toLowerCase().match(/[a-z]+/g) ?? []);
  const rows = (words: readonly string[]): string[] => words.slice(2).map((_, i) => words.slice(i, i + 3).join(' '));
  const covered = (words: readonly string[], others: ReadonlySet<string>): number =>
    words.filter((_, i) =>
      [i - 2, i - 1, i].some(
        (at) => at >= 0 && others.has(words.slice(at, at + 3).join(' ')) && at + 3 <= words.length,
      ),
    ).length;
  return (covered(x, new Set(rows(y))) + covered(y, new Set(rows(x)))) / (x.length + y.length);
}
