/** Embedded languages: segments of a text and the language of each. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { segments } from '../../../src/core/engine/languages/embedded.ts';
import { lexicons, lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { anyText } from '../arbitraries.ts';
import { lexFile } from '../lexing.ts';

/** Checks the segments of a text that are not blank, written `language: text`. */
function check(name: string, text: string, ...expected: string[]): void {
  const bytes = new TextEncoder().encode(text);
  const found = segments(bytes, lexiconForPath(name))
    .map(({ start, end, lexicon }) => `${lexicon.id}: ${new TextDecoder().decode(bytes.subarray(start, end)).trim()}`)
    .filter((segment) => !segment.endsWith(': '));
  assert.deepEqual(found, expected);
}

suite('embedded languages', () => {
  test('a file of code is one segment', () => {
    check('a.ts', 'a `<script>` ```', 'typescript: a `<script>` ```');
  });

  test('Markdown fences have the language that they name', () => {
    check(
      'a.md',
      'One\n\n```ts title="x"\nlet a;\n```\nTwo\n~~~~ Python\n~~~\nb\n~~~~\n  ```\nc\n  ```\nThree ```d``` four\n```e```\n',
      'markdown: One',
      'typescript: let a;',
      'markdown: Two',
      'python: ~~~\nb',
      'unnamed: c',
      'markdown: Three ```d``` four\n```e```',
    );
    check('a.Rmd', '```{r, echo=FALSE}\nx <- 1\n```', 'r: x <- 1');
    check('a.md', 'a\n```js\nunclosed', 'markdown: a', 'javascript: unclosed');
    check('a.md', 'A title\n~~~~~~~\nb', 'markdown: A title\n~~~~~~~\nb');
    check('a.md', 'A long line of text\n~~~\nb\n~~~\n', 'markdown: A long line of text', 'unnamed: b');
    check('a.md', 'A\n\t~~~~ |\nb', 'markdown: A\n\t~~~~ |\nb');
    check(
      'a.md',
      'A\n    ```\nb\n    ```\nc\n\t```\nd\n    ```` x',
      'markdown: A',
      'unnamed: b',
      'markdown: c\n\t```\nd\n    ```` x',
    );
    check('a.md', 'A **title** here\n~~~~~~~~~~~~\nb', 'markdown: A **title** here\n~~~~~~~~~~~~\nb');
    check('a.md', '- a list\n  ~~~\n  b\n  ~~~\nc', 'markdown: - a list', 'unnamed: b', 'markdown: c');
    check('a.md', '```\r\na\r\n```\r\nb', 'unnamed: a', 'markdown: b');
  });

  test('sentences in a fence without a language are prose', () => {
    const sentences =
      'The contribution was created in whole or in part by me, and I have the right to submit it.\nIt is public, and so is a record of it.';
    check('a.md', `A\n\`\`\`\n${sentences}\n\`\`\`\nb`, 'markdown: A', `plaintext: ${sentences}`, 'markdown: b');
    check('a.adoc', `A\n\n----\n${sentences}\n----\nb`, 'asciidoc: A', `plaintext: ${sentences}`, 'asciidoc: b');
    check('a.md', `\`\`\`text\n${sentences}\n\`\`\``, `plaintext: ${sentences}`);
    check('a.md', `\`\`\`python\n${sentences}\n\`\`\``, `python: ${sentences}`);
  });

  test('a table in a fence has the same tokens with the language `text` and without one', () => {
    const table = '| got    | 50 | 4711.86 req/sec |\n| undici | 75 | 5438.50 req/sec |';
    check('a.md', `A\n\`\`\`\n${table}\n\`\`\`\nb`, 'markdown: A', `unnamed: ${table}`, 'markdown: b');
    check('a.md', `A\n\`\`\`text\n${table}\n\`\`\`\nb`, 'markdown: A', `unnamed: ${table}`, 'markdown: b');
    check('a.txt', table, `plaintext: ${table}`);
  });

  test('front matter is excluded', () => {
    check('a.md', '---\ntitle: b\n---\nText', 'markdown: Text');
    check('a.md', '+++\ntitle = "b"\n+++\nText', 'markdown: Text');
    check('a.md', '---\nText without an end', 'markdown: ---\nText without an end');
    check('a.md', 'Text\n---\nb\n---\n', 'markdown: Text\n---\nb\n---');
  });

  test('scripts and styles of HTML and Vue', () => {
    check(
      'a.vue',
      '<template><p>a > b</p></template>\n<script setup lang="ts">let a = "</p>";</script>\n<style scoped lang=\'scss\'>b{}</style>',
      'vue: <template><p>a > b</p></template>\n<script setup lang="ts">',
      'typescript: let a = "</p>";',
      "vue: </script>\n<style scoped lang='scss'>",
      'scss: b{}',
      'vue: </style>',
    );
    check(
      'a.html',
      '<SCRIPT type="application/ld+json">{}</SCRIPT>',
      'html: <SCRIPT type="application/ld+json">',
      'json: {}',
      'html: </SCRIPT>',
    );
    check(
      'a.html',
      '<script src="a>b"/><scripted><!-- <script>a</script> -->',
      'html: <script src="a>b"/><scripted><!-- <script>a</script> -->',
    );
    check('a.html', '<style>a{}', 'html: <style>', 'css: a{}');
  });

  test('code in templates', () => {
    check('a.erb', '<p><%= a %></p><%# no %><% b -%>', 'erb: <p>', 'ruby: a', 'erb: </p>', 'ruby: b -');
    check('a.jsp', '<%@ page a %><%-- <% b %> --%><% c(); %>', 'java: c();');
    check('a.astro', '---\nconst a = 1;\n---\n<p>b</p>', 'typescript: const a = 1;', 'astro: <p>b</p>');
    check(
      'a.php',
      '<p>a</p><?php b(); ?><?= $c ?>\n<script>d()</script><?php e();',
      'html: <p>a</p>',
      'php: b();',
      'php: $c',
      'html: <script>',
      'javascript: d()',
      'html: </script>',
      'php: e();',
    );
    check('a.php', 'b();', 'php: b();');
    check(
      'a.php',
      `<?php $a = "<?xml ?>"; # it's [\n/* ?> */ f(<<<X\n it's ?>\n X); // d ?>e's<?= 'f' ?>g <?php 'h ?>i`,
      `php: $a = "<?xml ?>"; # it's [\n/* ?> */ f(<<<X\n it's ?>\n X); // d`,
      "html: e's",
      "php: 'f'",
      'html: g',
      "php: 'h",
      'html: i',
    );
    check('a.aspx', '<b a=<%# c() %> /><%-- d --%><%= e %>', 'aspnet: <b a=', 'csharp: c()', 'aspnet: />', 'csharp: e');
  });

  test('code blocks of reStructuredText and AsciiDoc', () => {
    check(
      'a.rst',
      'Text::\n\n  a = 1\n\n  b\n\nMore\n\n.. code-block:: python\n   :linenos:\n\n   c\n\nEnd: ok\n',
      'restructuredtext: Text::',
      'unnamed: a = 1\n\n  b',
      'restructuredtext: More\n\n.. code-block:: python',
      'python: c',
      'restructuredtext: End: ok',
    );
    check(
      'a.adoc',
      'Title\n-----\n[source,java]\n.Name\n----\nint a;\n----\nText\n\n....\nb\n....\n',
      'asciidoc: Title\n-----\n[source,java]\n.Name',
      'java: int a;',
      'asciidoc: Text',
      'unnamed: b',
    );
  });

  test('lines are numbered across all segments', () => {
    const { lines, tokens } = lexFile('a.md', '---\nx: 1\n---\nOne\n```ts\nlet a;\n\nb\n```\nTwo\n');
    assert.deepEqual(
      lines.map(({ line }) => line),
      [3, 5, 7, 9],
    );
    assert.deepEqual(
      tokens.map(({ text }) => text),
      ['One', 'let', 'a', ';', 'b', 'Two'],
    );
  });

  test('segments ascend, do not overlap, and are inside the text, for any bytes', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...lexicons), (bytes, lexicon) => {
        let last = 0;
        for (const { start, end } of segments(bytes, lexicon)) {
          assert.ok(start >= last && end > start && end <= bytes.length);
          last = end;
        }
      }),
      { numRuns: scaled(5000) },
    );
  });
});
