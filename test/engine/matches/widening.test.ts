/** Matches that are extended to the enclosing blocks. */
import assert from 'node:assert/strict';
import { findingsOf } from '../corpusOf.ts';

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
});
