/** Declarations of a file: signatures, bodies, and names. */
import assert from 'node:assert/strict';
import { declarationNamed, declarationsIn, hasBody } from '../../src/presentation/wording/declarations.ts';

suite('declarations', () => {
  const signatureOf = (...lines: readonly string[]): string | undefined => declarationsIn(lines)[0]?.signature;

  test('have a signature with the complete type of the result', () => {
    const body = ['  return load(path);', '}'];
    assert.equal(
      signatureOf('export async function read(path: string): Promise<{', '  text: string;', '}> {', ...body),
      'function read(path: string): Promise<{ text: string; }>',
    );
    assert.equal(
      signatureOf('function read(path: string):', '    {text: string}[] {', ...body),
      'function read(path: string): {text: string}[]',
    );
    assert.equal(
      signatureOf('function read(', '  path: string,', '): { text: string } | {', '  problem: string;', '} {', ...body),
      'function read( path: string, ): { text: string } | { problem: string; }',
    );
    assert.equal(signatureOf('def read(path):', '    return load(path)'), 'def read(path)');
    const parameter = ['  icon,', '  ...rest'];
    assert.equal(
      signatureOf('export const Item = ({', ...parameter, '}: ItemProps) => {', ...body),
      'const Item = ({ icon, ...rest }: ItemProps)',
    );
    assert.equal(
      signatureOf('function Item({', ...parameter, '}: ItemProps): Element {', ...body),
      'function Item({ icon, ...rest }: ItemProps): Element',
    );
    assert.equal(signatureOf('const action = register({', '  name: "a",', '});'), 'const action = register(');
  });

  const calendar = [
    'export function parse(',
    '  text: string,',
    '  compare: (a: Day, b: Day) => number,',
    '): Day;',
    'export function parse(',
    '  text: readonly string[],',
    '): Day[];',
    'export function parse(text: string | readonly string[]): Day | Day[] {',
    '  return [text].flat().map(dayOf);',
    '}',
    'class Calendar {',
    '  parse(text: string): Day {',
    '    return this.days.get(text);',
    '  }',
    '}',
    'class Clock {',
    '  parse(text: string): Time {',
    '    return this.times.get(text);',
    '  }',
    '}',
    'const short = (text: string): string =>',
    '  text.slice(0, 3);',
  ];

  test('have a body unless they are overload signatures', () => {
    const all = declarationsIn(calendar).filter(({ signature }) => signature.includes('('));
    assert.deepEqual(
      all.map((one) => [one.startLine, hasBody(one, calendar)]),
      [
        [1, false],
        [5, false],
        [8, true],
        [12, true],
        [17, true],
        [21, true],
      ],
    );
  });

  test('are found by their name, by the name of their class, and with their body', () => {
    const found = (name: string, lines: readonly string[] = calendar): unknown => {
      const one = declarationNamed('src/a.ts', lines, name);
      return 'problem' in one ? one.problem : one.startLine;
    };
    assert.equal(found('parse'), 'src/a.ts has 3 declarations parse; specify the lines of one: 8-10, 12-14, 17-19.');
    assert.equal(found('Calendar.parse'), 12);
    assert.equal(found('Clock#parse'), 17);
    assert.equal(
      found('Other.parse'),
      'src/a.ts has no declaration Other.parse; it has parse, Calendar, Clock, short.',
    );
    assert.equal(found('Clok'), 'src/a.ts has no declaration Clok; it has parse, Calendar, Clock, short.');
    assert.equal(found('calend'), 'src/a.ts has no declaration calend; it has Calendar, parse, Clock, short.');
    assert.equal(found('short'), 21);
    assert.equal(
      found('parse', calendar.slice(0, 7)),
      'src/a.ts has 2 declarations parse; specify the lines of one: 1-4, 5-7.',
    );
    assert.equal(found('parse', []), 'src/a.ts has no declaration parse; specify its lines.');
  });
});
