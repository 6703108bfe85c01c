/** Words that appeared after the idf table was measured are significant. */
import assert from 'node:assert/strict';
import { type Documents, findingsOf, LiveTextCorpus } from './corpusOf.ts';

const original = `export function settleLedger(ledger: Ledger, cutoff: Date): Settlement {
  const overdue: Invoice[] = [];
  let outstanding = 0;
  for (const invoice of ledger.invoices) {
    if (invoice.settledOn !== undefined) continue;
    if (invoice.dueOn > cutoff) continue;
    outstanding += invoice.amount - invoice.paid;
    overdue.push(invoice);
  }
  overdue.sort((x, y) => x.dueOn.getTime() - y.dueOn.getTime());
  const reminder = overdue.length > 3 ? composeReminder(ledger.customer, overdue) : undefined;
  ledger.audit.record('settled', overdue.length, outstanding);
  return { overdue, outstanding, reminder, cutoff };
}
`;

/** Like `original`, with statements changed, inserted, and removed. */
const edited = `export function settleLedger(ledger: Ledger, cutoff: Date): Settlement {
  const overdue: Invoice[] = [];
  let outstanding = 0;
  for (const invoice of ledger.invoices) {
    if (invoice.settledOn !== undefined) continue;
    if (invoice.dueOn > cutoff || invoice.isDisputed()) continue;
    metrics.count('overdue', invoice.region);
    outstanding += convert(invoice.amount, invoice.currency);
    overdue.push(invoice);
  }
  overdue.sort(byUrgency);
  const reminder = overdue.length > 3 ? composeReminder(ledger.customer, overdue) : undefined;
  notify(ledger.owner, reminder);
  return { overdue, outstanding, reminder, cutoff };
}
`;

const others: Documents = { 'other.ts': 'export const unrelated = parse("something", 17);\n' };

suite('words that are missing from the idf table', () => {
  test('an edited copy that consists of them is found', () => {
    const live = new LiveTextCorpus({ ...others });
    live.findings();
    live.put('a.ts', original);
    live.put('b.ts', edited);
    const found = live.findings().groups.map(({ kind, passages }) => ({ kind, passages }));
    const fresh = findingsOf({ ...others, 'a.ts': original, 'b.ts': edited }).groups;
    assert.ok(fresh.length > 0);
    assert.deepEqual(
      found,
      fresh.map(({ kind, passages }) => ({ kind, passages })),
    );
  });
});
