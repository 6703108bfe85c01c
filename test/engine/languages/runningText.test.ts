/** Texts without a named language: sentences or code. */
import assert from 'node:assert/strict';
import { isRunningText } from '../../../src/core/engine/languages/runningText.ts';

const sentences = `By making a contribution to this project, I certify that:

(a) The contribution was created in whole or in part by me and I
    have the right to submit it under the open-source license
    that is indicated in the file; it doesn't matter which one.
`;
const commands = `git clone https://example.org/project.git
cd project && npm install --save-dev
npm run build
npm test -- --reporter dot
git commit -a -m "Make it work"
git push origin HEAD:refs/for/main
`;
const statements = `select name, street from person
where city is not null
and (age over limit or age is null)
order by name, street
limit three
`;
const listing = 'one two three four five six seven eight nine ten '.repeat(3);

function isText(text: string): boolean {
  const bytes = new TextEncoder().encode(`before ${text} behind`);
  return isRunningText(bytes, 7, bytes.length - 7);
}

suite('running text', () => {
  test('is sentences of words', () => {
    assert.equal(isText(sentences), true);
    assert.equal(isText(sentences.replaceAll('\n', '\r\n')), true);
    assert.equal(isText(sentences.replaceAll(/\b[aeiou]/g, 'ü')), true);
  });

  test('does not consist of commands, statements, or lists of words', () => {
    assert.deepEqual([commands, statements, listing].map(isText), [false, false, false]);
  });

  test('is longer than a message', () => {
    assert.equal(isText('The file was not found, so nothing is done.'), false);
    assert.equal(isText(''), false);
  });
});
