/**
 * Mutations of a file in a fuzzing case: miscopied, clipped, torn, nested endlessly, left open, in another encoding,
 * with other line endings, or in other scripts. Texts are decoded as Latin-1, which preserves all bytes.
 */
import fc from 'fast-check';

/** Returns mutated bytes. */
export type Mutation = (bytes: Buffer) => Buffer;

/** Characters that open, close, or escape something in some language, without their counterparts. */
const marks = [
  ...['"', "'", '`', '"""', "'''", '/*', '*/', '//', '#', '<!--', '-->', '--', '--[[', ']]', '(*', '{-', '=begin\n'],
  ...['```\n', '```js\n', '~~~\n', '---\n', '+++\n', '----\n', '....\n', '[source,c]\n', '.. code-block:: c\n\n  '],
  ...['<script>', '</script>', '<style lang="scss">', '<%', '<%=', '%>', '<?php ', '<?=', '?>', '<![CDATA[', ']]>'],
  ...['{', '}', '(', ')', '[', ']', '<', '>', '${', '#{', '\\(', '`${', '\\', '\\\n', '<<EOF\n', '<<~A\n', 'EOF\n'],
  ...['R"x(', ')x"', 'r#"', '"#', '@"', '$"', '%w[', 'q{', '__END__\n', '=pod\n\n', '=cut\n', '{{', '}}', '{%', '%}'],
  ...['@generated\n', '0x', '1e', "'\\", '\\u{', '&amp', '](', '<a href="', '\\begin{', '\\verb|', '::\n\n  ', '$$'],
];

/** Pieces of scripts: without blanks, right-to-left, composed, beyond the basic plane, and zero-width. */
const scripts = [
  ...['索引保存每个文档的每个窗口，', 'これは長い文章です。', 'ข้อความภาษาไทยไม่มีช่องว่าง', '한국어 문장입니다 '],
  ...['هذا نص بالعربية ', 'שלום עולם ', 'Ещё одно предложение ', 'é́́ ', 'ﬀİıſß ', '😀👩‍👩‍👧🏽 ', '𝒳𝒴 𐐷 '],
  ...['\u200b\u200d\ufeff', '\u2028', '\u0085', '\u00a0\u3000', '\u202e', '’s ', 'Ǆǅ ', 'ᄀᄀᄀ각ᆨᆨ '],
];

/** Invalid UTF-8: partial characters, surrogates, overlong forms, and impossible bytes. */
const brokenBytes = [
  '\x80',
  '\xc3',
  '\xe2\x82',
  '\xf0\x9f\x98',
  '\xed\xa0\x80',
  '\xc0\xaf',
  '\xff',
  '\xfe',
  '\xf8\x88',
];

const whites = ['\n', '\r\n', '\r', '\n\n', '\t', ' ', '\v', '\f', '\n\n\n\n', '\0', '\r\r\n'];

const part = fc.integer({ min: 0, max: 999 });

function at(length: number, permille: number): number {
  return Math.floor((length * permille) / 1000);
}

function ofText(change: (text: string) => string): Mutation {
  return (bytes) => Buffer.from(change(bytes.toString('latin1')), 'latin1');
}

function ofLines(change: (lines: string[]) => string[]): Mutation {
  return ofText((text) => change(text.split('\n')).join('\n'));
}

/** Returns the Latin-1 string of a text in UTF-8. */
function utf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

const inserted = fc.oneof(
  fc.constantFrom(...marks),
  fc.constantFrom(...scripts.map(utf8)),
  fc.constantFrom(...brokenBytes),
  fc.constantFrom(...whites),
  fc.uint8Array({ minLength: 1, maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);

const insertion = fc
  .tuple(inserted, part, fc.constantFrom(1, 1, 1, 2, 3, 17, 400), fc.boolean())
  .map(([what, place, times, isAtLine]) =>
    ofText((text) => {
      const offset = at(text.length, place);
      const start = isAtLine ? text.lastIndexOf('\n', offset) + 1 : offset;
      return text.slice(0, start) + what.repeat(times) + text.slice(start);
    }),
  );

const brackets = [
  ...[
    ['(', ')'],
    ['{', '}'],
    ['[', ']'],
    ['<div>', '</div>'],
    ['/*', '*/'],
    ['`${', '}`'],
    ['<', '>'],
  ],
  // Unclosed constructs.
  ...[['{-'], ['(*'], ['<%'], ['\\{'], ['<<A\n']],
];
const nesting = fc
  .tuple(fc.constantFrom(...brackets), part, fc.constantFrom(30, 3_000))
  .map(([[opener, closer = ''], place, depth]) =>
    ofText((text) => {
      const offset = at(text.length, place);
      return text.slice(0, offset) + opener.repeat(depth) + text.slice(offset) + closer.repeat(depth);
    }),
  );

const truncation = fc.tuple(part, fc.boolean()).map(([place, isFirst]): Mutation => {
  return (bytes) => (isFirst ? bytes.subarray(at(bytes.length, place)) : bytes.subarray(0, at(bytes.length, place)));
});

/** Removes, duplicates, or moves a range of bytes or lines. */
const stretch = fc
  .tuple(fc.constantFrom('removed', 'doubled', 'moved', 'reversed'), part, part, part, fc.boolean())
  .map(([what, x, y, to, isOfLines]) => {
    const change = <Item>(items: Item[]): Item[] => {
      const [start, end] = [x, y].sort((a, b) => a - b).map((place) => at(items.length, place));
      const taken = items.slice(start, end);
      const rest = [...items.slice(0, start), ...items.slice(end)];
      const place = at(rest.length, to);
      if (what === 'removed') return rest;
      if (what === 'doubled') return [...items.slice(0, end), ...taken, ...items.slice(end)];
      return [...rest.slice(0, place), ...(what === 'reversed' ? taken.reverse() : taken), ...rest.slice(place)];
    };
    return isOfLines ? ofLines(change) : ofText((text) => change([...text]).join(''));
  });

const noise = fc
  .array(fc.tuple(part, fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 })
  .map((changes): Mutation => {
    return (bytes) => {
      const changed = Buffer.from(bytes);
      if (changed.length > 0) for (const [place, byte] of changes) changed[at(changed.length, place)] = byte;
      return changed;
    };
  });

const lineEnds = fc
  .constantFrom('\r\n', '\r', '\n\r', '\n\n', '\n \n', ' ', ' \\\n', '\u2028', '\n\t', '\n> ', '\n * ', '\n// ')
  .map((end) => ofText((text) => text.replaceAll('\n', utf8(end))));

const mixedLineEnds = fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 2, maxLength: 7 }).map((ends) =>
  ofText((text) => {
    let count = 0;
    return text.replaceAll('\n', () => ends[count++ % ends.length]);
  }),
);

const encoding = fc.constantFrom<Mutation>(
  (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le'),
  (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le').swap16(),
  (bytes) => Buffer.concat([Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le'), Buffer.of(0x3d)]),
  (bytes) => Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), bytes]),
  (bytes) => Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf), bytes]),
  (bytes) => Buffer.from(bytes.toString('utf8'), 'latin1'),
  (bytes) => Buffer.from(bytes.toString('latin1'), 'utf8'),
);

/** Replaces each n-th word by another script. */
const otherScript = fc.tuple(fc.constantFrom(...scripts), fc.integer({ min: 1, max: 9 })).map(([script, every]) => {
  let count = 0;
  return ofText((text) => text.replaceAll(/\b[a-z]{4,}\b/g, (word) => (count++ % every === 0 ? utf8(script) : word)));
});

/** Renames names consistently, as when a copy is adapted. */
const renaming = fc
  .integer({ min: 1, max: 5 })
  .map((every) =>
    ofText((text) => text.replaceAll(/\b[a-z]\w{3,}\b/gi, (name) => (name.length % every === 0 ? `${name}X` : name))),
  );

const wrapping = fc
  .constantFrom<readonly [string, string]>(
    ['```ts\n', '\n```\n'],
    ['Some text.\n\n```\n', ''],
    ['<script>\n', '</script>\n<p>x</p>'],
    ['<?php\n', '\n?>\n'],
    ['<% ', ' %>'],
    ['/*\n', '\n*/\n'],
    ['"', '"'],
    ['---\n', '---\n'],
    ['#if 0\n', '#endif\n'],
  )
  .map(([before, behind]) => ofText((text) => before + text + behind));

/** Repeats the text, up to some hundred lines. */
const repetition = fc.integer({ min: 2, max: 5 }).map((times) => ofText((text) => text.slice(0, 8_000).repeat(times)));

export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 6, arbitrary: insertion },
  { weight: 1, arbitrary: nesting },
  { weight: 2, arbitrary: truncation },
  { weight: 5, arbitrary: stretch },
  { weight: 2, arbitrary: noise },
  { weight: 1, arbitrary: lineEnds },
  { weight: 1, arbitrary: mixedLineEnds },
  { weight: 1, arbitrary: encoding },
  { weight: 2, arbitrary: otherScript },
  { weight: 2, arbitrary: renaming },
  { weight: 1, arbitrary: wrapping },
  { weight: 1, arbitrary: repetition },
);
