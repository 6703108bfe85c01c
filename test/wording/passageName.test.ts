import assert from 'node:assert/strict';
import { passageName } from '../../src/presentation/wording/passageName.ts';

/**
 * Checks the name of a passage.
 *
 * @param marked a text in which the lines of the passage begin with `>`
 */
function check(path: string, name: string | undefined, marked: string): void {
  const lines = marked.replace(/^\n/, '').replace(/\n *$/, '').split('\n');
  const inside = lines.flatMap((line, i) => (line.startsWith('>') ? [i] : []));
  const plain = lines.map((line) => line.replace(/^[> ]/, ''));
  const found = passageName(plain, inside[0], inside.at(-1)! + 1, 'code', path);
  assert.equal(found && (found.isWhole ? found.name : `in ${found.name}`), name, marked);
}

suite('name of a passage', () => {
  test('is that of the declaration at its beginning, whatever precedes it', () => {
    check('a.ts', 'parseDay', '>export async function parseDay(text: string) {\n>  return text;\n>}');
    check('A.java', 'addsRow', '>  @Test\n>  @Override\n>  public void addsRow() throws Exception {\n>    add();');
    check('A.java', 'Table', '>/**\n> * A table.\n> */\n>public final class Table extends Grid\n>{\n>  int rows;');
    check('a.py', 'index', ">@app.route('/')\n>def index(\n>    page,\n>):\n>    pass");
    check('a.go', 'Read', '>func (r *Reader) Read(p []byte) (n int, err error) {\n>\treturn');
    check('a.rs', 'push', '>    pub(crate) fn push<T>(&mut self, it: T) {\n>    }');
    check('a.cpp', 'Table::add', '>void Table::add(int row) const\n>{\n>  rows++;');
    check('a.ts', 'open', '>  open(\n>    path: string,\n>  ): Promise<void> {\n>    read();');
    check('a.js', 'Table.prototype.add', '>Table.prototype.add = function (row) {\n>  rows++;');
    check('a.ts', 'add', '>const add = async (a: number, b: number): Promise<number> => {\n>  rows++;');
    check('a.rb', 'empty?', '>  def empty?\n>    true\n>  end');
    check('a.ps1', 'Get-Row', '>function Get-Row {\n>  1\n>}');
    check('a.h', 'row', '>struct __attribute__ ((__packed__)) row {\n>  int size;\n>};');
    check('a.c', 'add', '>static void __attribute__((format(printf, 1, 2))) add(int row) {\n>  rows++;\n>}');
    check('a.c', 'names', '>static const char *const names[] = {\n>  "one",\n>};');
    check('a.kt', 'adds a row', '>    @Test\n>    fun `adds a row`() {\n>        add()\n>    }');
    check(
      'a.ts',
      'add',
      '>  add<R extends Record<string, List<C>>>(\n>    row: R,\n>  ): Table<R> {\n>    go();\n>  }',
    );
    check(
      'a.ts',
      'in load',
      ' function load() {\n>  const rows = fn(table);\n>  for (const row of rows) {\n>    go();\n>  }',
    );
    check('a.ex', 'add', '>add = fn(a, b) -> a + b end\n>add.(1, 2)');
  });

  test('of C++ is found in templates, operators, constructors, and macros', () => {
    check('a.h', 'Table::add', '>template <class T>\n>void Table<T>::add(T row) && {\n>  go();\n>}');
    check('a.h', 'Table::size', '>template <class T>\n>typename Table<T>::Size\n>Table<T>::size() {\n>  go();\n>}');
    check('a.h', 'Row.operator==', ' struct Row {\n>  bool operator==(const Row& other) const {\n>    go();\n>  }');
    check('a.h', 'operator()', '>int operator()(int row) {\n>  go();\n>}');
    check(
      'a.cc',
      'Table::Table',
      '>Table::Table(\n>    int size)\n>    : size_(size),\n>      row_(1) {\n>  go();\n>}',
    );
    check('a.h', 'Row', '>class API_EXPORT Row : public Base {\n>  int a;\n>};');
    check('a.c', 'EACH_ROW', '>#define EACH_ROW(it) \\\n>  for (go(); \\\n>       it; next())');
    check('a.c', 'in EACH_ROW', ' #define EACH_ROW(it) \\\n>  for (go(); \\\n>       it; next())');
    check('a.cc', 'addRows', '>BENCHMARK(addRows, n) {\n>  go();\n>}');
    check('a.cc', 'Rows.Add', '>CO_TEST_F(\n>    Rows, Add) {\n>  go();\n>}');
    check('a.c', undefined, '>RUN_TEST(adds_row);\n>RUN_TEST(drops_row);');
    check('a.cc', 'in load', ' void load() {\n>  each(rows, [&](Row row) -> bool {\n>    go();\n>  });\n>  go();');
    const members = Array.from({ length: 6 }, (_, i) => `>  int a${i};`).join('\n');
    check('a.h', 'in Table', ` class Table {\n>  int b;\n>  struct Row;\n> public:\n${members}`);
  });

  test('of an implementation in Rust is its trait and type without parameters', () => {
    const body = '>    fn next(&mut self) {\n>        go();\n>    }\n>}';
    check('a.rs', 'impl Rows', `>impl Rows {\n${body}`);
    check(
      'a.rs',
      'impl Iterator for Rows',
      `>#[stable]\n>unsafe impl<'a, T, P> Iterator for Rows<'a, T, P>\n>where\n>    P: FnMut(&T) -> bool,\n>{\n${body}`,
    );
    check('a.rs', 'impl fmt::Debug for [T]', `>impl<F: Fn(u8) -> T, T> fmt::Debug for [T] where F: Copy {\n${body}`);
    check('a.rs', 'impl Default for [T; N]', `>impl<T, const N: usize> Default for [T; N] {\n${body}`);
    check('a.rs', 'Rows.new', `impl<T> Clear for Rows<T> {\n>    fn new(a: T) {\n>        go();\n>    }\n}`);
    check('a.rs', 'Rows', `>#![stable(feature = "rows")]\n>struct Rows {\n>    a: A,\n>}`);
  });

  test('is that of the declaration that fills more than half of it', () => {
    const helper = '>function filter(rows) {\n>  return rows;\n>}\n>\n';
    check(
      'a.ts',
      'Groups',
      `${helper}>function Groups() {\n>  const rows = filter();\n>  show(rows);\n>  return rows;\n>}`,
    );
    check('a.ts', 'filter', `${helper}>function first() {\n>  return 1;\n>}\n>function second() {\n>  return 2;\n>}`);
    const statements = Array.from({ length: 6 }, (_, i) => `>use(${i});`).join('\n');
    check('a.ts', 'filter', `${helper}>function first()\n>{\n>  return 1;\n>}\n${statements}`);
    const uses = Array.from({ length: 6 }, (_, i) => `>    use(${i})`).join('\n');
    check('a.py', 'in f', ` def f(a):\n>    if not a:\n>        return\n>    class Row:\n>        pass\n${uses}`);
    check('a.py', 'in f', ` def f(a):\n>    rows = Table(\n>        1,\n>    )\n>    go()`);
    check('a.py', 'rows', ` def f(a):\n>    rows = Table(\n>        1,\n>    )`);
    check('a.ts', 'add', ` class Table {\n>  add() {\n>    go(\`\n>x\n>y\n>z\`);\n>  }\n }`);
    check(
      'a.ts',
      'load',
      ` register({\n>  b: 2,\n>  async load() {\n>    go();\n>  },\n>  c: 3,\n>  d: 4,\n>  e: 5,\n>  f: 6,`,
    );
    check('a.py', 'B', '>    def a(self):\n>        pass\n>class B:\n>    def c(self):\n>        d()\n>        e()');
  });

  test('of a test is its title', () => {
    check('a.test.ts', 'adds a "row"', `>  test('adds a "row"', async () => {\n>    add();\n>  });`);
    check('a.test.ts', 'in rows', `  describe('rows', () => {\n>    add();\n>    add();`);
    check('a.test.ts', 'adds rows', "> it(\n>   'adds rows',\n>   async () => {\n>     add();\n>   },\n> );");
    check('a.c', 'adds a row', '>    TEST("adds a row") {\n>        add();\n>    }');
    check('a.cpp', 'Rows.Add', '>TEST_F(Rows, Add) {\n>  add();\n>}');
    check('a.cpp', 'adds', '>BOOST_AUTO_TEST_CASE(adds)\n>{\n>  add();\n>}');
  });

  test('is that of the enclosing declaration, through blocks, calls, and heads of several lines', () => {
    check(
      'a.ts',
      'in parseDay',
      `
 function parseDay(
   text: string,
   other: number,
 ): Date {
   if (text) {
     for (const part of text) {
>      read(part);
>      write(part);
`,
    );
    check('a.ts', 'in load', ' class Store {\n   async load() {\n     await all([\n>      one(),\n>      two(),');
    check('a.cc', 'in run', ' int run()\n {\n   if (a)\n   {\n   } else {\n>    go();\n>    go();');
    check('a.cc', 'in Table', ' class Table {\n public:\n #if A\n>  int a;\n>  int b;');
    check('a.py', 'in f', ' def f(a):\n     if a:\n         b()\n     else:\n>        c()\n>        d()');
    check('a.rs', 'in zip', ' fn zip<U>(a: U)\n where\n>    U: Iterator,\n>{\n>    go();\n>}');
    check('A.java', 'in Row', ' class Row {\n   // two\n>  int a = 1;\n>  int b = 2;');
  });

  test('is that of its main part if it begins in another declaration', () => {
    check('a.ts', 'second', ' function first() {\n>  end();\n>}\n>function second() {\n>  a();\n>  b();\n>  c();\n>}');
    check('a.ts', 'in first', ' function first() {\n>  a();\n>  b();\n>  c();\n>  d();\n>}\n>function second() {\n>}');
  });

  test('includes the class if many classes have such a declaration', () => {
    check('a.ts', 'Lab.constructor', ' class Lab {\n   l = 0;\n>  constructor() {\n>    go();\n>  }\n>  is() {}');
    check('a.ts', 'in Lab.constructor', ' class Lab {\n   constructor() {\n>    go();\n>    go();');
    check('a.py', 'Row.__init__', ' class Row:\n>    def __init__(self):\n>        go()');
    check('a.ts', 'main', '>function main() {\n>  go();');
    check('a.ts', 'in run', " test('two words', () => {\n   function run() {\n>    go();\n>    go();");
  });

  test('is that of the enclosing opener if nothing is declared', () => {
    check(
      'a.js',
      "in app.get('/rows', (request, answer)",
      " app.get('/rows', (request, answer) => {\n>  a();\n>  b();",
    );
    check('a.json', 'in paths', ' {\n   "paths": {\n>    "a": 1,\n>    "b": 2\n');
    check('a.css', 'in .rows', ' .rows {\n>  color: red;\n>  margin: 0;');
    check('a.ts', undefined, '>a();\n>b();');
    check('a.ts', undefined, '>QUERY(rows, () => {\n>  a();\n>});');
    check('a.ts', undefined, ' if (a) {\n>  a();\n>  b();');
  });

  test('of prose is the heading at its beginning or above it', () => {
    check('a.md', 'Read a row', '>## Read a `row` {#read}\n>\n>Rows are read.');
    check('a.md', 'in Read', ' # Read\n\n ```sh\n # comment\n ```\n>Rows are read.\n>And written.');
    check('a.md', '--filter <name> & more_rows', '>## --filter &lt;name\\> &amp; more\\_rows\n>\n>Rows are read.');
    check('a.md', 'in -Force', ' ### -Force\n\n ```yaml\n>Type: SwitchParameter\n>Aliases: cf\n ```');
    check('a.rst', 'in Read a row', ' Read a row\n ==========\n\n>Rows are read.\n>And written.');
    check('a.md', 'in Rows', ' ---\n title: "Rows"\n ---\n>Rows are read.\n>And written.');
    check('a.md', undefined, ' one | two\n ----|----\n>Rows are read.\n>And written.');
    const example = '### Example\n \n ```sh\n # comment\n ```\n';
    check('a.md', 'in Write, Example', ` # Rows\n ## Read\n ${example} ## Write\n ${example}>Rows are read.`);
    check('a.md', 'Write, Example', ` # Rows\n ## Read\n ${example} ## Write\n>### Example\n>Rows are read.`);
    check('a.md', 'in Example', ` # Rows\n ## Read\n ${example}>Rows are read.`);
    for (const unnamed of ['# ', '# <img src="rows.png">']) {
      check('a.md', 'in Example', ` # Rows\n ${example} ${unnamed}\n ${example}>Rows are read.`);
    }
    const long = 'Another section with a title that goes on and on';
    check('a.md', `in ${long.slice(0, 38)}…, Example`, ` # Rows\n ${example} # ${long}\n ${example}>Rows are read.`);
    check('a.adoc', '--force', '>--force::\n>  Rows are read.');
    check('a.adoc', 'in Rows', ' == Rows\n\n>Rows are read.');
  });

  test('is truncated if it is long', () => {
    const name = 'a'.repeat(80);
    check('a.ts', `${'a'.repeat(47)}…`, `>function ${name}() {\n>}`);
  });
});
