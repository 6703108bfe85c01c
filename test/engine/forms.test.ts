/**
 * Listings that are alike only after abstraction are not reported. Exact copies of the same listings are, and so is
 * logic in which every name was changed. One suite for each class of listing, in the languages that have it.
 */
import assert from 'node:assert/strict';
import { groupsOf } from './corpusOf.ts';

/** Words of a listing, different for each seed. */
type Words = (n: number) => string;

/** Texts of one listing by the ending of their file. */
type Listing = Readonly<Record<string, (word: Words) => string>>;

const syllables = ['ka', 'lo', 'mi', 'nu', 're', 'so', 'ti', 'va', 'xe', 'zu'];

function wordsOf(seed: number): Words {
  return (n) => {
    const mixed = ((n + 1) * 7919 + seed * 104_729) % 10_000;
    return [1000, 100, 10, 1].map((unit) => syllables[Math.floor(mixed / unit) % 10]).join('');
  };
}

function capital(word: string): string {
  return `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`;
}

function rows(count: number, row: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => row(i)).join('\n');
}

/** Returns a type that depends on a word of the listing, so that two listings have types in different orders. */
function typeOf(word: string, types: readonly string[]): string {
  return types[(word.charCodeAt(1) + word.charCodeAt(3) + word.charCodeAt(5)) % types.length] ?? '';
}

/** Returns a number below 1,000 that depends on a word. */
function numberOf(word: string): number {
  return [...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7);
}

const javaTypes = ['int', 'long', 'String', 'boolean'];

const getters: Listing = {
  java: (word) =>
    `class ${capital(word(90))} {\n${rows(9, (i) => `  public ${typeOf(word(i), javaTypes)} get${capital(word(i))}() {\n    return ${word(i)};\n  }\n`)}}\n`,
  ts: (word) =>
    `class ${capital(word(90))} {\n${rows(9, (i) => `  get ${word(i)}(): ${typeOf(word(i), ['number', 'string', 'boolean'])} {\n    return this.#${word(i)};\n  }\n`)}}\n`,
  cs: (word) =>
    `class ${capital(word(90))} {\n${rows(9, (i) => `  public ${typeOf(word(i), javaTypes)} ${capital(word(i))}() {\n    return this.${word(i)};\n  }\n`)}}\n`,
  go: (word) =>
    rows(
      9,
      (i) =>
        `func (r *${capital(word(90))}) ${capital(word(i))}() ${typeOf(word(i), ['int', 'string', 'bool'])} {\n\treturn r.${word(i)}\n}\n`,
    ),
  py: (word) =>
    `class ${capital(word(90))}:\n${rows(9, (i) => `    @property\n    def ${word(i)}(self):\n        return self._${word(i)}\n`)}`,
};

const setters: Listing = {
  java: (word) =>
    `class ${capital(word(90))} {\n${rows(8, (i) => `  public void set${capital(word(i))}(${typeOf(word(i), javaTypes)} ${word(i)}) {\n    this.${word(i)} = ${word(i)};\n  }\n`)}}\n`,
  ts: (word) =>
    `class ${capital(word(90))} {\n${rows(8, (i) => `  set ${word(i)}(value: ${typeOf(word(i), ['number', 'string', 'boolean'])}) {\n    this.#${word(i)} = value;\n  }\n`)}}\n`,
  go: (word) =>
    rows(
      8,
      (i) =>
        `func (r *${capital(word(90))}) Set${capital(word(i))}(value ${typeOf(word(i), ['int', 'string', 'bool'])}) {\n\tr.${word(i)} = value\n}\n`,
    ),
  py: (word) =>
    `class ${capital(word(90))}:\n${rows(8, (i) => `    def set_${word(i)}(self, value):\n        self._${word(i)} = value\n        return self\n`)}`,
};

const delegates: Listing = {
  java: (word) =>
    `class ${capital(word(90))} {\n${rows(8, (i) => `  public ${typeOf(word(i), javaTypes)} ${word(i)}(${typeOf(word(i + 20), javaTypes)} ${word(i + 40)}) {\n    return ${word(91)}.${word(i)}(${word(i + 40)});\n  }\n`)}}\n`,
  ts: (word) =>
    `class ${capital(word(90))} {\n${rows(8, (i) => `  ${word(i)}(${word(i + 40)}: ${typeOf(word(i), ['number', 'string'])}): void {\n    this.${word(91)}.${word(i)}(${word(i + 40)});\n  }\n`)}}\n`,
  go: (word) =>
    rows(
      8,
      (i) =>
        `func (r *${capital(word(90))}) ${capital(word(i))}(${word(i + 40)} int) error {\n\treturn r.${word(91)}.${capital(word(i))}(${word(i + 40)})\n}\n`,
    ),
  cpp: (word) =>
    rows(
      8,
      (i) =>
        `int ${capital(word(90))}::${word(i)}(int ${word(i + 40)}) const {\n  return ${word(91)}->${word(i)}(${word(i + 40)});\n}\n`,
    ),
};

const builders: Listing = {
  java: (word) =>
    `return ${capital(word(90))}.builder()\n${rows(14, (i) => `    .${word(i)}(${word(i + 40)}.get${capital(word(i))}())`)}\n    .build();\n`,
  ts: (word) =>
    `${capital(word(90))}.${word(91)} = {\n${rows(22, (i) => `  ${word(i)}: ${word(i + 40)}.${word(i)},`)}\n};\n`,
};

const cases: Listing = {
  java: (word) =>
    `switch (${word(90)}) {\n${rows(12, (i) => `  case ${word(i).toUpperCase()}:\n    return "${word(i + 40)}";`)}\n  default:\n    return null;\n}\n`,
  ts: (word) =>
    `switch (${word(90)}) {\n${rows(12, (i) => `  case ${capital(word(91))}.${word(i)}:\n    return ${word(i + 40)}();`)}\n}\n`,
  c: (word) =>
    `switch (${word(90)}) {\n${rows(14, (i) => `  case ${word(i).toUpperCase()}:\n    ${word(i + 40)}(${word(91)});\n    break;`)}\n}\n`,
  go: (word) =>
    `switch ${word(90)} {\n${rows(14, (i) => `case ${capital(word(i))}:\n\treturn "${word(i + 40)}"`)}\n}\n`,
};

const members: Listing = {
  java: (word) =>
    `enum ${capital(word(90))} {\n${rows(16, (i) => `  ${word(i).toUpperCase()}("${word(i + 40)}", ${numberOf(word(i))}),`)}\n}\n`,
  ts: (word) =>
    `export enum ${capital(word(90))} {\n${rows(24, (i) => `  ${capital(word(i))} = '${word(i + 40)}',`)}\n}\n`,
  c: (word) =>
    `enum ${word(90)} {\n${rows(24, (i) => `  ${word(i).toUpperCase()} = 0x${numberOf(word(i)).toString(16)},`)}\n};\n`,
  py: (word) =>
    `class ${capital(word(90))}(Enum):\n${rows(24, (i) => `    ${word(i).toUpperCase()} = "${word(i + 40)}"`)}\n`,
  rs: (word) =>
    `pub enum ${capital(word(90))} {\n${rows(24, (i) => `    ${capital(word(i))}(${capital(word(i + 40))}),`)}\n}\n`,
};

const tables: Listing = {
  go: (word) =>
    `var ${word(90)} = []struct{ in, out string }{\n${rows(16, (i) => `\t{"${word(i)}", "${word(i + 40)}", ${numberOf(word(i))}},`)}\n}\n`,
  ts: (word) => `test.each([\n${rows(16, (i) => `  ['${word(i)}', ${numberOf(word(i))}, '${word(i + 40)}'],`)}\n]);\n`,
  py: (word) =>
    `@pytest.mark.parametrize("a,b", [\n${rows(16, (i) => `    ("${word(i)}", ${numberOf(word(i))}, "${word(i + 40)}"),`)}\n])\n`,
  java: (word) =>
    `Object[][] ${word(90)} = {\n${rows(16, (i) => `  { "${word(i)}", ${numberOf(word(i))}, "${word(i + 40)}" },`)}\n};\n`,
};

const arrays: Listing = Object.fromEntries(
  Object.entries({
    c: ['static const int', '[] = {', '};'],
    java: ['static final int[]', ' = {', '};'],
    ts: ['const', ' = [', '];'],
    py: ['', ' = [', ']'],
    go: ['var', ' = []int{', '}'],
  }).map(([language, [head = '', opener = '', closer = '']]) => [
    language,
    (word) =>
      `${head} ${word(90)}${opener}\n${rows(8, (i) => `  ${Array.from({ length: 8 }, (_, j) => numberOf(word(i * 8 + j))).join(', ')},`)}\n${closer}\n`,
  ]),
);

const listings: Readonly<Record<string, Listing>> = {
  getters,
  setters,
  delegates,
  builders,
  'switch cases': cases,
  'enum members': members,
  'rows of test tables': tables,
  'arrays of numbers': arrays,
};

for (const [name, listing] of Object.entries(listings)) {
  suite(`forms: ${name}`, () => {
    for (const [language, text] of Object.entries(listing)) {
      test(`are not reported in .${language} if they have the same shape and different words`, () => {
        const other = text(wordsOf(5));
        assert.deepEqual(groupsOf({ [`a.${language}`]: text(wordsOf(2)), [`b.${language}`]: other }), []);
      });
      test(`are reported in .${language} if copied exactly`, () => {
        const copied = text(wordsOf(2));
        const [group, more] = groupsOf({ [`a.${language}`]: copied, [`b.${language}`]: copied });
        assert.equal(group?.type, 'exact');
        assert.equal(more, undefined);
      });
    }
  });
}

/** Functions whose statements all differ, with few names. */
const logic: Listing = {
  java: (word) => `int ${word(0)}(List<${capital(word(1))}> ${word(2)}, int ${word(3)}) {
  int ${word(4)} = 0;
  for (${capital(word(1))} ${word(5)} : ${word(2)}) {
    if (${word(5)}.${word(6)} == null || ${word(4)} > ${word(3)} * 2) continue;
    ${word(4)} += ${word(5)}.${word(6)}.${word(7)}(${word(3)} - ${word(4)});
    while (${word(4)} % ${word(3)} != 0) ${word(4)}--;
  }
  return ${word(4)} < 0 ? -${word(4)} : ${word(4)};
}
`,
  ts: (word) => `function ${word(0)}(${word(2)}: ${capital(word(1))}[], ${word(3)}: number): number {
  let ${word(4)} = 0;
  for (const ${word(5)} of ${word(2)}) {
    if (!${word(5)}.${word(6)} || ${word(4)} > ${word(3)} * 2) continue;
    ${word(4)} += ${word(5)}.${word(6)}.${word(7)}(${word(3)} - ${word(4)});
    while (${word(4)} % ${word(3)} !== 0) ${word(4)}--;
  }
  return ${word(4)} < 0 ? -${word(4)} : ${word(4)};
}
`,
  py: (word) => `def ${word(0)}(${word(2)}, ${word(3)}):
    ${word(4)} = 0
    for ${word(5)} in ${word(2)}:
        if ${word(5)}.${word(6)} is None or ${word(4)} > ${word(3)} * 2:
            continue
        ${word(4)} += ${word(5)}.${word(6)}.${word(7)}(${word(3)} - ${word(4)})
        while ${word(4)} % ${word(3)} != 0:
            ${word(4)} -= ${word(5)}.${word(8)}[${word(4)}]
    return -${word(4)} if ${word(4)} < 0 else ${word(4)}
`,
  go: (word) => `func ${word(0)}(${word(2)} []${capital(word(1))}, ${word(3)} int) int {
	${word(4)} := 0
	for _, ${word(5)} := range ${word(2)} {
		if ${word(5)}.${word(6)} == nil || ${word(4)} > ${word(3)}*2 {
			continue
		}
		${word(4)} += ${word(5)}.${word(6)}.${word(7)}(${word(3)} - ${word(4)})
		for ${word(4)}%${word(3)} != 0 {
			${word(4)}--
		}
	}
	return ${word(4)}
}
`,
};

suite('forms: logic', () => {
  for (const [language, text] of Object.entries(logic)) {
    test(`is reported in .${language} if every name was changed`, () => {
      const [group] = groupsOf({ [`a.${language}`]: text(wordsOf(2)), [`b.${language}`]: text(wordsOf(5)) });
      assert.equal(group?.type, 'renamed');
    });
  }
  test('is reported as a short copy if the minimum size is low', () => {
    const text =
      'if (kalo > miru) {\n  nure(soti, vaxe);\n  return zuka - lomi;\n}\nwhile (rexe.tinu) {\n  soka += 17 * remi;\n}\n';
    const [group] = groupsOf({ 'a.ts': text, 'b.ts': `other();\n${text}` }, { minTokens: 30 });
    assert.equal(group?.type, 'exact');
  });
});
