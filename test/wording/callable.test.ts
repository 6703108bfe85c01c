/** Functions that other files can call, by language. */
import assert from 'node:assert/strict';
import { lexiconForPath } from '../../src/core/engine/languages/allLexicons.ts';
import { hasOwnName, isCallable } from '../../src/presentation/wording/callable.ts';
import { declarationsIn } from '../../src/presentation/wording/declarations.ts';

/** Asserts which functions of a file other files can call. */
function check(path: string, text: string, expected: readonly string[]): void {
  const lines = text.split('\n');
  const { id: language } = lexiconForPath(path);
  const all = declarationsIn(lines).filter(({ signature }) => signature.includes('('));
  const callable = all.filter((one) => isCallable({ ...one, path, language }, lines));
  assert.deepEqual(
    callable.map(({ name }) => name.replace(/^.*[.:]/, '')),
    expected,
  );
  assert.ok(all.length > expected.length, 'the text has a function that cannot be called');
}

suite('functions that can be called', () => {
  test('are exported from modules', () => {
    const functions = ['one', 'two', 'three'].map((name) => `function ${name}() {\n  return 1;\n}\n`);
    check('a.ts', `export ${functions[0]}${functions[1]}`, ['one']);
    check('a.ts', `${functions.join('')}export { one, two as zwei };\n`, ['one', 'two']);
    check('a.ts', `${functions.join('')}export default three;\n`, ['three']);
    check('a.js', `${functions.join('')}module.exports = {\n  one,\n  three,\n};\n`, ['one', 'three']);
    check('a.js', `exports.x = require('y');\n${functions[0]}exports.two = two;\n${functions[1]}`, ['two']);
    check('a.js', `const a = require('a');\n${functions[0]}`, []);
  });

  test('are global in scripts without modules, and not methods', () => {
    check('a.js', 'function one() {\n  return 1;\n}\nclass A {\n  two() {\n    return 2;\n  }\n}\n', ['one']);
  });

  test('have a body', () => {
    const overload = 'export function on(\n  type: string,\n): () => void;\n';
    check('a.ts', `${overload}export function on(\n  type: any,\n): () => void {\n  return off;\n}\n`, ['on']);
  });

  test('are static methods of exported classes, unless they are private', () => {
    const methods = '  static one() {\n    return 1;\n  }\n  private static two() {\n    return 2;\n  }\n';
    check('a.ts', `export class A {\n${methods}}\n`, ['one']);
    check('a.ts', `class A {\n${methods}}\nexport {};\n`, []);
    check('A.java', `class A {\n${methods.replaceAll('static', 'static int')}}\n`, ['one']);
  });

  test('are exported functions of Go packages, and not methods', () => {
    const text = 'func Parse(a int) int {\n\treturn 1\n}\nfunc parse(a int) int {\n\treturn 1\n}\n';
    check('a.go', `package a\n${text}func (p *P) Parse(a int) int {\n\treturn 1\n}\n`, ['Parse']);
    check('a.go', `package main\n${text}`, []);
  });

  test('are public in other languages', () => {
    check('a.rs', 'pub fn one(a: u8) -> u8 {\n    1\n}\nfn two(a: u8) -> u8 {\n    1\n}\n', ['one']);
    check('a.c', 'int one(int a) {\n  return 1;\n}\nstatic int two(int a) {\n  return 1;\n}\n', ['one']);
    check('a.cpp', 'int one(int a) {\n  return 1;\n}\nint A::two(int a) {\n  return 1;\n}\n', ['one']);
    check('a.py', 'def one(a):\n    return 1\n\ndef _two(a):\n    return 1\n', ['one']);
    check('a.kt', 'fun one(a: Int): Int {\n  return 1\n}\nprivate fun two(a: Int): Int {\n  return 1\n}\n', ['one']);
  });

  test('in a header may be static', () => {
    const text =
      'static inline int one(int a) {\n  return 1;\n}\nstruct A {\n  int two(int a) {\n    return 1;\n  }\n};\n';
    check('a.h', text, ['one']);
  });
});

suite('names of functions', () => {
  test('are their own unless a language, a framework, or a test runner prescribes them', () => {
    for (const name of ['parseDay', 'A.parseDay', 'valid?', 'testify', 'Tester']) assert.ok(hasOwnName({ name }), name);
    for (const name of [
      ...[
        'render',
        'App.componentDidMount',
        'setUp',
        'toString',
        'main',
        'constructor',
        '__init__',
        'getServerSideProps',
        'void',
      ],
      ...['test_parse', 'testParse', 'TestParse', 'BenchmarkParse', 'RedisModule_OnLoad', 'GET', '"quoted"'],
    ]) {
      assert.ok(!hasOwnName({ name }), name);
    }
  });
});
