/** Exactness in the tree, for each pair: identical, renamed, or edited. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { statementsOf } from '../manyFiles.ts';
import { suiteWorkbench } from './workbench.ts';

const original = `export function berthsOf(quay: Quay, ships: readonly Ship[]): Berth[] {
  const free = quay.berths.filter((berth) => berth.ship === undefined);
  const waiting = ships.filter((ship) => !ship.isMoored && ship.draught < quay.depth);
  const taken: Berth[] = [];
  for (const ship of waiting.sort((x, y) => x.arrival - y.arrival)) {
    const fitting = free.find((berth) => berth.length >= ship.length * 1.1);
    if (fitting === undefined) continue;
    free.splice(free.indexOf(fitting), 1);
    taken.push({ ...fitting, ship, since: quay.clock.now() });
    quay.log.write(\`\${ship.name} moored at \${fitting.number}\`);
  }
  return taken.length > 0 ? taken : quay.emergencyBerths.slice(0, waiting.length);
}
`;
const paragraph = `The harbour opens at five in the morning, and each ship that waits outside is called by radio in the
order of its arrival. A ship that does not answer within ten minutes loses its place, but may ask for another one at the
office beside the lighthouse, where the master on duty keeps a list of the berths that are free until the next tide.
`;

suite('the exactness of copies', () => {
  const workbench = suiteWorkbench({
    fixture: 'shop',
    fill: async (folder) => {
      const files = {
        'one.ts': original,
        'two.ts': original,
        'three.ts': original
          .replaceAll('waiting', 'queued')
          .replaceAll('fitting', 'suitable')
          .replaceAll('free', 'open'),
        'alone.ts': only('alone'),
        'again.ts': only('alone'),
        'north.md': paragraph,
        'south.md': paragraph.replaceAll('harbour', 'port').replaceAll('ship', 'vessel'),
      };
      for (const [place, [name, text]] of Object.entries(files).entries()) {
        // Other text, so that the passage is not the whole file.
        const own = name.endsWith('.ts') ? statementsOf(1 + place * 1000, 40) : wordsOf(name);
        await writeFile(path.join(folder, name), `${own}\n\n${text}`);
      }
    },
  });

  test('is that of each pair: a verbatim copy is identical although another one in its group is renamed', async () => {
    await workbench().showViews();
    const group = row('berthsOf · 3 copies');
    await workbench().clickUntil(group, row(/^\s*one\.ts:\S+ · identical/));
    await row(/^\s*two\.ts:\S+ · identical/).waitFor();
    await row(/^\s*three\.ts:\S+ · renamed/).waitFor();
    await workbench().screenshot('exactness');
    assert.equal(await iconOf('berthsOf · 3 copies'), 'replace');
  });

  test('has an icon of its own if all copies are identical', async () => {
    await row('alone · 2 copies').waitFor();
    assert.equal(await iconOf('alone · 2 copies'), 'copy');
    assert.equal(await iconOf('load_orders'), 'replace');
  });

  test('of prose is never called renamed', async () => {
    await row('north.md').waitFor();
    assert.equal(await iconOf('north.md'), 'book');
    await workbench().clickAction(row('north.md'), 'Compare Copies');
    const title = await workbench().tab('north.md').innerText();
    assert.match(title, /edited/);
    assert.doesNotMatch(title, /renamed/);
    await workbench().screenshot('exactness of prose');
  });

  function row(text: string | RegExp) {
    return workbench().treeRows(text).first();
  }

  /** Returns the name of a row's icon. */
  async function iconOf(text: string): Promise<string | undefined> {
    const icon = row(text).locator('.custom-view-tree-node-item-icon.codicon');
    return /codicon-(\S+)/.exec((await icon.getAttribute('class')) ?? '')?.[1];
  }
});

/** Returns a function that has nothing in common with `original`. */
function only(name: string): string {
  const lines = Array.from({ length: 14 }, (_, n) => `  tally.add(${n}, crates[${n * 3}], 'row ${n * 7}', weight);`);
  return `export function ${name}(tally, crates, weight) {\n${lines.join('\n')}\n}\n`;
}

/** Returns a paragraph that no other text contains. */
function wordsOf(name: string): string {
  return Array.from({ length: 200 }, (_, n) => `${name.slice(0, -3)}${(n * n * 31) % 997}`).join(' ');
}
