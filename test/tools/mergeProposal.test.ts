/** Proposals to merge copies: parameters, signatures, obstacles, and saved lines. */
import assert from 'node:assert/strict';
import { mergeProposal, type MergeProposal } from '../../src/surfaces/tools/mergeProposal.ts';

suite('a proposal to merge copies', () => {
  /** Returns the proposal for copies that are whole files. */
  const propose = (language: string, ...texts: readonly string[]): MergeProposal =>
    mergeProposal(
      texts.map((text) => {
        const lines = text.split('\n');
        return { lines, startLine: 1, endLine: lines.length };
      }),
      language,
    )!;

  const orders = [
    'export function loadOrders(db: Database, limit: number): Order[] {',
    "  const rows = db.read('orders', limit);",
    '  if (rows.length === 0) throw new Error(`no orders in ${db.name}`);',
    '  return rows.map((row) => toOrder(row));',
    '}',
  ].join('\n');
  const refunds = orders
    .replace('loadOrders', 'loadRefunds')
    .replaceAll('Order', 'Refund')
    .replaceAll('rows', 'items')
    .replace("'orders'", "'refunds'")
    .replace('no orders', 'no refunds');

  test('has a parameter for each difference, with its fillings', () => {
    const { parameters, template } = propose('javascript', 'send(a, 1);\nsend(b, 2);', 'send(c, 1);\nsend(b, 3);');
    assert.deepEqual(parameters, [
      { name: 'a', kind: 'value', fillings: ['a', 'c'] },
      { name: 'number', kind: 'value', fillings: ['2', '3'] },
    ]);
    assert.deepEqual(template, ['send(⟨a⟩, 1);', 'send(b, ⟨number⟩);']);
  });

  test('has strings as they are, and other white space as single spaces', () => {
    const { parameters } = propose('javascript', "pad(x, '  ');", "pad(x, '\t');", "pad(x, a  +\n  'b  c');");
    assert.deepEqual(parameters[0].fillings, ["'  '", "'\t'", "a + 'b  c'"]);
  });

  test('has one parameter for all holes with the same fillings', () => {
    const { parameters } = propose('python', "get('a', x)\nput('a', y)", "get('b', x)\nput('b', y)");
    assert.deepEqual(parameters, [{ name: 'key', kind: 'value', fillings: ["'a'", "'b'"] }]);
  });

  test('is a signature with the parameters of the copies, and types, functions, and values', () => {
    const { signatures, parameters, obstacles, savedLines } = propose(
      'typescript',
      orders.replaceAll('`no orders in ${db.name}`', "'none'"),
      refunds.replaceAll('`no refunds in ${db.name}`', "'none'"),
    );
    assert.deepEqual(
      parameters.map(({ name, kind }) => [name, kind]),
      [
        ['T', 'type'],
        ['name', 'value'],
        ['toOrder', 'function'],
      ],
    );
    assert.deepEqual(signatures, ['function loadOrdersOrRefunds<T>(db: Database, limit: number, name, toOrder): T[]']);
    assert.deepEqual(obstacles, []);
    assert.equal(savedLines, 3);
  });

  for (const [title, language, left, right, kind] of [
    ['a statement of one copy', 'javascript', 'a();\nb();\nc();', 'a();\nc();', 'statements'],
    ['another block', 'c', ' if (a) {\n  f();\n}', ' if (a) {\n  g(); h();\n}', 'statements'],
    ['a text with a variable', 'php', '$a = 1;\nf("x $a");', '$a = 1;\nf("y $a");', 'variables'],
    ['a return in a block', 'python', 'a = f(1)\nif a:\n    return []', 'a = f(2)\nif a:\n    return []', 'returns'],
    ['another operator', 'javascript', 'f(a + b);', 'f(a - b);', 'operators'],
    ['another keyword', 'javascript', 'while (a) b();', 'if (a) b();', 'operators'],
    ['an argument of one copy', 'javascript', 'f(a, b);', 'f(a);', 'arguments'],
    ['other local variables', 'javascript', 'const a = 1, b = 2;\nf(a);', 'const a = 1, b = 2;\nf(b);', 'variables'],
    [
      'a text with a local variable',
      'javascript',
      'const a = 1;\nf(`x ${a}`);',
      'const a = 1;\nf(`y ${a}`);',
      'variables',
    ],
    ['another type in C', 'c', 'int f(int a) {\n  return a;\n}', 'int f(long a) {\n  return a;\n}', 'types'],
    [
      'a primitive type in Java',
      'java',
      'int f(int[] a) {\n  return 1;\n}',
      'int f(long[] a) {\n  return 1;\n}',
      'types',
    ],
    ['an end inside a block', 'javascript', 'if (a) {\n  f(1);', 'if (a) {\n  f(2);', 'blocks'],
    ['a jump out of them', 'javascript', 'if (a) continue;\nf(1);', 'if (a) continue;\nf(2);', 'returns'],
  ] as const) {
    test(`has an obstacle, and no signature, for ${title}`, () => {
      const { obstacles, signatures } = propose(language, left, right);
      assert.deepEqual(
        [obstacles.map((one) => one.kind).includes(kind), signatures],
        [true, []],
        JSON.stringify(obstacles),
      );
    });
  }

  test('has the complete type of the result in a signature', () => {
    const types = [
      'Promise<{ names: string[]; left: Size }>',
      '{ names: string[] }[]',
      'Map<string, {\n  left: Size;\n}>',
    ];
    for (const type of types) {
      const text = `async function loadOrders(db: Database): ${type} {\n  return db.read('orders', 5);\n}`;
      const { signatures } = propose('typescript', text, text.replace('5', '6'));
      const shown = type.replaceAll(/\s+/g, ' ');
      assert.deepEqual(signatures, [`async function loadOrders(db: Database, otherNumber): ${shown}`]);
    }
  });

  test('writes parameters in the syntax of the language', () => {
    const php = propose(
      'php',
      "function load($a) {\n  return $a->find('x');\n}",
      "function load($a) {\n  return $a->find('y');\n}",
    );
    assert.deepEqual(php.signatures, ['function load($a, $key)']);
    const receiver = ['Row', 'Line'].map((type) => `func (a ${type}) Load() int {\n\treturn a.b\n}`);
    assert.deepEqual(propose('go', ...receiver).signatures, ['func (a T) Load() int']);
    const go = ['Row', 'Line'].map((type) => `func Load${type}(a *${type}) *${type} {\n\treturn a\n}`);
    assert.deepEqual(propose('go', ...go).signatures, ['func Load[T](a *T) *T']);
    const c = ['read', 'write'].map((name) => `int Net_${name}_all(int a) {\n  return ${name}(a);\n}`);
    assert.deepEqual(propose('c', ...c).signatures, ['int Net_all(int a, read)']);
  });

  test('ignores commas at the end of a list, and documentation', () => {
    const { parameters } = propose(
      'python',
      'def f(a):\n    """One."""\n    return g(\n        a,\n    )',
      'def f(a):\n    """Two."""\n    return g(\n        a\n    )',
    );
    assert.deepEqual(parameters, []);
  });

  test('ignores the visibility of declarations', () => {
    const { signatures, obstacles } = propose('typescript', orders, orders.replace('export ', ''));
    assert.deepEqual([signatures, obstacles], [['function loadOrders(db: Database, limit: number): Order[]'], []]);
  });

  test('takes the variables of the function around statements, and returns those that are read later', () => {
    const lines = [
      'function report(rows, tax) {',
      '  let sum = 0;',
      '  for (const row of rows) sum += row.price * tax;',
      '  let count = 0;',
      '  for (const row of rows) count += row.amount * tax;',
      '  return [sum, count];',
      '}',
    ];
    const { signatures } = mergeProposal(
      [
        { lines, startLine: 2, endLine: 3 },
        { lines, startLine: 4, endLine: 5 },
      ],
      'javascript',
    )!;
    assert.deepEqual(signatures, ['computeSum(rows, tax, property) → sum']);
  });

  test('does not exist for a language without functions', () => {
    assert.equal(mergeProposal([{ lines: ['{}'], startLine: 1, endLine: 1 }], 'json'), undefined);
  });

  test('has a parameter for a member of `this` under another name, unless the copies contain the class', () => {
    const method = (name: string): string =>
      `setTitle(id: string, text: string): void {\n  const player = this.players.get(id);\n  if (player) player.show(text);\n  this.${name} = text;\n}`;
    const [title, icon] = [method('title'), method('icon')];
    assert.deepEqual(propose('typescript', title, icon).parameters, [
      { name: 'property', kind: 'member', fillings: ['title', 'icon'] },
    ]);
    const inClass = (text: string): string => `class Player {\n${text}\n}`;
    assert.deepEqual(propose('typescript', inClass(title), inClass(icon)).parameters, []);
  });

  test('has obstacles where a language cannot pass a member, a type, or several results', () => {
    const kinds = (language: string, ...texts: readonly string[]): string[] =>
      propose(language, ...texts).obstacles.map(({ kind }) => kind);
    const read = (member: string): string => `int read(struct row *r) {\n  check(r);\n  return r->${member};\n}`;
    assert.deepEqual(kinds('c', read('width'), read('height')), ['members']);
    const set = (member: string): string =>
      `void set(Row row, int size) {\n  check(row, size);\n  row.${member} = size;\n}`;
    assert.deepEqual(kinds('java', set('width'), set('height')), ['members']);
    assert.deepEqual(kinds('typescript', set('width'), set('height')), []);
    const make = (type: string): string =>
      `static Device open(int port) {\n  Device found = lookUp(port, ${type}.class);\n  return wrap(found, port);\n}`;
    assert.deepEqual(kinds('java', make('Receiver'), make('Transmitter')), ['types']);
    const write = (type: string): string =>
      `func (fd *FD) Write(p []byte, sa ${type}) error {\n\tif err := fd.lock(); err != nil {\n\t\treturn err\n\t}\n\treturn send(fd, p, sa)\n}`;
    assert.deepEqual(kinds('go', write('Inet4'), write('Inet6')), ['types']);
  });

  test('leaves out assembly, jumps to labels elsewhere, and definitions of macros', () => {
    assert.equal(mergeProposal([{ lines: ['MOVL a, b'], startLine: 1, endLine: 1 }], 'asm'), undefined);
    const query = (end: string): string =>
      `\tparams[0] = PARAM(${end});\n\tret = query(adap, params);\n\tif (ret < 0)\n\t\tgoto bye;`;
    assert.deepEqual(propose('c', query('START'), query('END')).obstacles, [{ kind: 'returns', lines: [4] }]);
    const inside = (end: string): string => `${query(end)}\nbye:\n\t\tclose(adap);`;
    assert.deepEqual(propose('c', inside('START'), inside('END')).obstacles, []);
    const macro = (base: string): string => `\t#define P(x) print(m, ${base}->x)\n\t#define Q(x) print(n, ${base}->x)`;
    assert.deepEqual(
      propose('c', macro('cpu'), macro('ts')).obstacles.map(({ kind }) => kind),
      ['blocks'],
    );
  });

  test('adds parameters before those with default values, optional ones, and the rest', () => {
    const signature = (language: string, ...texts: readonly string[]): string | undefined =>
      propose(language, ...texts).signatures[0];
    const format = (name: string): string =>
      `def format(value, arg=None, **options):\n    checked = check(value, arg, options)\n    return write(checked, '${name}')`;
    assert.equal(signature('python', format('date'), format('time')), 'def format(value, name, arg=None, **options)');
    const show = (name: string): string =>
      `function show(row: Map<string, number>, size?: number): void {\n  check(row, size);\n  write(row, '${name}');\n}`;
    assert.equal(
      signature('typescript', show('date'), show('time')),
      'function show(row: Map<string, number>, name, size?: number): void',
    );
  });

  test('of statements has no variable of a loop, and no blank one', () => {
    const loop = (name: string): string =>
      `if (${name} != null) {\n    for (int i = 0; i < ${name}.size(); i++) {\n        visit(${name}.get(i), out);\n    }\n}`;
    const lines = [
      'void accept(Out out) {',
      ...['for (int i = 0; i < 3; i++) {', '    start(i);', '}'].map((line) => `    ${line}`),
      ...[loop('seen'), loop('hidden')].join('\n').replaceAll(/^/gm, '    ').split('\n'),
      ...['for (int i = 0; i < 3; i++) {', '    end(i);', '}'].map((line) => `    ${line}`),
      '}',
    ];
    const copies = [
      { lines, startLine: 5, endLine: 9 },
      { lines, startLine: 10, endLine: 14 },
    ];
    assert.deepEqual(mergeProposal(copies, 'java')?.signatures, ['acceptPart(out, seen)']);
  });

  test('states that private members and parts of markup cannot be passed, and leaves out tables', () => {
    const get = (name: string): string =>
      `get(id: string): boolean {\n  const found = this.rows.get(id);\n  return this.#${name}.get(found) ?? false;\n}`;
    assert.deepEqual(
      propose('typescript', get('shown'), get('open')).obstacles.map(({ kind }) => kind),
      ['members'],
    );
    const markup = (name: string): string => `<div class="${name}" tabindex="0">\n  <label>Text</label>\n</div>`;
    assert.deepEqual(
      propose('typescript', markup('one'), markup('two')).obstacles.map(({ kind }) => kind),
      ['blocks'],
    );
    const table = (name: string): string => `static struct driver own = {\n  .probe = ${name},\n  .size = 3,\n};`;
    const copies = ['probe_a', 'probe_b'].map((name) => ({ lines: table(name).split('\n'), startLine: 1, endLine: 4 }));
    assert.equal(mergeProposal(copies, 'c'), undefined);
  });

  test('of a call with a function as its argument has the name of the function around it', () => {
    const call = (name: string): string[] => [
      '  menu.section().appendItem(',
      `    text('${name}'),`,
      '    () => {',
      `      this.items.add('${name}', size);`,
      '    },',
      '  );',
    ];
    const lines = ['function showMenu(menu: Menu, size: number) {', ...call('one'), ...call('two'), '}'];
    const copies = [
      { lines, startLine: 2, endLine: 7 },
      { lines, startLine: 8, endLine: 13 },
    ];
    assert.deepEqual(mergeProposal(copies, 'typescript')?.signatures, ['showMenuPart(menu, size, name)']);
  });

  test('of statements has no result that a loop sets again', () => {
    const loop = (name: string): string[] => [
      '  for (i = 0; i < size; i++) {',
      `    fill(out[i], ${name}[i].first);`,
      `    fill(out[i], ${name}[i].last);`,
      '  }',
    ];
    const head = ['void load(int size, struct out *out, struct row *data, struct row *other)', '{', '  int i;'];
    const lines = [...head, ...loop('data'), ...loop('other'), '}'];
    const copies = [
      { lines, startLine: 4, endLine: 7 },
      { lines, startLine: 8, endLine: 11 },
    ];
    assert.deepEqual(mergeProposal(copies, 'c')?.signatures, ['loadPart(size, out, data)']);
  });
});
