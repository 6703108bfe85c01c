/** Copies of long literals: the text of a multiline string is found wherever it was copied. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { groupsOf } from './corpusOf.ts';

const query = `SELECT o.id, o.created_at, c.name, c.email, SUM(l.quantity * l.price) AS total
FROM orders o
JOIN customers c ON c.id = o.customer_id
LEFT JOIN order_lines l ON l.order_id = o.id
WHERE o.status IN ('open', 'paid') AND o.created_at >= :since
  AND (c.country = :country OR :country IS NULL)
GROUP BY o.id, o.created_at, c.name, c.email
HAVING SUM(l.quantity * l.price) > 100
ORDER BY total DESC, o.created_at ASC
LIMIT :limit OFFSET :offset`;

const page = `<section class="orders">
  <h1>Orders of this month</h1>
  <p>Nothing that was paid <b>before</b> the first day is shown; ask the office for older ones.</p>
  <form action="/orders" method="post"><label for="since">Since</label>
    <input id="since" name="since" type="date" required><button type="submit">Show orders</button>
  </form>
  <table id="list"><thead><tr><th>Number</th><th>Customer</th><th>Total</th></tr></thead></table>
  <footer>Prices without taxes, as of yesterday evening</footer>
</section>`;

/** Two places of a literal in a language. § stands for its lines. */
const places: Readonly<Record<string, readonly [string, string]>> = {
  java: [
    'class A {\n  List<Order> load(Db db, Date since) {\n    var sql = """\n§\n        """;\n    return db.query(sql, since);\n  }\n}\n',
    'final class Report extends Base {\n  private static final String TEXT = """\n§\n      """;\n  int rows() {\n    return 1;\n  }\n}\n',
  ],
  kt: [
    'fun load(db: Db, since: Date): List<Order> {\n  val rows = db.query("""\n§\n  """.trimIndent(), since)\n  return rows.map(::toOrder)\n}\n',
    'class Report {\n  private val text = """\n§"""\n  fun rows() = 1\n}\n',
  ],
  ts: [
    'export async function load(db: Db, since: Date) {\n  const rows = await db.query(`\n§\n  `, { since });\n  return rows.map(toOrder);\n}\n',
    'class Report {\n  readonly text = html`\n§`;\n  rows() { return 1; }\n}\n',
  ],
  py: [
    'def load(db, since):\n    rows = db.query("""\n§\n    """, since)\n    return [to_order(row) for row in rows]\n',
    'TEXT = """\\\n§\n"""\n\nclass Report(Base):\n    pass\n',
  ],
  go: [
    'func load(db *DB, since Date) []Order {\n\trows := db.Query(`\n§\n\t`, since)\n\treturn orders(rows)\n}\n',
    'const text = `\n§`\n\ntype Report struct {\n\tRows int\n}\n',
  ],
  cs: [
    'class A {\n  List<Order> Load(Db db, Date since) {\n    var sql = @"\n§";\n    return db.Query(sql, since);\n  }\n}\n',
    'sealed record Report : Base {\n  const string Text = @"\n§\n";\n  int Rows => 1;\n}\n',
  ],
  rs: [
    'fn load(db: &Db, since: Date) -> Vec<Order> {\n    let rows = db.query(r#"\n§\n    "#, since);\n    rows.map(order).collect()\n}\n',
    'pub struct Report;\n\nconst TEXT: &str = r#"\n§"#;\n\nimpl Report { fn rows() -> u8 { 1 } }\n',
  ],
  rb: [
    'def load(db, since)\n  rows = db.query(<<~SQL, since)\n§\n  SQL\n  rows.map { |row| order(row) }\nend\n',
    'class Report < Base\n  TEXT = <<~TEXT.freeze\n§\n  TEXT\n  attr_reader :rows\nend\n',
  ],
  php: [
    '<?php\nfunction load($db, $since) {\n  $rows = $db->query(<<<SQL\n§\n  SQL, $since);\n  return array_map(order(...), $rows);\n}\n',
    '<?php\nclass Report extends Base {\n  const TEXT = <<<TEXT\n§\n  TEXT;\n  public int $rows = 1;\n}\n',
  ],
  sh: [
    'since=$1\nrows=$(psql "$db" -v since="$since" <<SQL\n§\nSQL\n)\necho "$rows" | wc -l\n',
    '#!/bin/sh\nset -e\nprepare all\ncat > report.txt <<TEXT\n§\nTEXT\n',
  ],
  swift: [
    'func load(db: Db, since: Date) -> [Order] {\n  let rows = db.query("""\n§\n    """, since)\n  return rows.map(order)\n}\n',
    'struct Report {\n  static let text = """\n§\n    """\n  var rows = 1\n}\n',
  ],
};

/** Checks that the lines of `literal` are found in both places of the language with this extension. */
function check(ending: string, literal: string): void {
  // C#'s verbatim strings double their quotes; here the text uses other quotes.
  const lines = (ending === 'cs' ? literal.replaceAll('"', "'") : literal).split('\n');
  const texts = places[ending].map((text, index) =>
    text.replace('§', () => lines.map((line) => (index === 0 ? '    ' : '  ') + line).join('\n')),
  );
  const paths = [`one.${ending}`, `two.${ending}`];
  const groups = groupsOf({ [paths[0]]: texts[0], [paths[1]]: texts[1] });
  assert.equal(groups.length, 1);
  paths.forEach((path, index) => {
    const start = texts[index].split('\n').findIndex((line) => line.includes(lines[0])) + 1;
    const passage = groups[0].passages.find((each) => each.path === path);
    // The last line of the page is one word, which may be missing.
    assert.ok(passage && passage.startLine <= start && passage.endLine >= start + lines.length - 2, path);
  });
}

/**
 * Places of lines in a function and in a string of the same language, such as what a test runs, or a script that a
 * program writes. § stands for the lines.
 */
const bodies: Readonly<Record<string, Readonly<Record<'function' | 'string', string>>>> = {
  sh: { function: 'check() {\n§\n}\ncheck\n', string: "test_expect_success 'check' '\n§\n'\n" },
  py: { function: 'def check(a):\n§\n\n', string: "TEXT = '''\n§\n'''\n" },
  rb: { function: 'def check(a)\n§\nend\n', string: 'TEXT = <<~TEXT\n§\nTEXT\n' },
  php: { function: '<?php\nfunction check($a) {\n§\n}\n', string: '<?php\n$text = <<<TEXT\n§\nTEXT;\n' },
};

/** A line of commands with options and arguments. */
const commands = fc
  .tuple(
    fc.constantFrom('copy', 'list', 'merge', 'show', 'fetch', 'check'),
    fc.array(fc.nat(400), { minLength: 4, maxLength: 6 }),
  )
  .map(([name, numbers]) => `  ${name}(item${numbers.join(' + item')}) && ${name}s > out${numbers[0]} ||`);

/** Returns the numbers of lines that the passages of near copies of `lines` cover, in the places of one kind. */
function coveredLines(ending: string, place: 'function' | 'string', copies: readonly (readonly string[])[]): number[] {
  const texts = copies.map((lines): string => bodies[ending][place].replace('§', () => lines.join('\n')));
  const paths = copies.map((_, index) => `copy${index}.${ending}`);
  const groups = groupsOf(Object.fromEntries(texts.map((text, index) => [paths[index], text])));
  return groups.flatMap(({ passages }) =>
    passages.map(({ path, startLine, endLine }) => {
      const copy = paths.indexOf(path);
      const first = lineOf(texts[copy], copies[copy][0]);
      return Math.min(endLine, first + copies[copy].length - 1) - Math.max(startLine, first) + 1;
    }),
  );
}

/** Returns the one-based number of the line that contains `part`. */
function lineOf(text: string, part: string): number {
  return text.split('\n').findIndex((line) => line.includes(part)) + 1;
}

suite('literals', () => {
  test('code in a raw string is found beside the code itself', () => {
    const code = Array.from(
      { length: 4 },
      (_, i) => `\tif values[${i}] > limit${i} {\n\t\ttotal = shift(total, values[${i}])\n\t}`,
    );
    const body = `func gather(values []int, total int) int {\n${code.join('\n')}\n\treturn total\n}`;
    const groups = groupsOf({
      'gather.go': `package a\n\nvar other = 1\n\n${body}\n`,
      'generate.go': `package b\n\nfunc main() {\n\twrite(text)\n}\n\nconst text = \`\n${body}\n\`\n`,
    });
    assert.deepEqual(
      groups.map(({ passages }) => passages.map(({ path, startLine, endLine }) => [path, startLine, endLine])),
      [
        [
          ['gather.go', 5, 19],
          ['generate.go', 8, 22],
        ],
      ],
    );
  });
  for (const ending of Object.keys(places)) {
    test(`a query in ${ending}`, () => check(ending, query));
    test(`a page in ${ending}`, () => check(ending, page));
  }
  for (const ending of Object.keys(bodies)) {
    test(`near copies in strings are found like those in functions, in ${ending}`, () => {
      fc.assert(
        fc.property(fc.array(commands, { minLength: 5, maxLength: 8 }), fc.nat(), (lines, place) => {
          const edited = lines.map((line, index) =>
            index === place % lines.length ? line.replace('item', 'entry') : line,
          );
          const inFunctions = coveredLines(ending, 'function', [lines, edited]);
          assert.deepEqual(inFunctions, [lines.length, lines.length]);
          assert.deepEqual(coveredLines(ending, 'string', [lines, edited]), inFunctions);
        }),
        { numRuns: scaled(50), seed: 1 },
      );
    });
  }
  const table = Array.from(
    { length: 39 },
    (_, i) => `| ${(i * 7919) % 1009} | ${(i * 104_729) % 997} | item${(i * 31) % 41} |`,
  );
  for (const [name, first, second] of [
    ['a raw string', ['one.py', 'x = open("""', '""")'], ['two.py', 'class A:\n  y = r"""', '"""']],
    ['a formatted string', ['one.py', 'x = open("""', '""")'], ['two.py', "class A:\n  y = f'''", "'''"]],
    ['a raw string of Rust', ['one.rs', 'let x = open("', '");'], ['two.rs', 'const Y: &str = r#"', '"#;']],
    ['another language', ['one.py', 'x = open("""', '""")'], ['two.ts', 'class A {\n  y = `', '`;\n}']],
  ] as const) {
    test(`a table that was copied to ${name}`, () => {
      const texts = [first, second].map(([path, before, after], index): [string, string] => {
        const lines = table.map((line) => '  '.repeat(index) + line);
        return [path, `${before}\n${lines.join('\n')}\n${after}\n`];
      });
      const groups = groupsOf(Object.fromEntries(texts));
      assert.equal(groups.length, 1);
      for (const [path, text] of texts) {
        const passage = groups[0].passages.find((each) => each.path === path);
        assert.ok(
          passage && passage.startLine <= lineOf(text, table[0]) && passage.endLine >= lineOf(text, table[38]),
          path,
        );
      }
    });
  }
});
