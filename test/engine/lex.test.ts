/** The lexer, by examples: for each language the tokens that are easy to get wrong. */
import assert from 'node:assert/strict';
import { lexFile } from './lexing.ts';

/** Checks the tokens of a text, written `kind:text`, one kind's mark for each: see `marks`. */
function check(name: string, text: string, expected: string, imports = false): void {
  const tokens = lexFile(name, text, imports).tokens.map(({ kind, text }) => `${marks[kind]}${text}`);
  assert.equal(tokens.join(' ⏐ '), expected);
}

/** Marks of the kinds; identifiers, operators and punctuation have none, since they show what they are. */
const marks = {
  punctuation: '',
  operator: '',
  identifier: '',
  keyword: 'k:',
  call: 'c:',
  number: 'n:',
  string: 's:',
  word: 'w:',
  heading: 'h:',
  comment: '#:',
} as const;

suite('lex: TypeScript', () => {
  test('words, calls, numbers, operators', () => {
    check(
      'a.ts',
      'if (a >= 0x1F) b.c(1.5e-3, .5) // d',
      'k:if ⏐ ( ⏐ a ⏐ >= ⏐ n:0x1F ⏐ ) ⏐ b ⏐ . ⏐ c:c ⏐ ( ⏐ n:1.5e-3 ⏐ , ⏐ n:.5 ⏐ )',
    );
  });
  test('a slash after a value divides, elsewhere it begins a regular expression', () => {
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
  test('a literal of several lines gives its words', () => {
    check('a.ts', 'a = `one two\n  three`;', 'a ⏐ = ⏐ s:one ⏐ s:two ⏐ s:three ⏐ ;');
  });
  test('code in a long template is code', () => {
    check(
      'a.ts',
      'a = `one\n${b.map(c => `two ${/`"/.test(d)}\n`)} ${"x"}`;',
      'a ⏐ = ⏐ s:one ⏐ ${ ⏐ b ⏐ . ⏐ c:map ⏐ ( ⏐ c ⏐ => ⏐ s:two ⏐ ${ ⏐ s:/`"/ ⏐ . ⏐ c:test ⏐ ( ⏐ d ⏐ ) ⏐ } ⏐ ) ⏐ } ⏐ ${ ⏐ s:"x" ⏐ } ⏐ ;',
    );
  });
  test('an unterminated string ends with its line', () => {
    check('a.ts', "a = 'b\nc = 'd'", "a ⏐ = ⏐ s:'b ⏐ c ⏐ = ⏐ s:'d'");
  });
  test('imports give nothing', () => {
    check('a.ts', "import a, {\n  b,\n} from 'c';\nimport 'd'\nd()", 'c:d ⏐ ( ⏐ )');
    check('a.ts', "export { a } from 'b';\nexport * from 'c'\nexport const d = 1", 'k:export ⏐ k:const ⏐ d ⏐ = ⏐ n:1');
    check('a.js', "const a = require('a'), { b } = require('b').c;\nconst d = 1;", 'k:const ⏐ d ⏐ = ⏐ n:1 ⏐ ;');
    check('a.ts', "import('a'); import.meta", "k:import ⏐ ( ⏐ s:'a' ⏐ ) ⏐ ; ⏐ k:import ⏐ . ⏐ meta");
    check('a.ts', "import 'd'", "k:import ⏐ s:'d'", true);
  });
  test('tags of JSX begin no regular expression', () => {
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
  test('prefixes belong to their strings', () => {
    check('a.py', `Rb"\\\\" + f'{a["b"]}' + r'x' + bar`, `s:Rb"\\\\" ⏐ + ⏐ s:f'{a["b"]}' ⏐ + ⏐ s:r'x' ⏐ + ⏐ bar`);
  });
  test('imports give nothing', () => {
    check('a.py', 'from a import (\n  b,\n  c)\nimport d, \\\n  e\nf = 1', 'f ⏐ = ⏐ n:1');
  });
});

suite('lex: Java, Go, C, C++', () => {
  test('a text block gives its words', () => {
    check('a.java', 'package a.b;\nimport c.*;\nString s = """\n  "a" b\n  """;', 'String ⏐ s ⏐ = ⏐ s:a ⏐ s:b ⏐ ;');
  });
  test('Go imports in brackets', () => {
    check(
      'a.go',
      'package a\n\nimport (\n\t"b"\n\tc "d"\n)\n\nvar e <-chan int = `"`',
      'k:var ⏐ e ⏐ <- ⏐ k:chan ⏐ int ⏐ = ⏐ s:`"`',
    );
  });
  test('C: includes, continued lines, characters', () => {
    check(
      'a.c',
      "#include <a.h>\n#  include \"b.h\"\n#define A(x) \\\n  '\\'' // b \\\n  c\nd",
      "# ⏐ k:define ⏐ c:A ⏐ ( ⏐ x ⏐ ) ⏐ s:'\\'' ⏐ d",
    );
    check('a.c', 'include(a)', 'c:include ⏐ ( ⏐ a ⏐ )');
  });
  test('C++: raw strings, separated digits, using', () => {
    check(
      'a.cpp',
      'using namespace std;\nusing A = B;\nauto s = R"x(a)"b)x" + 1\'000;',
      'k:using ⏐ A ⏐ = ⏐ B ⏐ ; ⏐ k:auto ⏐ s ⏐ = ⏐ s:R"x(a)"b)x" ⏐ + ⏐ n:1\'000 ⏐ ;',
    );
  });
});

suite('lex: prose', () => {
  test('markup and case do not count', () => {
    check('a.md', "# Head line\n**Don't** stop_", "h:Head ⏐ h:line ⏐ w:Don't ⏐ w:stop");
    const [a, b] = [lexFile('a.md', '**Word** _x_'), lexFile('a.txt', 'word X')];
    assert.deepEqual(
      a.tokens.map(({ word }) => word),
      b.tokens.map(({ word }) => word),
    );
  });
});
