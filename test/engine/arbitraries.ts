/** Generators of texts for property tests. */
import fc from 'fast-check';

/** Characters that open, close, escape, or separate something in some language. */
const marks =
  `" ' \` """ ''' \\ / // /* */ # #{ } \${ { ( ) [ ] {- -} (* *) <!-- --> --- -- --[[ ]] [==[ ]==] r# "# r" R"x( )x" @" "@
  $" <<A <<-A <<< << EOF A <<~'A' = := => == !== ... . , ; : ? ?. % %w[ %q( q{ qq/ s/ tr/ y{ m# ~r/ ~S""" | |- > < </ /> <a <![CDATA[
  ]]> &amp; \`\`\` ~~~ import from package use require( const export #include @import (ns using __END__ REM =begin =end =pod =cut
  0x1F 1.5e-3 .5 1'000 foo bar_baz if return true don't http://a.b/c é ß Ж 中 ไ ’ … ](b) **a** _ 1. - [x] \\section{ $x @y :z
  \\n \\" #_ #" ;`
    .split(/\s+/)
    .filter((mark) => mark !== '');

const white = [' ', '  ', '\t', '\n', '\r\n', '\r', '\n\n', '\n  ', '\n\t', ''];

const encoder = new TextEncoder();

/** Texts that resemble code and consist of awkward characters. */
const awkwardText = fc
  .array(fc.tuple(fc.constantFrom(...marks), fc.constantFrom(...white)), { maxLength: 60 })
  .map((pieces) => encoder.encode(pieces.flat().join('')));

/** Random bytes, mostly invalid UTF-8. */
const anyBytes = fc.uint8Array({ maxLength: 200 });

/** A few distinct bytes, each repeated, because the kernel reads 16 bytes at a time. */
const narrowBytes = fc
  .array(fc.tuple(fc.constantFrom(...encoder.encode(' a"\'\\\n\r/*#{}$`é中')), fc.integer({ min: 1, max: 18 })), {
    maxLength: 12,
  })
  .map((runs) => Uint8Array.from(runs.flatMap(([byte, count]) => new Array<number>(count).fill(byte))));

/** Text of arbitrary bytes, parts of which resemble code. */
export const anyText: fc.Arbitrary<Uint8Array> = fc.oneof(
  { arbitrary: awkwardText, weight: 5 },
  { arbitrary: anyBytes, weight: 1 },
  { arbitrary: narrowBytes, weight: 2 },
);
