import assert from 'node:assert/strict';
import { tellingLine } from '../../src/presentation/wording/tellingLine.ts';

suite('the telling line of a passage', () => {
  const check = (path: string, line: string | undefined, ...lines: readonly string[]): void =>
    assert.equal(tellingLine(lines, 'code', path), line, lines.join('\n'));

  test('is not a decorator, an annotation, an attribute, or a modifier', () => {
    check('a.ts', 'class Terminal', '@injectable()', 'export class Terminal {');
    check('a.ts', 'class Terminal', '@Component({', "  selector: 'a)b',", '  inputs: [one],', '})', 'class Terminal {');
    check('a.ts', 'name: string;', '@inject(ILogger) @named(`x`)', '  protected readonly name: string;');
    check('A.java', 'void read()', '@Override', '@SuppressWarnings({"a", "b"})', 'public final void read() {');
    check('A.java', 'void reads()', '@Test public void reads() {');
    check('A.java', '@interface Marker', 'public @interface Marker {');
    check('a.py', 'def index(page):', "@app.route('/', methods=['GET'])", 'def index(page):');
    check('A.cs', 'Task Reads(int a,', '[Fact(Skip = "no")]', 'public async Task Reads(int a,');
    check('a.rs', 'struct Row', '#[derive(Debug, Clone)]', 'pub struct Row {');
    check('a.php', 'function index()', "#[Route('/')]", 'public function index() {');
  });

  test('may look like a decorator if it is not one', () => {
    check('a.css', '@media (max-width: 60em)', '@media (max-width: 60em) {', '  a { color: red }');
    check('a.rb', '@total = sum(list)', '@total = sum(list)');
    check('a.ts', 'rows', '  ],', '[1, 2],', 'rows = [');
    check('a.m', '@interface Row : NSObject', '@interface Row : NSObject');
    check('a.ts', '@injectable()', '@injectable()');
  });

  test('of prose is its first text, without markup', () => {
    assert.equal(tellingLine(['', '## Arrays  and', 'lists'], 'prose', 'a.md'), 'Arrays and');
    assert.equal(
      tellingLine(['<!-- YAML', 'added: v1', '-->', '* `buffer` {Buffer}'], 'prose', 'a.md'),
      'buffer {Buffer}',
    );
    assert.equal(tellingLine(['<!-- YAML', 'added: v1'], 'prose', 'a.md'), '<!-- YAML');
    assert.equal(tellingLine([], 'prose', 'a.md'), undefined);
  });
});
