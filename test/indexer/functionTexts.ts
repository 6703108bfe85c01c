/** Texts for property tests of data that is reused between two comparisons: few functions, so that most have copies. */
import fc from 'fast-check';

const bodies = [
  ['total = items.sum(price * count)', 'if (total > limit) throw tooMuch(total)', 'tax = round(total * rate)'],
  ['for (entry of read(folder)) {', 'if (isFolder(entry)) queue.push(entry.name)', 'else found.push(entry.path) }'],
  ['answer = fetch(url, headers)', 'if (!answer.ok) throw failed(answer.status)', 'cache.set(url, answer.body)'],
];

/** Bodies of all functions, line by line. */
export const allBodies = bodies.flat().map((line) => `  ${line};\n`);

/** Names of documents, most of them of code. */
export const names = fc.constantFrom('a.ts', 'b.ts', 'c.ts', 'd.js', 'e.py', 'f.md');

/** Functions: one body repeated under several names, with its comment. */
const functions = fc
  .array(fc.record({ body: fc.nat(2), times: fc.integer({ min: 3, max: 5 }), name: fc.nat(3), noted: fc.boolean() }), {
    maxLength: 3,
  })
  .map((functions) =>
    functions
      .map(({ body, times, name, noted }) => {
        const lines = Array.from({ length: times }, (_, i) =>
          bodies[body].map((line) => `  ${line.replaceAll('(', `${i}(`)};\n`),
        );
        const comment = noted
          ? `/** ${'What is bought is added up and taxed where it is sold, and nothing is sold twice. '.repeat(4)} */\n`
          : '';
        return `${comment}function work${name}() {\n${lines.flat().join('')}}\n`;
      })
      .join('\n'),
  );

/** A document of functions, optionally quoted by a page. */
export const text = fc
  .tuple(functions, fc.boolean())
  .map(([code, isQuoted]) => (isQuoted ? `~~~ts\n${code}~~~\n` : code));
