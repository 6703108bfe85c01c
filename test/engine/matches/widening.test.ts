/** Matches that are extended to the enclosing blocks. */
import assert from 'node:assert/strict';
import { findingsOf, groupsOf, placesOf } from '../corpusOf.ts';

suite('widening', () => {
  test('aligns again in the enclosing block if a bracket was left open', () => {
    const written = [
      'function addEntry(ledger: Ledger, entry: Entry, index: number[], indirect: boolean): Ledger {',
      '  if (ledger === undefined) {',
      '    ledger = makeLedger(entry.owner);',
      '  }',
      '  const key = entry.identity();',
      '  if (!indirect) {',
      '    const known = ledger.find(key, index);',
      '    if (known === undefined) {',
      '      ledger.set(key, found);',
      '      return ledger;',
      '    }',
      '  }',
      '  ledger.set(key, undefined);',
      '  return ledger;',
      '}',
    ];
    const edited = [
      ...written.slice(0, 3),
      "    report.warn(origin, 'initialization cycle', origin.name());",
      '  }',
      ...written.slice(5, 8),
      '    }',
      '  }',
      "  seed = parseNumber(text.trimStart('fuzz='));",
      '}',
    ];
    const { groups } = findingsOf({ 'a.ts': written.join('\n'), 'b.ts': edited.join('\n') });
    const [group, ...others] = groups.filter(({ kind }) => kind !== 'file');
    assert.deepEqual(others, []);
    assert.deepEqual(
      group.passages.map(({ startLine, endLine }) => [startLine, endLine]),
      [
        [1, written.length],
        [1, edited.length],
      ],
    );
    // Without the statement with the open bracket, which both contain, it is 0.65.
    assert.ok(group.similarity > 0.7, String(group.similarity));
  });

  test('extends a copied method to the classes around it only if these are alike', () => {
    const method = [
      'Document load(Reader reader, Index index) {',
      '    Document document = new Document(index.name());',
      '    String line = reader.first();',
      '    while (line != null) {',
      `        int colon = line.indexOf(':');`,
      '        if (colon < 0) {',
      '            index.report("no colon", line, reader.position());',
      '        } else {',
      '            String key = line.substring(0, colon).trim();',
      '            String value = line.substring(colon + 1).trim();',
      '            Field field = index.fieldOf(key);',
      '            if (field == null) {',
      '                field = new Field(key, index.defaults());',
      '                index.register(field);',
      '            }',
      '            document.put(field, field.parse(value));',
      '        }',
      '        line = reader.next();',
      '    }',
      '    index.count(document.size());',
      '    return document;',
      '}',
    ];
    const shop = [
      'private final Map<Key, Price> prices;',
      'int total() { return prices.size() * 3 + base; }',
      'void close() throws IOException { stream.flush(); socket.shutdown(); }',
      'boolean isOpen() { return socket != null && !socket.isClosed(); }',
      'static Shop of(Owner owner) { return new Shop(owner, owner.city()); }',
      'long weight(Parcel p) { return p.grams() + p.box().grams(); }',
      `String label() { return city + '/' + street; }`,
    ];
    const scene = [
      'protected List<Node> children = new ArrayList<>();',
      'Node root() { Node n = this.node; while (n.up() != null) n = n.up(); return n; }',
      'void rotate(double angle) { matrix.mul(Math.cos(angle), Math.sin(angle)); }',
      'float depth() { float d = 0f; for (Node c : children) d = Math.max(d, c.z()); return d; }',
      '@Override public int hashCode() { return Objects.hash(node, children); }',
      'Color mix(Color x, Color y) { return x.lerp(y, 0.5f).clamp(); }',
      'void draw(Canvas c) { c.push(matrix); c.fill(shape); c.pop(); }',
    ];
    const classOf = (name: string, members: readonly string[]): string =>
      [`class ${name} {`, ...[...members, ...method].map((line) => `    ${line}`), '}'].join('\n');
    const documents = { 'a.java': classOf('Shop', shop), 'b.java': classOf('Scene', scene) };
    const groups = groupsOf(documents, { minSimilarity: 0.45 });
    assert.deepEqual(groups.map(placesOf), [['a.java:9-30', 'b.java:9-30']]);
  });
});
