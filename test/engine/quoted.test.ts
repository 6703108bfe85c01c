/** Code quoted in pages, docstrings, and notebooks is found in files and in other pages. */
import assert from 'node:assert/strict';
import { explainPassages } from '../../src/core/engine/explainPassages.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { findingsOf, groupsOf, placesOf } from './corpusOf.ts';

/** A TypeScript function of a dozen unique lines. */
const statements = [
  'export function settle(orders: Order[], rates: Map<string, number>): Receipt[] {',
  '  const receipts: Receipt[] = [];',
  '  for (const { currency, lines, customer } of orders) {',
  '    const rate = rates.get(currency) ?? fallbackRate(currency);',
  '    const net = lines.reduce((sum, line) => sum + line.price * line.count, 0);',
  '    if (net > customer.limit) throw new RangeError(`over the limit: ${net}`);',
  '    const discount = customer.isLoyal ? Math.min(net * 0.05, 40) : 0;',
  '    receipts.push({ customer: customer.name, total: (net - discount) * rate });',
  '  }',
  '  return receipts.sort((x, y) => compareNames(x.customer, y.customer));',
  '}',
];
const code = statements.join('\n');
/** Statements of Python. */
const pythonLines = [
  'table = read_table("orders.csv", separator=";")',
  'totals = {row.key: row.price * row.count for row in table}',
  'largest = max(totals.values(), default=0)',
  'for key, total in sorted(totals.items()):',
  '    print(key, round(total / largest, 2), sep="|")',
  'report = Report(title="Orders", rows=len(totals))',
  'report.write(open_target("report.html"), encoding="utf-8")',
  'assert report.checksum == expected_checksum(totals, largest)',
];
const python = pythonLines.join('\n');
const examples = pythonLines.map((line) => (line.startsWith(' ') ? `    ... ${line}` : `    >>> ${line}`)).join('\n');
const sentences = (about: string): string =>
  [
    `Whoever settles ${about} has to know what each of them costs in the currency of the customer who has asked for it.`,
    `Rates come from a table that somebody keeps by hand, and where it has none the last known one is taken instead.`,
    `A receipt names the customer and what there is to pay, and nothing else that might be held against anybody later.`,
  ].join('\n');

function check(documents: Readonly<Record<string, string>>, ...expected: [kind: string, ...places: string[]][]): void {
  for (const readComments of ['none', 'asText'] as const) {
    assert.deepEqual(
      groupsOf(documents, { readComments }).map((group) => [group.kind, ...placesOf(group)]),
      expected,
      readComments,
    );
  }
}

/** Returns a notebook as Jupyter writes it. */
function notebook(...cells: readonly [type: string, text: string][]): string {
  return JSON.stringify(contentOf(cells), null, 1);
}

/** Returns a notebook with all cells on one line of the file. */
function minifiedNotebook(...cells: readonly [type: string, text: string][]): string {
  return JSON.stringify(contentOf(cells));
}

function contentOf(cells: readonly [type: string, text: string][]): unknown {
  const list = cells.map(([type, text]) => ({ cell_type: type, metadata: {}, source: text.split(/(?<=\n)/) }));
  return { cells: list, metadata: { kernelspec: { language: 'python' } }, nbformat: 4 };
}

suite('quoted code: findings', () => {
  test('a fence and a file, with lines and columns', () => {
    const documents = {
      'a.ts': `let é;\n${code}\n`,
      'b.md': `# Title\n\n- é\n\n  \`\`\`ts\n${code}\n  \`\`\`\n\nEnd.\n`,
    };
    check(documents, ['code', 'a.ts:2-12', 'b.md:6-16']);
    const [{ passages, type, similarity }] = groupsOf(documents);
    assert.deepEqual([type, similarity], ['exact', 1]);
    for (const { startColumn, endColumn } of passages) assert.deepEqual([startColumn, endColumn], [1, 2]);
  });
  test('with any language or none after the fence', () => {
    for (const language of ['TypeScript', 'js', '{.ts .numberLines}', '', 'nobodyKnows']) {
      check({ 'a.ts': code, 'b.md': `~~~${language}\n${code}\n~~~\n` }, ['code', 'a.ts:1-11', 'b.md:2-12']);
    }
  });
  test('blocks of AsciiDoc and reStructuredText', () => {
    const indented = python.replaceAll(/^/gm, '   ');
    check(
      {
        'a.adoc': `= Title\n\n[source,python]\n----\n${python}\n----\n`,
        'b.rst': `Title\n=====\n\n.. code-block:: python\n   :linenos:\n\n${indented}\n\nText.\n`,
        'c.rst': `So it goes::\n\n${indented}\n\nText.\n`,
        'd.rst': `Text.\n\n${examples}\n\nText.\n`,
        'e.py': python,
      },
      ['code', 'a.adoc:5-12', 'b.rst:7-14', 'c.rst:3-10', 'd.rst:3-10', 'e.py:1-8'],
    );
  });
  test('two fences are one finding, as code', () => {
    const page = (about: string): string => `# ${about}\n\nIt is about ${about}.\n\n\`\`\`ts\n${code}\n\`\`\`\n`;
    check({ 'a.md': page('orders'), 'b.md': page('something else') }, ['code', 'a.md:6-16', 'b.md:6-16']);
  });
  /** The words before and after the code also resemble each other. */
  const repetition: [string, ...string[]] = ['prose', 'a.md:1-3', 'a.md:19-21', 'b.md:3-5', 'b.md:21-23'];
  test('a section with its code is one finding, as prose', () => {
    const section = `${sentences('orders')}\n\n\`\`\`ts\n${code}\n\`\`\`\n\n${sentences('bills')}\n`;
    check({ 'a.md': section, 'b.md': `# Title\n\n${section}` }, ['prose', 'a.md:1-21', 'b.md:3-23'], repetition);
  });
  test('reports code of a section that is also in a file as a separate finding', () => {
    const section = `${sentences('orders')}\n\n\`\`\`ts\n${code}\n\`\`\`\n\n${sentences('bills')}\n`;
    check(
      { 'a.md': section, 'b.md': `# Title\n\n${section}`, 'c.ts': code },
      ['code', 'a.md:6-16', 'b.md:8-18', 'c.ts:1-11'],
      ['prose', 'a.md:1-21', 'b.md:3-23'],
      repetition,
    );
  });
  test('a page quoting several languages', () => {
    const data = JSON.stringify({ name: 'orders', scripts: { build: 'make all', test: 'make test' }, files: ['lib'] });
    const json = JSON.stringify(
      [JSON.parse(data), ...statements.map((text, i) => ({ [`entry${i}`]: text, i }))],
      null,
      2,
    );
    const style = statements.map((_, i) => `.card${i} > a:hover { margin: ${i}px auto; color: var(--tone-${i * 7}); }`);
    const html = `<p>words</p>\n<script>\n${code}\n</script>`;
    const quote = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\`\n`;
    const page = [
      quote('sh', 'npm install orders'),
      quote('json', json),
      quote('css', style.join('\n')),
      quote('html', html),
    ];
    const found = groupsOf({
      'a.md': page.join('\nThen:\n\n'),
      'b.json': json,
      'c.css': style.join('\n'),
      'd.ts': code,
    });
    const paths = found.map(({ kind, passages }) => [kind, ...passages.map(({ path }) => path)]);
    assert.deepEqual(
      paths.sort(([, , x], [, , y]) => (x < y ? -1 : 1)),
      [
        ['code', 'a.md', 'b.json'],
        ['code', 'a.md', 'c.css'],
        ['code', 'a.md', 'd.ts'],
      ],
    );
  });
  test('adjacent fences are not merged', () => {
    const half = (from: number, to: number): string => `\`\`\`ts\n${statements.slice(from, to).join('\n')}\n\`\`\`\n`;
    const short = 'const a = first(1);\nconst b = second(a, "b");\nconst c = third(b, a);';
    const other = 'const d = fourth(c);\nif (d) fifth(d, "e");\nelse sixth(a, b, c);';
    const apart = `\`\`\`ts\n${short}\n\`\`\`\n\`\`\`ts\n${other}\n\`\`\`\n`;
    check({ 'a.ts': `${short}\n${other}`, 'b.md': apart });
    check({ 'a.ts': `${short}\n${other}`, 'b.md': apart.replace('```\n```ts\n', '') }, [
      'code',
      'a.ts:1-6',
      'b.md:2-7',
    ]);
    // The larger half is reported separately.
    check({ 'a.ts': code, 'b.md': `${half(0, 8)}\nGo on:\n\n${half(8, 11)}` }, ['code', 'a.ts:1-8', 'b.md:2-9']);
  });
  test('examples in docstrings, limited to their code', () => {
    const documents = {
      'a.py': `def f():\n    """Reports.\n\n${examples.replace('sep="|")', 'sep="|")\n    a|1.0\n    b|0.5')}\n    """\n    return 1\n`,
      'b.py': python,
    };
    check(documents, ['code', 'a.py:4-13', 'b.py:1-8']);
    assert.equal(groupsOf(documents)[0].type, 'exact');
  });
  test('a function and its examples are one finding', () => {
    const body = `
    while queue and not stopped.is_set():
        entry, depth = queue.popleft()
        seen.add(entry.name)
        for child in entry.children(depth + 1):
            if child.name in seen or child.is_hidden:
                continue
            queue.append((child, depth + 1))
    return {name: index for index, name in enumerate(seen)}
`;
    const text = `def f():\n    """Reports.\n\n${examples}\n    """${body}`;
    const places = groupsOf({ 'a.py': `x = 1\n${text}`, 'b.py': `def g(): pass\n\n${text}` }).map(placesOf);
    assert.deepEqual(places, [['a.py:2-21', 'b.py:3-22']]);
  });
  test('cells of notebooks: code and files, words and pages', () => {
    const documents = {
      'a.ipynb': notebook(['markdown', sentences('orders')], ['code', python], ['code', 'print("größer")']),
      'b.py': python,
      'c.md': sentences('orders'),
    };
    const lines = documents['a.ipynb'].split('\n');
    const lineOf = (text: string): number => lines.findIndex((line) => line.includes(text)) + 1;
    const first = lineOf('table = read_table');
    check(
      documents,
      ['code', `a.ipynb:${first}-${first + 7}`, 'b.py:1-8'],
      ['prose', `a.ipynb:${lineOf('Whoever')}-${lineOf('A receipt')}`, 'c.md:1-3'],
    );
    const [passage] = groupsOf(documents)[0].passages;
    const place = (text: string, line: number): number => lines[line - 1].indexOf(text) + 1;
    assert.equal(passage.startColumn, place('table', first));
    assert.equal(passage.endColumn, place('largest)', first + 7) + 'largest)'.length);
  });
  test('cells on one line of a notebook are compared separately', () => {
    const documents = {
      'a.ipynb': minifiedNotebook(['markdown', sentences('orders')], ['code', `x = 1\n${python}`]),
      'b.ipynb': minifiedNotebook(['code', python], ['markdown', '# End']),
      'c.py': python,
      'd.md': sentences('orders'),
    };
    check(documents, ['code', 'a.ipynb:1-1', 'b.ipynb:1-1', 'c.py:1-8'], ['prose', 'a.ipynb:1-1', 'd.md:1-3']);
    const text = groupsOf(documents).find(({ kind }) => kind === 'prose');
    assert.equal(text?.parent, undefined, 'the text is a row of its own');
  });
  test('two notebooks of one line each have their common code reported', () => {
    const documents = {
      'a.ipynb': minifiedNotebook(['code', python], ['markdown', '# End']),
      'b.ipynb': minifiedNotebook(['code', 'y = [2]'], ['code', python]),
    };
    check(documents, ['code', 'a.ipynb:1-1', 'b.ipynb:1-1']);
  });
  test('megabytes of outputs do not shift the lines and columns of a cell', () => {
    const plain = notebook(['code', 'x = 1'], ['code', python]);
    const drawn = plain.replace('"metadata": {}', `"metadata": { "picture": "${'é'.repeat(2 ** 20)}" }`);
    const places = (text: string): unknown =>
      groupsOf({ 'a.ipynb': text, 'b.py': python }).map((group) => group.passages);
    assert.equal(groupsOf({ 'a.ipynb': drawn, 'b.py': python }).length, 1);
    assert.deepEqual(places(drawn), places(plain));
  });
  test('a notebook with invalid JSON, or JSON that is not a notebook, is data', () => {
    const entries = statements.map((text, i) => `{ "of": ${JSON.stringify(text)}, "number": ${i} }`);
    for (const text of [`{ "cells": [${entries.join(',\n')}`, `[${entries.join(',\n')}]`]) {
      assert.deepEqual(groupsOf({ 'a.ipynb': text, 'b.json': text }).map(placesOf), [['a.ipynb:1-11', 'b.json:1-11']]);
    }
  });
  test('comments in quoted code are read like those of files', () => {
    const comment = `/*\n${sentences('orders')}\n*/\n`;
    const documents = { 'a.ts': `${comment}x();`, 'b.md': `\`\`\`ts\n${comment}y();\n\`\`\`\n` };
    assert.deepEqual(groupsOf(documents), []);
    assert.deepEqual(groupsOf(documents, { readComments: 'asText' }).map(placesOf), [['a.ts:2-4', 'b.md:3-5']]);
  });
  test('a comment in a fence and the same words of its page are in page order', () => {
    const words = sentences('orders');
    const [group] = groupsOf(
      { 'a.md': `\`\`\`ts\n/*\n${words}\n*/\nx();\n\`\`\`\n\n${words}\n` },
      { readComments: 'asText' },
    );
    const lines = group.passages.map(({ startLine }) => startLine);
    assert.deepEqual(lines, [3, 10]);
  });
  test('a comment in a fence is never grouped with a passage of its page that continues around it', () => {
    const words = sentences('orders');
    const start = 'export async function work(list, items) {';
    const page = `${words}\n\n~~~ts\n/**\n${words}\n */\n${start}\n  first(list);\n}\n~~~\n\n${words}\n\n~~~ts\n${start}\n  second(items);\n}\n~~~\n`;
    const options = { readComments: 'asText', minTokens: 20, minLines: 1 } as const;
    const groups = groupsOf({ 'a.md': page, 'b.md': words }, options);
    assert.ok(groups.length > 0);
    for (const { passages } of groups) {
      for (const [i, { path, startLine }] of passages.entries()) {
        const before = passages[i - 1];
        assert.ok(i === 0 || before.path !== path || before.endLine < startLine);
      }
    }
  });
  test('files, lines, and tokens are counted once', () => {
    const page = `${sentences('orders')}\n\n\`\`\`ts\n${code}\n\`\`\`\n`;
    const { totals } = findingsOf({ 'a.md': page, 'b.md': page, 'c.ts': code });
    const [ofPage, ofCode] = [findingsOf({ 'a.md': page }), findingsOf({ 'c.ts': code })].map((found) => found.totals);
    assert.deepEqual([totals.files, totals.lines, totals.tokens], [3, 2 * 17 + 11, 2 * ofPage.tokens + ofCode.tokens]);
    // From the first word to the end of the code, and the file.
    assert.equal(totals.duplicatedLines, 2 * 15 + 1 * 11 + 2);
  });
  test('Explain Match compares the code of a fence with that of a file', () => {
    const decoder = new TextDecoder();
    const text = (path: string, content: string, start: number, end: number) =>
      ({ path, text: new TextEncoder().encode(content), lines: { start, end } }) as const;
    const page = `One.\n\n\`\`\`ts\n${code}\n\`\`\`\nTwo.\n`;
    const explained = (start: number, end: number) =>
      explainPassages(text('a.ts', code, 1, 11), text('b.md', page, start, end), defaultOptions, {
        limit: 5,
        decode: (utf8) => decoder.decode(utf8),
      });
    const { a, b, sameTokens, windowDistance } = explained(4, 14);
    assert.deepEqual([sameTokens, windowDistance, b.tokens], [1, 0, a.tokens]);
    // With words around it, the code is part of the page.
    assert.equal(explained(1, 16).b.tokens, a.tokens + 2);
  });
});
