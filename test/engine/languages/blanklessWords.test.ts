/** Words of scripts without blanks: segmentation into words, and copies found with them. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import type { DocumentIndex } from '../../../src/core/engine/documents/documents.ts';
import { DocumentIndexer } from '../../../src/core/engine/documents/indexDocument.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { defaultOptions } from '../../../src/core/engine/options.ts';
import { placeOfToken } from '../../../src/core/engine/documents/tokenPlaces.ts';
import { groupsOf, placesOf } from '../corpusOf.ts';

const kernel = new Kernel(createMemory());
const indexer = new DocumentIndexer(kernel, { ...defaultOptions, readComments: 'asText' });

interface Word {
  readonly text: string;
  readonly word: number;
  readonly start: number;
  readonly length: number;
  /** Zero-based. */
  readonly line: number;
}

function wordsIn(index: DocumentIndex, bytes: Uint8Array): Word[] {
  const { tokens, lines, tokenCount, lineCount } = index;
  const at = (address: number, place: number): number => kernel.words[(address >>> 2) + place];
  return Array.from({ length: tokenCount }, (_, token) => {
    const { start, end } = placeOfToken(kernel, index, token);
    let line = 0;
    while (line + 1 < lineCount && at(lines, 2 * (line + 1)) <= token) line++;
    return {
      text: new TextDecoder().decode(bytes.slice(start, end)),
      word: at(tokens, token),
      start,
      length: end - start,
      line: at(lines, 2 * line + 1),
    };
  });
}

function wordsOf(name: string, text: string): Word[] {
  const bytes = new TextEncoder().encode(text);
  const room = indexer.reserve(bytes.length);
  room.set(bytes);
  const index = indexer.index(room.subarray(0, bytes.length), lexiconForPath(name));
  return wordsIn(name.endsWith('.md') ? index : (index.comments ?? index), bytes);
}

function check(text: string, expected: string, name = 'a.md'): void {
  assert.equal(
    wordsOf(name, text)
      .map((word) => word.text)
      .join(' '),
    expected,
  );
}

/** Checks that two texts have the same words. */
function same(a: string, b: string): void {
  const words = (text: string): number[] => wordsOf('a.md', text).map(({ word }) => word);
  assert.deepEqual(words(a), words(b));
}

suite('words without blanks', () => {
  test('Chinese, Japanese, Thai, Lao, Khmer, and Burmese', () => {
    check('两个文件的内容几乎相同。', '两 个 文件 的 内容 几乎 相同');
    check('私たちは毎日、新しい言葉を学びます。', '私 たち は 毎日 新しい 言葉 を 学び ます');
    check('การค้นหาข้อความที่ซ้ำกันในเอกสาร', 'การ ค้นหา ข้อความ ที่ ซ้ำ กัน ใน เอกสาร');
    check('ການຄົ້ນຫາຂໍ້ຄວາມ', 'ການຄົ້ນ ຫາ ຂໍ້ຄວາມ');
    check('ការស្វែងរកអត្ថបទ', 'ការស្វែងរក អត្ថបទ');
    check('စာသားများကိုရှာဖွေခြင်း', 'စာသား များ ကို ရှာဖွေ ခြင်း');
  });
  test('in comments, for texts of any length', () => {
    for (let length = 1; length <= 16; length++) {
      check(`${'x'.repeat(length)} = 1; // 两个文件的内容几乎相同。`, '两 个 文件 的 内容 几乎 相同', 'a.ts');
    }
  });
  test('words of other scripts between them are unchanged', () => {
    check('使用 Kindred 查找重复的内容，한국어 text。', '使用 Kindred 查找 重复 的 内容 한국어 text');
  });
  test('emphasis, line ends, and quoting are ignored', () => {
    same('两个**文件**的内容_几乎_相同', '两个文件的内容几乎相同');
    same('> 两个文件的内\n> 容几乎相同', '两个文件的内容几乎相同');
    same('两个文件的内\r\n容几乎相同', '两个文件的内容几乎相同');
  });
  test('paragraphs, headings, and marks end a word', () => {
    check('重\n\n复', '重 复');
    check('# 重\n复', '重 复');
    check('重，复', '重 复');
    check('重 复', '重 复');
  });
  test('a word across a line end belongs to its first line', () => {
    const words = wordsOf('a.md', '几乎重\n复的内容\n');
    assert.deepEqual(
      words.map(({ text, line, length }) => [text, line, length]),
      [
        ['几乎', 0, 6],
        ['重', 0, 3],
        ['的', 1, 3],
        ['内容', 1, 6],
      ],
    );
    assert.equal(words[1].word, wordsOf('a.md', '重复')[0].word);
  });
  test('in comments too', () => {
    check('// 查找重复的内容\nlet a = "重复";', '查找 重复 的 内容', 'a.ts');
  });
  test('keeps a single character as one token', () => {
    const [one] = wordsOf('a.md', '重');
    assert.equal(one.word, wordsOf('a.md', '重 复')[0].word);
  });
  test('a long text without marks has the words of its parts', () => {
    const long = '如果两个文件的内容几乎相同那么它们的指纹只有少数几位不同'.repeat(2000);
    const words = wordsOf('a.md', long);
    assert.equal(words.map(({ text }) => text).join(''), long);
    // The boundaries of the stretches passed to the segmenter must not be visible.
    const apart = wordsOf('a.md', long.slice(0, 28)).map(({ word }) => word);
    assert.deepEqual(
      words.slice(-apart.length).map(({ word }) => word),
      apart,
    );
  });
  test('words are in ascending order, on their lines, for any text', () => {
    const piece = fc.constantFrom(
      ...'两 文件 重复 の カナ 学び การ ค้นหา ຄົ້ນ ខ្មែរ ကို 𠮷野家 ｶﾅ one , 。 ** \n \n\n \r\n > # ` 한국 é'.split(' '),
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const bytes = new TextEncoder().encode(text);
        let end = 0;
        for (const { start, length, line } of wordsOf('a.md', text)) {
          assert.ok(start >= end && length > 0);
          end = start + length;
          assert.equal(line, Buffer.from(bytes.slice(0, start)).toString().split(/\n/).length - 1);
        }
        assert.ok(end <= bytes.length);
      }),
      { numRuns: scaled(2000) },
    );
  });
});

/** Checks pages in one language with the same paragraph, in which one or two words differ. */
function checkPages(before: string, paragraph: string, edited: string, after: string): void {
  assert.notEqual(paragraph, edited);
  const found = groupsOf({
    'one.md': `# ${before}\n\n${paragraph}\n`,
    'two.md': `${after}\n\n${edited}\n\n${before}\n`,
  });
  assert.deepEqual(
    found.map((group) => [group.kind, group.type, ...placesOf(group)]),
    [['prose', 'near', 'one.md:3-3', 'two.md:3-3']],
  );
}

suite('words without blanks: findings', () => {
  test('a Chinese paragraph with changed words', () => {
    const paragraph =
      '软件开发中经常会出现重复的代码和文档。如果两个文件的内容几乎相同，修改其中一个时往往会忘记修改另一个，' +
      '因此错误会在系统中长期存在。为了避免这种情况，我们需要定期检查整个项目，找出相似的段落，并决定是否应该把它们合并。';
    checkPages(
      '概述',
      paragraph,
      paragraph.replace('定期', '每天').replace('错误', '问题'),
      '下面的说明来自另一个手册。',
    );
  });
  test('a Japanese paragraph with changed words', () => {
    const paragraph =
      'ソフトウェアの開発では、同じような文章やコードが何度も書かれることがあります。一つの場所を直しても、' +
      'もう一つの場所を直し忘れると、間違いが長い間残ってしまいます。そのため、定期的に文書を調べて、似ている部分を見つけることが大切です。';
    checkPages(
      'はじめに',
      paragraph,
      paragraph.replace('大切', '必要').replace('文書', '資料'),
      '次の説明は別の手引きからのものです。',
    );
  });
  test('a Thai paragraph with changed words', () => {
    const paragraph =
      'ในการพัฒนาซอฟต์แวร์ มักจะมีข้อความหรือโค้ดที่ซ้ำกันอยู่ในหลายไฟล์ ถ้าแก้ไขไฟล์หนึ่งแล้วลืมแก้ไขอีกไฟล์หนึ่ง ' +
      'ความผิดพลาดก็จะยังคงอยู่ในระบบเป็นเวลานาน ดังนั้นเราจึงควรตรวจสอบเอกสารเป็นประจำ เพื่อค้นหาส่วนที่คล้ายกัน และตัดสินใจว่าจะรวมเข้าด้วยกันหรือไม่';
    checkPages(
      'บทนำ',
      paragraph,
      paragraph.replace('เอกสาร', 'รายงาน').replace('ระบบ', 'โปรแกรม'),
      'คำอธิบายต่อไปนี้มาจากคู่มืออีกเล่มหนึ่ง',
    );
  });
});
