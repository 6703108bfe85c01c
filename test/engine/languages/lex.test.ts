/** Examples for the lexer: the difficult tokens of each language. */
import assert from 'node:assert/strict';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { lexFile, lexParts, writtenTokens } from '../lexing.ts';

/** Checks the tokens of a text, written `kind:text` with a one-character mark of the kind. See `writtenTokens`. */
function check(name: string, text: string, expected: string, imports = false): void {
  assert.equal(writtenTokens(lexFile(name, text, { imports }).tokens), expected);
}

suite('lex: TypeScript', () => {
  test('words, calls, numbers, and operators', () => {
    check(
      'a.ts',
      'if (a >= 0x1F) b.c(1.5e-3, .5) // d',
      'k:if ⏐ ( ⏐ a ⏐ >= ⏐ n:0x1F ⏐ ) ⏐ b ⏐ . ⏐ c:c ⏐ ( ⏐ n:1.5e-3 ⏐ , ⏐ n:.5 ⏐ )',
    );
  });
  test('a slash after a value is a division, elsewhere it begins a regular expression', () => {
    check(
      'a.ts',
      'a / b / c; x = /[/"]\\/"/g.test(s)',
      'a ⏐ / ⏐ b ⏐ / ⏐ c ⏐ ; ⏐ x ⏐ = ⏐ s:/[/"]\\/"/g ⏐ . ⏐ c:test ⏐ ( ⏐ s ⏐ )',
    );
    check('a.ts', 'return /"/', 'k:return ⏐ s:/"/');
    check('a.ts', 'this / 2 / 3', 'k:this ⏐ / ⏐ n:2 ⏐ / ⏐ n:3');
    check('a.ts', 'f(/>/)', 'c:f ⏐ ( ⏐ s:/>/ ⏐ )');
  });
  test('a template literal may contain code with template literals', () => {
    check('a.ts', 'a = `x${b(`"}`)}y` + c', 'a ⏐ = ⏐ s:`x${b(`"}`)}y` ⏐ + ⏐ c');
  });
  test('a multiline literal is split into words', () => {
    check('a.ts', 'a = `one two\n  three`;', 'a ⏐ = ⏐ s:one ⏐ s:two ⏐ s:three ⏐ ;');
  });
  test('code in a long template is lexed as code', () => {
    check(
      'a.ts',
      'a = `one\n${b.map(c => `two ${/`"/.test(d)}\n`)} ${"x"}`;',
      'a ⏐ = ⏐ s:one ⏐ ${ ⏐ b ⏐ . ⏐ c:map ⏐ ( ⏐ c ⏐ => ⏐ s:two ⏐ ${ ⏐ s:/`"/ ⏐ . ⏐ c:test ⏐ ( ⏐ d ⏐ ) ⏐ } ⏐ ) ⏐ } ⏐ ${ ⏐ s:"x" ⏐ } ⏐ ;',
    );
  });
  test('an unterminated string ends with its line', () => {
    check('a.ts', "a = 'b\nc = 'd'", "a ⏐ = ⏐ s:'b ⏐ c ⏐ = ⏐ s:'d'");
  });
  test('imports have no tokens', () => {
    check('a.ts', "import a, {\n  b,\n} from 'c';\nimport 'd'\nd()", 'c:d ⏐ ( ⏐ )');
    check('a.ts', "export { a } from 'b';\nexport * from 'c'\nexport const d = 1", 'k:export ⏐ k:const ⏐ d ⏐ = ⏐ n:1');
    check('a.js', "const a = require('a'), { b } = require('b').c;\nconst d = 1;", 'k:const ⏐ d ⏐ = ⏐ n:1 ⏐ ;');
    check('a.ts', "import('a'); import.meta", "k:import ⏐ ( ⏐ s:'a' ⏐ ) ⏐ ; ⏐ k:import ⏐ . ⏐ meta");
    check('a.ts', "import 'd'", "k:import ⏐ s:'d'", true);
  });
  test('JSX tags do not begin regular expressions', () => {
    check('a.tsx', '<a b={c} /></a><d></d>', '< ⏐ a ⏐ b ⏐ = ⏐ { ⏐ c ⏐ } ⏐ / ⏐ > ⏐ </ ⏐ a ⏐ > ⏐ < ⏐ d ⏐ > ⏐ </ ⏐ d ⏐ >');
  });
});

suite('lex: Python', () => {
  test('docstrings are comments, other strings are not', () => {
    check(
      'a.py',
      '"""Module."""\ndef f():\n    """Doc\n    more."""\n    return "a"',
      'k:def ⏐ c:f ⏐ ( ⏐ ) ⏐ : ⏐ k:return ⏐ s:"a"',
    );
    check('a.py', 'f(\n    """a b"""\n)', 'c:f ⏐ ( ⏐ s:"""a b""" ⏐ )');
  });
  test('prefixes are part of their strings', () => {
    check('a.py', `Rb"\\\\" + f'{a["b"]}' + r'x' + bar`, `s:Rb"\\\\" ⏐ + ⏐ s:f'{a["b"]}' ⏐ + ⏐ s:r'x' ⏐ + ⏐ bar`);
  });
  test('imports have no tokens', () => {
    check('a.py', 'from a import (\n  b,\n  c)\nimport d, \\\n  e\nf = 1', 'f ⏐ = ⏐ n:1');
  });
});

suite('lex: Elixir', () => {
  test('documentation is a comment, other strings and attributes are not', () => {
    const text = `@moduledoc ~S"""
  One two.
      iex> "three"
  """
@doc since: "1.0"
@doc "Four."
@doc """
Five #{"six"} seven.
"""
def f, do: """
  eight nine
  """
@limit 4
`;
    check('a.ex', text, 'k:def ⏐ f ⏐ , ⏐ k:do ⏐ : ⏐ s:eight ⏐ s:nine ⏐ @limit ⏐ n:4');
  });
  test('documentation ends with the string that begins on its line', () => {
    const texts = [
      '@doc("""\none\n""")\nf',
      '@doc deprecated: """\none\n"""\nf',
      '@doc "one\ntwo"\nf',
      '@doc ~S(one\ntwo)\nf',
      '@doc "one" # isn\'t "two\nf',
    ];
    for (const text of texts) check('a.ex', text, text.includes('("""') ? ') ⏐ f' : 'f');
  });
});

suite('lex: Java, Go, C, C++', () => {
  test('a text block is split into words', () => {
    check('a.java', 'package a.b;\nimport c.*;\nString s = """\n  "a" b\n  """;', 'String ⏐ s ⏐ = ⏐ s:a ⏐ s:b ⏐ ;');
  });
  test('Go imports in parentheses', () => {
    check(
      'a.go',
      'package a\n\nimport (\n\t"b"\n\tc "d"\n)\n\nvar e <-chan int = `"`',
      'k:var ⏐ e ⏐ <- ⏐ k:chan ⏐ int ⏐ = ⏐ s:`"`',
    );
  });
  test('C: includes, continued lines, and characters', () => {
    check(
      'a.c',
      "#include <a.h>\n#  include \"b.h\"\n#define A(x) \\\n  '\\'' // b \\\n  c\nd",
      "# ⏐ k:define ⏐ c:A ⏐ ( ⏐ x ⏐ ) ⏐ s:'\\'' ⏐ d",
    );
    check('a.c', 'include(a)', 'c:include ⏐ ( ⏐ a ⏐ )');
  });
  test('C++: raw strings, digit separators, and using', () => {
    check(
      'a.cpp',
      'using namespace std;\nusing A = B;\nauto s = R"x(a)"b)x" + 1\'000;',
      'k:using ⏐ A ⏐ = ⏐ B ⏐ ; ⏐ k:auto ⏐ s ⏐ = ⏐ s:R"x(a)"b)x" ⏐ + ⏐ n:1\'000 ⏐ ;',
    );
  });
});

suite('lex: strings', () => {
  const words = (name: string, text: string): number[] => lexFile(name, text).tokens.map(({ word }) => word);
  test('the type of quotes is ignored if it has no meaning', () => {
    assert.deepEqual(words('a.ts', "'a b'"), words('a.ts', '"a b"'));
    assert.deepEqual(words('a.py', "'''a''' + u'b'"), words('a.py', '"a" + "b"'));
  });
  test('raw and other strings differ', () => {
    assert.notDeepEqual(words('a.py', String.raw`x = r"\n"`), words('a.py', String.raw`x = "\n"`));
    assert.notDeepEqual(words('a.py', 'x = f"{a}"'), words('a.py', 'x = "{a}"'));
  });
  test('the words of long strings do not depend on the quotes', () => {
    const text = 'one two\nthree';
    const python = words('a.py', `x = '''${text}'''`);
    for (const prefix of ['r', 'b', 'f']) assert.deepEqual(words('a.py', `x = ${prefix}'''${text}'''`), python);
    assert.deepEqual(words('a.ts', `x = \`${text}\``), python);
    assert.deepEqual(words('a.rs', `x = r#"${text}"#`), python);
    assert.deepEqual(words('a.rs', `x = "${text}"`), python);
  });
  test('holes are enclosed in the same brackets as code', () => {
    const python = words('a.py', `x = f'''one\n{y}'''`);
    assert.deepEqual(words('a.ts', 'x = `one\n${y}`'), python);
    assert.deepEqual(words('a.rb', 'x = "one\n#{y}"'), python);
    assert.deepEqual(python, [...words('a.py', "x = '''one\n'''"), ...words('a.py', '{y}')]);
    assert.deepEqual(words('a.swift', 'x = """\none\n\\(y)"""').slice(3), words('a.swift', '(y)'));
  });
  test('code in a formatted string is lexed as code, as in other strings', () => {
    const code = Array.from({ length: 6 }, (_, i) => `f(a${i});`).join('\n');
    assert.deepEqual(words('a.py', `x = f'''${code}'''`), words('a.py', `x = ${code}`));
    assert.deepEqual(words('a.cs', `x = $@"${code}"`), words('a.cs', `x = ${code}`));
  });
  test('a string differs from an identifier with the same text', () => {
    assert.notDeepEqual(words('a.ts', 'x.a'), words('a.ts', 'x."a"'));
  });
  test('a string is one token up to 80 bytes, and is split into words beyond that', () => {
    const long = `${'a'.repeat(39)} ${'b'.repeat(40)}`;
    check('a.ts', `'${long}'`, `s:'${long}'`);
    check('a.ts', `'${long}b'`, `s:${'a'.repeat(39)} ⏐ s:${'b'.repeat(41)}`);
  });
  test('text of several lines has signs, and a row of equal signs is one token', () => {
    check('a.py', 'x = """SELECT a.b,\n  c(d)"""', 'x ⏐ = ⏐ s:SELECT ⏐ s:a ⏐ . ⏐ s:b ⏐ , ⏐ s:c ⏐ ( ⏐ s:d ⏐ s:)');
    const row = words('a.py', `x = """a\n${'-'.repeat(70)}\nb"""`);
    assert.deepEqual(row, words('a.py', `x = """a\n${'-'.repeat(4)}\nb"""`));
    assert.equal(row.length, 5);
  });
  test('text on one line has no signs', () => {
    const line = Array.from({ length: 30 }, (_, i) => `w${i}`);
    assert.deepEqual(words('a.py', `x = "${line.join(', ')}"`), words('a.py', `x = "${line.join(' ')}"`));
  });
  test('signs in heredocs and block scalars are tokens', () => {
    check('a.sh', 'cat <<EOF\na=(b)\nEOF', 'cat ⏐ << ⏐ s:a ⏐ = ⏐ ( ⏐ s:b ⏐ s:)');
    check('a.yaml', 'a: |\n  b && c\nd: 1', 'a ⏐ : ⏐ s:b ⏐ && ⏐ s:c ⏐ d ⏐ : ⏐ n:1');
  });
  test('signs in text are not brackets of the code, and quotes and backslashes have no tokens', () => {
    const bracket = lexFile('a.py', 'x = """a (\nb"""').tokens.at(-2);
    assert.deepEqual([bracket?.text, bracket?.kind], ['(', 'operator']);
    assert.deepEqual(words('a.py', 'x = """\\"a\\" \'b\' `c`\n"""'), words('a.py', 'x = """a b c\n"""'));
  });
  test('the first sign on a line and the last one of a text are strings, so a slash behind them divides', () => {
    check('a.ts', 'a = `b\n(c) +` / d / e', 'a ⏐ = ⏐ s:b ⏐ s:( ⏐ s:c ⏐ ) ⏐ s:+ ⏐ / ⏐ d ⏐ / ⏐ e');
  });
  test('a string below a text that ends with a colon is not a comment', () => {
    check('a.py', 'f(\n  """a\n  b:"""\n  """c"""\n)', 'c:f ⏐ ( ⏐ s:a ⏐ s:b ⏐ s:: ⏐ s:"""c""" ⏐ )');
  });
  test('a long string without words is one token', () => {
    check('a.ts', `x('${'-'.repeat(100)}')`, `c:x ⏐ ( ⏐ s:'${'-'.repeat(100)}' ⏐ )`);
  });
  test('long tokens have saturated lengths', () => {
    const [{ length }] = lexFile('a.ts', 'a'.repeat(70_000)).tokens;
    assert.equal(length, 65_535);
  });
});

suite('lex: the shell', () => {
  const brackets = (text: string): string =>
    lexFile('a.sh', text)
      .tokens.filter(({ kind, text }) => kind === 'punctuation' && /[()]/.test(text))
      .map(({ text }) => text)
      .join('');
  test('the bracket after a case pattern closes nothing', () => {
    assert.equal(brackets('case x in a) b;; "c d" | [e-g]*) h ;;i) j;; esac'), '');
    assert.equal(brackets('case x in\n  -a|--b=*)\n  c\n  ;;\n*)\n  d\nesac'), '');
  });
  test('a bracket elsewhere closes', () => {
    assert.equal(brackets('f() { a $(b | c) (d; e); }'), '()()()');
    assert.equal(brackets('a=(b c\n  d e)\nf=$(\n  g || h)'), '()()');
    assert.equal(brackets('case x in (a) b;; esac'), '()');
  });
});

suite('lex: words', () => {
  const words = (name: string, text: string): number[] => lexFile(name, text).tokens.map(({ word }) => word);
  test('are case-sensitive except in SQL', () => {
    assert.notDeepEqual(words('a.ts', 'Select'), words('a.ts', 'select'));
    assert.deepEqual(words('a.sql', 'Select A From b'), words('a.sql', 'SELECT a FROM B'));
    check('a.sql', 'SELECT x', 'k:SELECT ⏐ x');
  });
  test('of any length differ if any byte differs', () => {
    const all = new Set<number>();
    for (let length = 1; length <= 40; length++) {
      for (let at = 0; at < length; at++) {
        all.add(words('a.ts', `${'x'.repeat(at)}y${'x'.repeat(length - at - 1)}`)[0]);
      }
    }
    assert.equal(all.size, (40 * 41) / 2);
  });
  test('contain letters of other scripts', () => {
    check('a.ts', 'größe = Ж中(x)', 'größe ⏐ = ⏐ c:Ж中 ⏐ ( ⏐ x ⏐ )');
  });
  test('do not contain a byte order mark', () => {
    check('a.ts', '\uFEFFimport "a"\nlet', 'k:let');
  });
  test('a name before a parenthesis is a call, with or without blanks', () => {
    check('a.c', 'f (a) + b; if (c)', 'c:f ⏐ ( ⏐ a ⏐ ) ⏐ + ⏐ b ⏐ ; ⏐ k:if ⏐ ( ⏐ c ⏐ )');
  });
  test('operators are as long as possible', () => {
    check(
      'a.ts',
      'a>>>=b!==c?.d??=e=>f...g**=h&&!i',
      'a ⏐ >>>= ⏐ b ⏐ !== ⏐ c ⏐ ?. ⏐ d ⏐ ??= ⏐ e ⏐ => ⏐ f ⏐ ... ⏐ g ⏐ **= ⏐ h ⏐ && ⏐ ! ⏐ i',
    );
  });
  test('numbers include their letters, dots, and signs', () => {
    check('a.c', '1.5e-3f+0xE+1-.5*1..2', 'n:1.5e-3f ⏐ + ⏐ n:0xE ⏐ + ⏐ n:1 ⏐ - ⏐ n:.5 ⏐ * ⏐ n:1 ⏐ .. ⏐ n:2');
  });
  test('a backslash before a line end joins lines', () => {
    check('a.py', 'a = \\\n  b', 'a ⏐ = ⏐ b');
  });
});

suite('lex: comments', () => {
  test('are split into words if comments are read', () => {
    const text = "/* One's\n two */ a = 'b'; // Three\n";
    const bytes = new TextEncoder().encode(text);
    const { tokens, lines } = lexParts(bytes, [{ start: 0, end: bytes.length, lexicon: lexiconForPath('a.ts') }], {
      imports: false,
      comments: true,
    });
    assert.equal(writtenTokens(tokens), "#:One's ⏐ #:two ⏐ a ⏐ = ⏐ s:'b' ⏐ ; ⏐ #:Three");
    assert.deepEqual(
      lines.map(({ line }) => line),
      [0, 1],
    );
  });
});

suite('lex: Haskell', () => {
  test('a quoted character ends on its line, also after a backslash', () => {
    const text = "a = '\\\nb \\' c\nd";
    check('a.hs', text, "a ⏐ = ⏐ ' ⏐ b ⏐ \\ ⏐ ' ⏐ c ⏐ d");
    const { lines, lineEnds } = lexFile('a.hs', text);
    assert.equal(lineEnds, 2);
    assert.deepEqual(
      lines.map(({ lineStart }) => lineStart),
      [0, 7, 14],
    );
  });
});

suite('lex: prose', () => {
  test('marks the first lines of list items, table rows, and comments', () => {
    const text =
      'A line\n- item\n  goes on\n1. first\n12) last\n> * quoted\n| cell |\n<!-- note\nmore -->\n- [x] done\n-no item\n*bold*\n1.5 m\n';
    const { itemLines } = lexFile('a.md', text);
    const items = itemLines.map((line) => text.split('\n')[line]);
    assert.deepEqual(items, ['- item', '1. first', '12) last', '> * quoted', '| cell |', '<!-- note', '- [x] done']);
    assert.deepEqual(lexFile('a.ts', '- 1\n* 2\n').itemLines, []);
  });
  /** Checks that two texts have the same words. */
  function same(name: string, a: string, b: string): void {
    const words = (text: string): number[] => lexFile(name, text).tokens.map(({ word }) => word);
    assert.notEqual(words(a).length, 0);
    assert.deepEqual(words(a), words(b));
  }
  test('words are runs of letters and digits, with apostrophes inside', () => {
    check('a.md', "Don't re-use 'quoted' x2, 3.5!", "w:Don't ⏐ w:re ⏐ w:use ⏐ w:quoted ⏐ w:x2 ⏐ w:3 ⏐ w:5");
  });
  test('markup is ignored', () => {
    same('a.md', '> **One** _two_ `three` ~~four~~ | five | &amp; <b>six</b><br/>', 'One two three four five six');
    same('a.md', '1. one\n2) two\n- [x] three\n* four', 'one\ntwo\nthree\nfour');
    same('a.md', '[one](http://a.b "c") ![two](d) [three][ref]', 'one two three');
    same('a.md', 'one <!-- two\nthree --> four', 'one two three four');
  });
  test('line breaks are ignored', () => {
    same('a.md', 'one two\r\n> three', 'one\n> two three');
  });
  test('case is ignored in every script that has it', () => {
    same('a.txt', 'ÄÖÜ ÉĞŠŸ ΑΒΣ ΆΈΏ ЖЁЯ ԱՖ ẤỲ', 'äöü éğšÿ αβσ άέώ жёя աֆ ấỳ');
    same('a.txt', 'A'.repeat(40) + 'É', 'a'.repeat(40) + 'é');
    same('a.txt', 'λόγος', 'λόγοσ');
  });
  test('all forms of the apostrophe are equal', () => {
    same('a.txt', 'don’t', "don't");
  });
  test('a URL is one token without trailing punctuation', () => {
    check('a.md', 'See https://a.b/c?d=e#f. (<http://g/>)', 'w:See ⏐ w:https://a.b/c?d=e#f ⏐ w:http://g/');
  });
  test('headings are recognized by marks before and below them', () => {
    check('a.md', '## One *two*\nthree\n#four', 'h:One ⏐ h:two ⏐ w:three ⏐ w:four');
    check('a.rst', 'One\n===\n\ntwo\n~~~~\nthree\n-x', 'h:One ⏐ h:two ⏐ w:three ⏐ w:x');
    check('a.tex', '\\section{One} % no\n\\emph{two} \\% three', 'h:One ⏐ w:two ⏐ w:three');
    check('a.tex', 'one \\é two \\𝒳three \\', 'w:one ⏐ w:two ⏐ w:three');
  });
  test('scripts without blanks are split into characters, others into words', () => {
    check(
      'a.txt',
      '中文、かな ไทย 한국어 русский',
      'w:中 ⏐ w:文 ⏐ w:か ⏐ w:な ⏐ w:ไ ⏐ w:ท ⏐ w:ย ⏐ w:한국어 ⏐ w:русский',
    );
  });
  test('punctuation of other scripts and emoji are not words', () => {
    check('a.txt', '«a» — “b”… 😀 c→d\u00A0e', 'w:a ⏐ w:b ⏐ w:c ⏐ w:d ⏐ w:e');
  });
  test('invalid UTF-8 bytes are letters', () => {
    const { tokens } = lexFile('a.txt', Uint8Array.of(97, 0xff, 98, 32, 0xc3));
    assert.deepEqual(
      tokens.map(({ start, length }) => [start, length]),
      [
        [0, 3],
        [4, 1],
      ],
    );
  });
});
