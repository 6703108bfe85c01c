/** Random documents that repeat themselves and each other: functions of a few statements, repeated and edited. */
import fc from 'fast-check';
import type { Documents } from './corpusOf.ts';

const forms: readonly ((name: string) => string)[] = [
  (name) => `const ${name} = read(source, '${name}');`,
  (name) => `if (${name} > limit) throw new RangeError(${name});`,
  (name) => `list.push({ ${name}, count: ${name}.length });`,
  (name) => `expect(parse('${name}')).toEqual([1, '${name}']);`,
  (name) => `this.${name} = options.${name} ?? defaults.${name};`,
  (name) => `log.info(\`${name}\`, total + ${name});`,
  (name) => `case '${name}': return ${name};`,
  (name) => `await store.put(${name}.id, await ${name}.load());`,
];
const names = ['alpha', 'beta', 'gamma', 'delta', 'count', 'first', 'last', 'index'];
const statement = fc
  .tuple(fc.nat(forms.length - 1), fc.nat(names.length - 1))
  .map(([form, name]) => `  ${forms[form](names[name])}`);

/** Body of several pieces: some statements, often repeated. */
const body = fc.array(statement, { minLength: 3, maxLength: 12, size: 'max' });

/** Removal, insertion, or replacement of a line. */
export interface LineEdit {
  readonly type: 'delete' | 'insert' | 'change';
  readonly at: number;
  readonly own: number;
}

export const lineEdit: fc.Arbitrary<LineEdit> = fc.record({
  type: fc.constantFrom('delete', 'insert', 'change'),
  at: fc.nat(40),
  own: fc.nat(99),
});

export function editLine(lines: readonly string[], { type, at, own }: LineEdit): string[] {
  const place = at % Math.max(1, lines.length);
  const line = `  own${own}.call(${own}, "own ${own}");`;
  return [
    ...lines.slice(0, place),
    ...(type === 'delete' ? [] : [line]),
    ...lines.slice(type === 'insert' ? place : place + 1),
  ];
}

const piece = fc.record({
  body: fc.nat(4),
  isFunction: fc.boolean(),
  edits: fc.array(lineEdit, { maxLength: 2 }),
});

export const repeatingDocuments: fc.Arbitrary<Documents> = fc
  .tuple(
    fc.array(body, { minLength: 1, maxLength: 4 }),
    fc.array(fc.array(piece, { minLength: 1, maxLength: 7, size: 'max' }), { minLength: 1, maxLength: 3 }),
  )
  .map(([bodies, documents]) =>
    Object.fromEntries(
      documents.map((pieces, i) => [
        `${'abc'[i]}.ts`,
        pieces
          .map(({ body: place, isFunction, edits }) => {
            const lines = edits.reduce<readonly string[]>(editLine, bodies[place % bodies.length]);
            return (isFunction ? ['function work(source, options) {', ...lines, '}'] : lines).join('\n') + '\n';
          })
          .join('\n'),
      ]),
    ),
  );

const sentences = [
  'The index holds every window of every document and is searched whenever a document changes its text.',
  'When two windows have fingerprints that differ in few bits the passages around them are compared word by word.',
  'A passage that is found in several documents is shown once with all of the places where it was found.',
  'Nothing is reported twice and nothing that was found before is forgotten while the documents stay the same.',
  'What a person reads as one thing is shown as one thing however many documents it has been copied into.',
  'The harbour was rebuilt in the spring after the flood had taken away its northern wall and the lamps.',
];

/** Pages of a few sentences, in paragraphs. */
export const repeatingPages: fc.Arbitrary<Documents> = fc
  .array(
    fc.array(fc.array(fc.constantFrom(...sentences), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
    { minLength: 1, maxLength: 3 },
  )
  .map((pages) =>
    Object.fromEntries(
      pages.map((paragraphs, i) => [`${'abc'[i]}.md`, paragraphs.map((list) => list.join('\n')).join('\n\n') + '\n']),
    ),
  );
