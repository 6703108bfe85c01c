/** Search for words in texts while a scan has them in memory: the result equals that of reading the files. */
import assert from 'node:assert/strict';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { inputOf, patient, requestOf, scanToFollow } from './scanning.ts';

/** Checks the files of a folder that contain none of the words, according to a scan. */
async function check(
  files: Readonly<Record<string, string | Uint8Array>>,
  soughtWords: readonly string[],
  workers: number,
  expected: readonly string[],
): Promise<void> {
  const folder = makeFolder(files);
  try {
    const request = requestOf(await inputOf(folder), { workers, soughtWords });
    const { withoutSought } = await scanToFollow(request, patient, 'findings');
    assert.deepEqual([...(withoutSought ?? [])].sort(), [...expected].sort());
  } finally {
    removeFolder(folder);
  }
}

suite('search for words', () => {
  const code = 'export const total = price * amount;\n';
  const texts = {
    'plain.ts': code,
    'one.ts': `// aside\n${code}`,
    'other.ts': `${code}// set-off`,
    'empty.ts': '',
    'wide.ts': Buffer.from(`\ufeff// aside\n${code}`, 'utf16le'),
    'binary.ts': Uint8Array.of(1, 0, 2),
  };

  test('reports files without them, whatever their encoding, but not files without text', async () => {
    await check(texts, ['aside', 'set-off'], 1, ['empty.ts', 'plain.ts']);
  });

  test('without words, reports all texts', async () => {
    await check(texts, [], 1, ['empty.ts', 'one.ts', 'other.ts', 'plain.ts', 'wide.ts']);
  });

  test('all scan threads report', async () => {
    const names = Array.from({ length: 700 }, (_, i) => `${i}.ts`);
    const many = names.map((name, i) => [name, i % 7 === 0 ? '// aside\n' : code] as const);
    const expected = names.filter((_, i) => i % 7 !== 0);
    await check(Object.fromEntries(many), ['aside'], 3, expected);
  });
});
