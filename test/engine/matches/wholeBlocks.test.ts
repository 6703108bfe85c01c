/** Passages of code begin and end with whole blocks. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { type Documents, groupsOf, matchesOf, placesOf } from '../corpusOf.ts';
import { editLine, lineEdit, repeatingDocuments } from '../repeatingDocuments.ts';
import type { Passage } from '../../../src/core/engine/report/report.ts';

suite('whole blocks', () => {
  /** Checks the places of the only group of two texts. */
  function check(a: readonly string[], b: readonly string[], places: readonly string[], extension = 'ts'): void {
    const groups = groupsOf({ [`a.${extension}`]: a.join('\n'), [`b.${extension}`]: b.join('\n') });
    assert.deepEqual(groups.map(placesOf), places.length > 0 ? [places] : []);
  }

  const method = (name: string): string[] => [
    `  static instance(options: { isNew: boolean } = { isNew: false }): ${name} {`,
    '    const { isNew } = options;',
    `    if (!the${name} || isNew) {`,
    `      the${name} = new ${name}(registry.nextNumber(), registry.owner());`,
    `      registry.add(the${name}, the${name}.describe());`,
    '    }',
    '',
    `    return the${name};`,
    '  }',
  ];
  const head = ['', '  add(title: string, color?: string, event?: PanelEvent): void {'];

  const own = {
    left: [
      '    for (const row of this.rows) row.paint(color ?? palette.default, { inset: 2 });',
      '    while (queue.length > 0) queue.shift()?.run(this.clock.now() + 25);',
      '    this.state = { ...this.state, isOpen: true, label: [title, "shown"].join(" ") };',
      '    setTimeout(() => this.fade(0.5), this.delay * 2);',
    ],
    right: [
      '    return event ? this.take(event.detail) : this.drop(title.trim(), -1);',
      '    switch (this.mode) {',
      '      case Mode.small:',
      '        throw new RangeError(`no ${title}`);',
      '      default:',
      '        await fetch(this.address + "?q=" + encodeURIComponent(title));',
      '    }',
      '    delete this.#names[title];',
    ],
  };

  test('a passage does not continue into the next function with a different body', () => {
    check(
      ['class Left {', ...method('Panel'), ...head, ...own.left, '  }', '}'],
      ['class Right {', ...method('Screen'), ...head, ...own.right, '  }', '}'],
      ['a.ts:2-10', 'b.ts:2-10'],
    );
  });

  test('the end of a function and the head of the next one are not a passage', () => {
    const before = [
      "    this.table = this.element.createChild('div', 'details-chip-body');",
      '    this.fragment.appendChild(this.element, this.table);',
      '  }',
      '',
      '  addSection(title: string, color?: string, event?: PanelEvent<Row>): void {',
    ];
    const after = before.map((line) => line.replace('addSection', 'putSection'));
    const more = (name: string): string[] =>
      [0, 1, 2, 3].map((n) => `    ${name}${n}[${n}] ||= !${name} ? ${name}${n} : [];`);
    const others = (name: string): string[] => [0, 1, 2, 3].map((n) => `    import("${name}" + ${n}).then(${name});`);
    check(
      ['class Left {', '  show(): void {', ...more('list'), ...before, ...own.left, '  }', '}'],
      ['class Right {', '  hide(): void {', ...others('part'), ...after, ...own.right, '  }', '}'],
      [],
    );
  });

  test('a passage has neither the end of the statement before it nor the head of the next function', () => {
    const fields = {
      left: ['const chart = {', '  columns: [1, 2, ...hidden].map(String),', '  order: -1,', '} as const;', ''],
      right: ['export const board = {', '  "is-open": `${place}/open`,', '  draw() {},', '  size,', '} as const;', ''],
    };
    const next = (name: string): string[] => [
      '',
      `const ${name} = async (name: string, ownerId: string): Promise<string> => {`,
    ];
    check(
      [...fields.left, ...method('Panel'), ...next('restored'), ...own.left, '};'],
      [...fields.right, ...method('Screen'), ...next('restored'), ...own.right, '};'],
      ['a.ts:6-14', 'b.ts:7-15'],
    );
  });

  test('a mostly copied function is the passage', () => {
    const body = (last: string): string[] => [
      '  const items = transfer.items;',
      '  if (!items.length || transfer.isLocked(items)) {',
      '    return;',
      '  }',
      '  const item = items[0];',
      "  if (item.kind === 'file') {",
      '    const file = item.asFile();',
      '    if (!file) {',
      '      return;',
      '    }',
      `    ${last};`,
      '  }',
    ];
    check(
      ['function dropReport(transfer: Transfer): void {', ...body('const source = new Reader(file, 1)'), '}'],
      ['function dropTimeline(transfer: Transfer): void {', ...body('void load.from(file)'), '}'],
      ['a.ts:1-14', 'b.ts:1-14'],
    );
  });

  suite('a passage has whole statements:', () => {
    const javaBody = [
      '    List<Row> rows = reader.readAll(file.toPath());',
      '    for (Row row : rows) {',
      '      if (row.isEmpty() || seen.contains(row.key())) continue;',
      '      seen.add(row.key());',
      '      writer.write(row.key(), row.columns().get(0).trim());',
      '    }',
      '    writer.flush();',
      '    return rows.size() - seen.size();',
      '  }',
    ];

    const unlike = {
      left: [
        '  private static final Map<String, Integer> NUMBERS = Map.of("one", 1, "two", 2, "three", 3);',
        '  protected volatile long[] offsets = new long[16], lengths = new long[2 * CAPACITY];',
        '  static { System.loadLibrary("rows"); }',
        '  enum Mode { FAST, SLOW, NONE }',
      ],
      right: [
        '  void close() throws IOException {',
        '    try (Lock lock = locks.acquire(this)) {',
        '      if (channel != null && channel.isOpen()) channel.close();',
        '    }',
        '  }',
      ],
    };

    test('a method begins with its annotations, also where they differ', () => {
      check(
        [...unlike.left, '  @Before', '  @Timeout(5)', '  int copy(File file) {', ...javaBody],
        [...unlike.right, '  @After("all")', '  int copy(File file) {', ...javaBody],
        ['a.java:5-16', 'b.java:6-16'],
        'java',
      );
    });

    test('a method does not end with the annotations of the next one', () => {
      const method = ['  int copy(File file) {', ...javaBody, '', '  @Test(timeout = 4)', '  @Slow'];
      check([...method, ...unlike.left], [...method, ...unlike.right], ['a.java:1-10', 'b.java:1-10'], 'java');
    });

    test('a function begins with its head if the brace is on the next line', () => {
      const body = [
        '{',
        '\tstruct row *row = list->first;',
        '\twhile (row) {',
        '\t\tif (row->length > limit || !row->text)',
        '\t\t\tbreak;',
        '\t\tcount += append(list->out, row->text, row->length);',
        '\t\trow = row->next;',
        '\t}',
        '\tlist->length = count;',
        '\treturn count ? flush(list->out, 0) : -EINVAL;',
        '}',
      ];
      check(
        ['int offset = 2;', '', 'static int', 'write_rows(struct list *list,', '           unsigned limit)', ...body],
        ['char *name;', '', 'long copy_rows(struct list *list, size_t limit, int *error)', ...body],
        ['a.c:4-16', 'b.c:3-14'],
        'c',
      );
    });

    test('a call whose last argument is a function ends with its closing bracket', () => {
      const login = (user: string): string =>
        `    const login = Buffer.from(${user} + ':' + secret).toString('base64')`;
      const answer = '    const answer = await app.request(request)';
      const isAnswer = '    expect(answer).not.toBeNull()';
      const call = (name: string, last: readonly string[]): string =>
        [
          `  it('${name}', async () => {`,
          login('user'),
          "    request.headers.set('Authorization', `Basic ${login}`)",
          answer,
          ...last,
          '  })',
        ].join('\n');
      const calls = [
        call('admits a user', [isAnswer, "    expect(answer.headers.get('x-custom')).toBe('yes')"]),
        call('admits other letters', [answer, isAnswer]),
      ];
      const document = [...calls, login("'user'")].join('\n');
      const { matches, passagesOf } = matchesOf({ 'a.ts': document });
      const texts = matches.map((match) => passagesOf(match).map((passage) => textOf(document, passage)));
      assert.deepEqual(texts, [calls.map((text) => text.trim())]);
    });

    test('a passage that was cut to whole blocks begins with the head of its first block', () => {
      const isCodec = (name: string): string => `string.Equals(stream.Codec, "${name}", Comparison.Ordinal)`;
      const branch = (name: string, condition = isCodec(name), short = name): string[] => [
        `      if (${condition})`,
        '      {',
        `        return TypeOf(state, options, "${name}", depth, surface)`,
        `            + NameOf(options, "${short}", "kind", "${name}", depth);`,
        '      }',
        '',
      ];
      const either = (first: string, second: string): string[] =>
        branch(second, `${isCodec(first)}\n          || ${isCodec(second)}`);
      const block = (condition: string, ...branches: readonly string[][]): string[] => [
        `    if (${condition})`,
        '    {',
        ...branches.flat(),
        '    }',
        '',
      ];
      const lines = [
        '  string Find(State state, int depth)',
        '  {',
        ...block(
          'isSmall',
          either('one', 'two'),
          branch('three'),
          branch('four'),
          branch('five', isCodec('five'), '5'),
        ),
        ...block('isLarge', branch('six'), branch('seven')),
        ...block('isHuge', either('eight', 'nine')),
        '    return null;',
        '  }',
      ];
      const places = groupsOf({ 'a.cs': lines.join('\n') }).map(placesOf);
      assert.deepEqual(places, [
        ['a.cs:18-28', 'a.cs:34-44'],
        ['a.cs:5-10', 'a.cs:50-55'],
      ]);
    });

    test('equal text that ends inside a block is extended to the block if most of it is copied', () => {
      const equal = [
        '  for (const connection of await connector.connectAll(request, [], timeout)) {',
        '    const options = created.calls[0].options;',
        '    assert.equal(connection.protocol, protocol);',
        '    assert.ok(!connection.isClosed && connector.pool.has(key));',
      ];
      const more = [
        '    if (options.retries > 0) throw new Error(`${options.retries} retries`);',
        '    seen.push({ at: Date.now() - start });',
        '    await fetch("hello").then(() => log.info("sent"));',
      ];
      check(
        ['async function left(title: string) {', ...own.left, ...equal, '  }', ...[...own.left].reverse(), '}'],
        ['async function right(title: string) {', ...own.right, ...equal, ...more, '  }', ...own.right.slice(7), '}'],
        ['a.ts:6-10', 'b.ts:10-17'],
      );
    });

    test('a Python function begins with its decorators, also if only one copy has them', () => {
      const plain = pythonMethod('load', 'rows');
      check(
        ['class Left:', '    kinds = {"one": 1, "two": [2, 3]}', '', '    @cached', ...plain],
        ['class Right:', '    size = max(len(name) for name in names) - 1', '', ...plain],
        ['a.py:4-17', 'b.py:4-16'],
        'py',
      );
    });

    test('a Python function does not end with the decorators of the next one', () => {
      const read = (name: string): string[] => [
        `def test_${name}(reader: Reader) -> None:`,
        `    text = b"GET /rows HTTP/1.1\\r\\nHost: b\\r\\nencoding: ${name}\\r\\n\\r\\n"`,
        '    messages, upgrade, rest = reader.feed_data(text)',
        '    message = messages[0][0]',
        `    assert message.encoding == "${name}"`,
        '    assert not upgrade and rest == b"" and reader.position == len(text)',
      ];
      const skip = (name: string): string => `@mark.skipif(${name} is None, reason="${name} is not installed")`;
      const lines = [
        ...read('zip'),
        '',
        skip('lz'),
        ...read('lz'),
        '',
        skip('br'),
        'def test_br(reader: Reader): pass',
      ];
      assert.deepEqual(groupsOf({ 'a.py': lines.join('\n') }).map(placesOf), [['a.py:1-6', 'a.py:8-14']]);
    });

    const goUnlike = {
      left: [
        '\t\tfmt.Println("usage", os.Args, map[string]int{"x": 1, "y": 2})',
        '\t\tfor i := 0; i < 10; i++ {',
        '\t\t\tgo table.Watch(i)',
        '\t\t}',
        '\t\tnames[len(names)-1], state.open = "", !state.open',
        '\t\tlog.SetFlags(log.Lshortfile | log.LUTC)',
        '\t\treturn errors.Join(errUsage, io.EOF)',
      ],
      right: [
        '\t\tdefer func() { recover(); state = nil }()',
        '\t\tif handler, ok := handlers[words[0]]; ok && !handler.closed {',
        '\t\t\treturn handler.call(context.Background(), words...)',
        '\t\t}',
        '\t\tx, y = y, x*2+1',
        '\t\tfor range ticks {',
        '\t\t\tpanic("late")',
        '\t\t}',
      ],
    };

    test('a passage does not begin or end within a case', () => {
      const cases = [
        '\tcase "add", "insert":',
        '\t\tvalue, err := parse(words[1:], table.Columns())',
        '\t\tif err != nil {',
        '\t\t\treturn fmt.Errorf("cannot add: %w", err)',
        '\t\t}',
        '\t\ttable.Append(value, len(words))',
        '\tcase "remove":',
        '\t\ttable.Remove(words[1], table.Last())',
        '\t\treturn table.Check(words[0] + ": " + words[1])',
      ];
      const side = (others: readonly string[]): string[] => [
        '\tswitch words[0] {',
        '\tcase "help":',
        ...others,
        '\t\ttable.Flush()',
        ...cases,
        '\tcase "close":',
        '\t\ttable.Close()',
        ...[...others].reverse(),
      ];
      check(side(goUnlike.left), side(goUnlike.right), ['a.go:11-19', 'b.go:12-20'], 'go');
    });

    test('a case at the end of a text with an open bracket ends with the text', () => {
      const statement = (name: number, i: number): string =>
        `$v${name}_${i} = $w${name}_${i} + $u${(name * i) % 7} * f($v${i});`;
      const cases = [1, 2, 3, 4, 5, 6].map(
        (name) => `case ${name}: ${Array.from({ length: 20 }, (_, i) => statement(name, i)).join(' ')}`,
      );
      const groups = groupsOf({
        'head.php': ['<?php switch ($x) {', ...cases, 'if ($a) {', ''].join('\n'),
        'foot.php': '<?php } } ?>\n',
        'x.php': ['<?php function g($zz) { while ($q) { switch ($zz) {', ...cases, 'return 5; }}}', ''].join('\n'),
      });
      assert.deepEqual(groups.map(placesOf).at(-1), ['head.php:2-7', 'x.php:2-7']);
    });

    test('a key or an access specifier is no case without others beside it', () => {
      const members = (name: string, edit = ''): string[] =>
        Array.from(
          { length: 12 },
          (_, i) =>
            `    ${name}Key${i}: make${name}(${i + 3}, '${name}${i}', kind${(i * 5) % 7}${i % 5 === 2 ? edit : ''}),`,
        );
      const others = {
        left: Array.from(
          { length: 40 },
          (_, i) => `    left${i}: [rows.at(${i * 31}), 'left${i}', ...extra${(i * i) % 17}],`,
        ),
        right: Array.from({ length: 40 }, (_, i) => `    right${i}: width * ${i} - edge.right${(i * i) % 13} / 2,`),
      };
      const text = (name: keyof typeof others, edit: string): string[] => [
        `export const ${name} = {`,
        ...others[name],
        ...members('First', edit),
        '    default: true,',
        ...members('Second', edit),
        '};',
      ];
      check(text('left', ''), text('right', ' || fallback'), ['a.js:42-66', 'b.js:42-66'], 'js');
    });

    suite('parts of long cases are cut off:', () => {
      const open = (name: string): string => `\t\t${name} := table.Open(words[1], limits.Rows(), "rows")`;
      const append = (name: string): string => `\t\ttable.Append(${name}, len(words), words[2:], limits.Columns())`;
      const short = (name: string): string[] => [open(name), append(name)];
      const long = (name: string): string[] => [
        open(name),
        `\t\tif ${name}.Size() > limits.Size() {`,
        `\t\t\treturn fmt.Errorf("%s is too large: %d", words[1], ${name}.Size())`,
        '\t\t}',
        append(name),
      ];
      const side = (others: readonly string[], lines: readonly string[]): string[] => [
        '\tswitch words[0] {',
        '\tcase "help":',
        ...others,
        ...lines,
        ...[...others].reverse(),
      ];
      const checkCases = (lines: (name: string) => string[], places: readonly string[]): void => {
        check(side(goUnlike.left, lines('row')), side(goUnlike.right, lines('line')), places, 'go');
      };

      test('short parts of two cases are no passage', () => {
        checkCases((name) => [...short(name), '\tcase "move":', ...short(`${name}2`)], []);
      });
      test('a passage ends before a case that is not complete', () => {
        checkCases((name) => [...long(name), '\tcase "move":', ...short(`${name}2`)], ['a.go:10-14', 'b.go:11-15']);
      });
      test('a passage begins after the head of a case that is not complete', () => {
        checkCases(
          (name) => [...short(name), '\tcase "move", "push",', '\t\t"pull":', ...long(`${name}2`)],
          ['a.go:14-18', 'b.go:15-19'],
        );
      });
    });
  });

  /** Checks the passages of all matches of documents. Returns the number of matches. */
  function checkAll(documents: Documents): number {
    const { matches, passagesOf } = matchesOf(documents);
    for (const match of matches) {
      // Equal text is matched completely.
      if (match.equal === match.a1 - match.a0 && match.equal === match.b1 - match.b0) continue;
      for (const passage of passagesOf(match)) {
        const document = documents[passage.path];
        const text = textOf(document, passage);
        const isWhole = isBalanced(text) || isBalanced(textOf(withoutOrphans(document), passage));
        assert.ok(isWhole, `${passage.path}:${passage.startLine}-${passage.endLine}\n${text}`);
      }
    }
    return matches.length;
  }

  test('a Python passage is the copied function, not the end and the head around it', () => {
    const bodies = {
      left: [
        '        for row in target: row.paint(2 * self.width, inset=[4, -1])',
        '        while queue: queue.pop(0)(self.clock.now() + 25)',
        '        state = {"open": True, "label": " ".join([title, "shown"]), **state}',
        '        yield from sorted(state.items(), key=lambda it: -it[1])',
      ],
      right: [
        '        assert page.number or not self.is_empty, "no page"',
        '        try: return self.take(event.detail) if event else None',
        '        except (KeyError, OSError) as error: log.warning(error)',
        '        global_state |= {name for name in dir(page) if name[0] != "_"}',
        '        self.files[path].write("".join(c.upper() for c in limit))',
      ],
    };
    const before = (target: string): string[] => [
      '        self.forget(self.names(), level=2)',
      `        return ${target}.describe("shelf", self.depth)`,
      '',
    ];
    const after = [
      '',
      '    def close(self, path, limit=None, encoding="utf-8"):',
      '        if not self.is_open(path):',
    ];
    check(
      [
        ...['class Left:', '    def save(self, target):', ...bodies.left],
        ...before('target'),
        ...pythonMethod('load', 'rows'),
        ...after,
        ...['            del self.rows[path], self.places["close"]', ...bodies.left.slice(2)],
      ],
      [
        ...['class Right:', '    def print(self, page):', ...bodies.right],
        ...before('page'),
        ...pythonMethod('read', 'lines'),
        ...after,
        ...['            raise OSError(path)', ...bodies.right.slice(3)],
      ],
      ['a.py:10-22', 'b.py:11-23'],
      'py',
    );
  });

  test('a Ruby passage contains the end of its last block, and not that of the one before', () => {
    const spec = (name: string, own: readonly string[]): string[] => [
      `describe ${name} do`,
      `  it "begins as ${name}" do`,
      ...own.map((line) => `    ${line}`),
      '    expect(subject.first).to be_nil',
      '  end',
      '',
      '  it "adds the rows of a file in their order" do',
      '    file = Row.open_all("fixtures/rows.csv", headers: true)',
      '    subject.add(file.rows, at: subject.size)',
      '    file.rows.each_with_index do |row, place|',
      '      expect(subject[place].name).to eq(row.name)',
      '      expect(subject[place].parent).to eq(subject)',
      '    end',
      '  end',
      '',
      '  it "is closed by its owner" do',
      ...own.map((line) => `    ${line}.reverse`),
      '  end',
      'end',
    ];
    check(
      spec('Table', ['a = 1', 'subject.a(:b)']),
      spec('Stack', ['other.each(&:delete)']),
      ['a.rb:8-15', 'b.rb:7-14'],
      'rb',
    );
  });

  suite('elements of markup', () => {
    const dependency = (group: string, name: string, exclusions: readonly string[]): string[] => [
      '    <dependency>',
      `      <groupId>org.${group}.core</groupId>`,
      `      <artifactId>${name}</artifactId>`,
      '      <exclusions>',
      ...exclusions.flatMap((artifact) => [
        '        <exclusion>',
        `          <groupId>org.${artifact}.external</groupId>`,
        `          <artifactId>${artifact}</artifactId>`,
        '        </exclusion>',
      ]),
      '      </exclusions>',
      '    </dependency>',
    ];
    const project = (...dependencies: readonly string[]): string[] => [
      '<project>',
      '  <dependencies>',
      ...dependencies,
      '  </dependencies>',
      '</project>',
    ];
    const exclusions = ['injection', 'transactions', 'logging', 'caching'];

    test('a passage begins and ends with whole elements', () => {
      check(
        project(
          '    <!-- Only on the left. -->',
          '    <left first="1" second="2" third="3"/>',
          ...dependency('copied', 'common', exclusions),
          ...dependency('copied', 'left', ['parsing']),
        ),
        project(
          '    <right>The right project has a text of its own here.</right>',
          ...dependency('copied', 'common', exclusions),
          '    <dependency>',
          '      <groupId>org.copied.core</groupId>',
          '      <version>12</version>',
          '    </dependency>',
        ),
        ['a.xml:5-26', 'b.xml:4-25'],
        'xml',
      );
    });

    test('a passage does not end between the attributes of a tag', () => {
      const item = (name: string): string[] => [
        '  <section class="item">',
        '    <button',
        '      type="button"',
        `      title="Open the ${name}"`,
        '      class="item-button item-button-large"',
        '    >',
        `      Open the ${name} of this page`,
        '    </button>',
        '    <img class="item-image item-image-large" alt="" loading="lazy" src="item.svg">',
        `    <a class="item-link item-link-large" rel="nofollow" href="/items/${name}">Show all items</a>`,
        '  </section>',
      ];
      const form = (...attributes: readonly string[]): string[] => [
        '  <input',
        '    type="text"',
        '    class="field field-large"',
        '    autocomplete="off"',
        ...attributes,
        '  />',
      ];
      check(
        ['<main>', ...item('list'), ...form('    name="left" maxlength="20" placeholder="Left"'), '</main>'],
        ['<body>', ...item('list'), ...form('    id="other" value="7" readonly'), '  <hr>', '</body>'],
        ['a.html:2-12', 'b.html:2-12'],
        'html',
      );
    });

    test('text without indentation is one passage', () => {
      const page = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].flatMap((place) => [
        '<p>',
        `The ${place} paragraph of the page has a few words of its own,`,
        `and the ${place} line after it has some, too.`,
        '</p>',
      ]);
      check(['<main>', ...page, '</main>'], ['<body>', ...page, '</body>'], ['a.html:2-25', 'b.html:2-25'], 'html');
    });

    test('functions in the scripts of a page are whole', () => {
      const script = (before: string, ...lines: readonly string[]): string[] => [
        '<body>',
        '<script>',
        before,
        'function show(rows) {',
        '  for (const row of rows) {',
        '    const item = document.createElement("li");',
        '    item.textContent = row.name + " " + row.size;',
        '    list.append(item);',
        '  }',
        '  list.hidden = rows.length === 0;',
        '}',
        ...lines,
        '</script>',
        '</body>',
      ];
      check(
        script('window.left = [1, 2, 3].map(String);', 'show(load(location.hash, 12));'),
        script(
          'while (other.top < 12) await other.move(-1);',
          'setInterval(() => show(read()), 900);',
          'other.focus();',
        ),
        ['a.html:4-11', 'b.html:4-11'],
        'html',
      );
    });
  });

  test('a passage in JSX begins and ends with whole elements', () => {
    const card = (name: string): string[] => [
      '      <Card color="lime" className="card-large">',
      '        <div className="card-icon">{icons.exportToFile}</div>',
      '        <div className="card-details">',
      `          {translate("dialog.${name}", { count: files.length })}`,
      '        </div>',
      '        <IconButton',
      '          className="card-button"',
      '          title={translate("dialog.button")}',
      '          onClick={() => execute(actionSave, "ui")}',
      '        />',
      '      </Card>',
    ];
    const field = (...attributes: readonly string[]): string[] => [
      '      <TextField',
      '        className="field field-large"',
      '        autoComplete="off"',
      ...attributes,
      '      />',
    ];
    const left = [
      'export const Save = memo(({ files }: Props) => (',
      '    <Dialog size={4} onClose={() => history.back()}>',
      '      <h2 id="save">{files.map((file) => file.name).join(", ")}</h2>',
      ...card('save'),
      ...field('        maxLength={20}', '        value={name ?? files[0].name}', '        onChange={rename}'),
      '      {isBusy ? <Spinner /> : null}',
      '    </Dialog>',
      '));',
    ];
    const right = [
      'export function Share() {',
      '  const [link, setLink] = useState<string>();',
      '  useEffect(() => void fetchLink(document.id).then(setLink), []);',
      '  if (link === undefined) return null;',
      '  return (',
      '    <>',
      ...card('share'),
      ...field('        onBlur={(event) => check(event.target)}', '        rows={3}'),
      '      <p>Everybody who has the link can read the drawing.</p>',
      '    </>',
      '  );',
      '}',
    ];
    check(left, right, ['a.tsx:4-14', 'b.tsx:7-17'], 'tsx');
  });

  test('in edited copies of Python functions', () => {
    let count = 0;
    const names = ['load', 'read', 'take', 'find', 'make'];
    const text = ['class Store:', ...names.flatMap((name) => [...pythonMethod(name, `${name}ed`), ''])];
    fc.assert(
      fc.property(fc.array(lineEdit, { minLength: 2, maxLength: 8 }), (edits) => {
        const copy = edits
          .reduce<readonly string[]>((lines, edit) => editLine(lines, { ...edit, at: 2 + edit.at }), text)
          .map((line) => line.replace(/^ {2}own/, '        own'));
        const documents = { 'a.py': text.join('\n'), 'b.py': copy.join('\n') };
        const { matches, passagesOf } = matchesOf(documents);
        for (const match of matches) {
          if (match.equal === match.a1 - match.a0 && match.equal === match.b1 - match.b0) continue;
          for (const { path: file, startLine, endLine } of passagesOf(match)) {
            const lines = documents[file as keyof typeof documents].split('\n');
            assert.ok(hasWholeIndents(lines, startLine - 1, endLine), `${file}:${startLine}-${endLine}`);
            count++;
          }
        }
      }),
      { numRuns: 100 },
    );
    assert.ok(count > 100, `${count}`);
  });

  test('in documents that repeat themselves', () => {
    let count = 0;
    fc.assert(
      fc.property(repeatingDocuments, (documents) => {
        count += checkAll(documents);
      }),
      { numRuns: 150 },
    );
    assert.ok(count > 100, `${count}`);
  });

  test('in edited copies of real files', () => {
    const folder = path.resolve('src/core/engine/groups');
    const texts = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
    fc.assert(
      fc.property(fc.nat(texts.length - 1), fc.array(lineEdit, { minLength: 4, maxLength: 9 }), (which, edits) => {
        // Without literals, whose brackets have no partners.
        const lines = texts[which]
          .replace(/'[^'\n]*'|`[^`]*`|\/\*.*?\*\/|\/\/.*/gs, 'text')
          .split('\n')
          .slice(0, 120);
        checkAll({ 'a.ts': lines.join('\n'), 'b.ts': edits.reduce(editLine, lines).join('\n') });
      }),
      { numRuns: 60 },
    );
  });

  test('passages that were not fitted to blocks are judged by their own names', () => {
    // The blocks around them rename their names consistently, and these passages do not.
    const left = [
      '  for (const entryCode of lineEntry) {',
      '  const count = code(size, pageCount);',
      '  for (const code of role) {',
      '    const text = value(line, page);',
      "    text['totalCode'] = { fieldEntry: order, name: 6 };",
      '  }',
      '  const total = value(code, text);',
      "  await this.time.countField(countOrder, 'code');",
      "  time['list'] = { count: price, total: 6 };",
      "  await this.role.time(fieldName, 'entry');",
    ];
    const right = [
      '  for (const entryCode of valueEntry) {',
      '  const order = code(field, pageCount);',
      '  for (const code of role) {',
      '    const code = value(value, page);',
      "    code['totalCode'] = { fieldEntry: order, role: 6 };",
      '  }',
      "  time['list'] = { count: price, total: 6 };",
      "  await this.codeText.item(value, 'item');",
    ];
    check(left, right, []);
  });
});

function textOf(text: string, { startLine, startColumn, endLine, endColumn }: Passage): string {
  const lines = text.split('\n').slice(startLine - 1, endLine);
  lines[lines.length - 1] = lines[lines.length - 1].slice(0, endColumn - 1);
  lines[0] = lines[0].slice(startColumn - 1);
  return lines.join('\n');
}

function pythonMethod(name: string, rows: string): string[] {
  return [
    `    def ${name}(self, path, limit=None, encoding="utf-8"):`,
    '        if not self.is_open(path) or self.is_locked(path):',
    '            raise StoreError("%s is locked" % path)',
    `        ${rows} = []`,
    '        with self.reader(path, encoding) as source:',
    '            for number, line in enumerate(source):',
    '                if limit is not None and number >= limit:',
    '                    break',
    '                if line.startswith(self.comment):',
    '                    continue',
    `                ${rows}.append(self.parse(line.strip(), number))`,
    `        self.count += len(${rows})`,
    `        return ${rows}`,
  ];
}

/**
 * Returns true if lines [from, to) of Python have no head of a block that ends behind them, nor the end of another one.
 */
function hasWholeIndents(lines: readonly string[], from: number, to: number): boolean {
  const column = (line: string): number => line.search(/\S/);
  // The number of lines around each line, each of which is indented less than the one inside it.
  const depths = lines.map((line, i) => {
    let [depth, minColumn] = [0, column(line)];
    for (const before of lines.slice(0, i).reverse()) {
      if (before === '' || column(before) >= minColumn) continue;
      depth++;
      minColumn = column(before);
    }
    return depth;
  });
  const written = [...lines.keys()].filter((i) => lines[i] !== '');
  const inside = written.filter((i) => i >= from && i < to);
  const next = written.find((i) => i >= to);
  const head = next && written.filter((i) => i < to && depths[i] < depths[next]).at(-1);
  return inside.every((i) => depths[i] >= depths[inside[0]]) && (head === undefined || head < from);
}

/** Replaces the brackets that have no partner in the text, because the line of the partner was deleted. */
function withoutOrphans(text: string): string {
  const open: { readonly closing: string; readonly at: number }[] = [];
  const orphans = new Set<number>();
  for (const { 0: bracket, index: at } of text.matchAll(/[()[\]{}]/g)) {
    const kind = '([{'.indexOf(bracket);
    if (kind >= 0) open.push({ closing: ')]}'[kind], at });
    else if (!open.some(({ closing }) => closing === bracket)) orphans.add(at);
    else while (open.at(-1)!.closing !== bracket) orphans.add(open.pop()!.at);
    if (kind < 0 && !orphans.has(at)) open.pop();
  }
  for (const { at } of open) orphans.add(at);
  return text
    .split('')
    .map((unit, at) => (orphans.has(at) ? ' ' : unit))
    .join('');
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const bracket of text.replace(/'[^'\n]*'|`[^`]*`|"[^"\n]*"/g, '').match(/[()[\]{}]/g) ?? []) {
    depth += '([{'.includes(bracket) ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
