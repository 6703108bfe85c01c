import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import type { Group } from '../../src/core/engine/report/report.ts';
import type { PassageRow } from '../../src/presentation/wording/outline.ts';
import { findPeers, mostShared, sharedLines } from '../../src/presentation/wording/peers.ts';

type Place = readonly [path: string, startLine: number, endLine: number];

function groupOf(id: string, places: readonly Place[]): Group {
  const passages = places.map(([path, startLine, endLine]) => {
    return { path, startLine, endLine, startColumn: 1, endColumn: 1, tokens: 1 };
  });
  return {
    id,
    kind: 'code',
    type: 'near',
    similarity: 1,
    lines: 1,
    tokens: 1,
    category: 'source',
    worth: 1,
    passages,
    pairs: [],
  };
}

function rowOf(group: Group): PassageRow {
  return { type: 'group', group, rows: [] };
}

/** Rows named by their index, each in the given files. */
function rowsIn(...files: readonly (readonly string[])[]): PassageRow[] {
  return files.map((paths, index) =>
    rowOf(
      groupOf(
        String(index),
        paths.map((path) => [path, 1, 1]),
      ),
    ),
  );
}

/** Sets of peers in words: name, files, and rows. */
function check(rows: readonly PassageRow[], ...expected: string[]): void {
  const found = findPeers(rows).map(({ peers, rows: own }) => {
    return `${peers.name}: ${peers.paths.join(' ')} (${own.map((row) => rows.indexOf(row)).join(' ')})`;
  });
  assert.deepEqual(found, expected);
}

/** The definition: counts links between clusters anew for each pair of files. */
function slowPeers(rows: readonly (readonly string[])[]): string[] {
  const distinct = rows.map((paths) => [...new Set(paths)]);
  const files = [...new Set(distinct.flat())].sort();
  const shared = (x: string, y: string): number =>
    distinct.filter((paths) => paths.length <= 12 && paths.includes(x) && paths.includes(y)).length;
  const pairs = files.flatMap((x, i) => files.slice(i + 1).map((y) => ({ x, y, count: shared(x, y) })));
  // A stable sort: pairs with equal counts stay in the order of their paths.
  pairs.sort((one, other) => other.count - one.count);
  let clusters = files.map((file) => [file]);
  for (const { x, y } of pairs.filter(({ count }) => count >= 2)) {
    const [ofX, ofY] = [x, y].map((file) => clusters.find((cluster) => cluster.includes(file))!);
    if (ofX === ofY) continue;
    const linked = ofX.flatMap((one) => ofY.filter((other) => shared(one, other) > 0)).length;
    if (2 * linked < ofX.length * ofY.length) continue;
    clusters = [...clusters.filter((cluster) => cluster !== ofX && cluster !== ofY), [...ofX, ...ofY]];
  }
  const sets = clusters.flatMap((cluster) => {
    const own = distinct.flatMap((paths, i) =>
      paths.length > 1 && 2 * paths.filter((file) => cluster.includes(file)).length > paths.length ? [i] : [],
    );
    const covered = [...new Set(own.flatMap((i) => distinct[i]))].sort();
    return own.length >= 3 && covered.length >= 3 ? [{ covered, own }] : [];
  });
  const placed = sets.flatMap(({ own }) => own);
  const inOrder = [...sets].sort((x, y) => (x.covered.join('\0') < y.covered.join('\0') ? -1 : 1));
  for (const [i, paths] of distinct.entries()) {
    if (paths.length < 2 || placed.includes(i)) continue;
    inOrder.find(({ covered }) => paths.every((path) => covered.includes(path)))?.own.push(i);
  }
  return sets.map(({ covered, own }) => `${covered.join(' ')} (${own.sort((x, y) => x - y).join(' ')})`);
}

suite('peers', () => {
  test('are files that share rows in changing sets', () => {
    check(
      rowsIn(
        ['a/MysqlRunner.ts', 'b/OracleRunner.ts'],
        ['a/MysqlRunner.ts', 'b/OracleRunner.ts', 'c/SapRunner.ts'],
        ['b/OracleRunner.ts', 'c/SapRunner.ts'],
        ['a/MysqlRunner.ts', 'other.ts'],
        ['a/MysqlRunner.ts', 'a/MysqlRunner.ts'],
      ),
      'Runner: a/MysqlRunner.ts b/OracleRunner.ts c/SapRunner.ts (0 1 2)',
    );
  });

  test('include the other files of a row most of whose files are peers', () => {
    check(rowsIn(['x/a', 'b'], ['x/a', 'b'], ['x/a', 'b', 'c'], ['x/a', 'd']), 'b, a, c: b c x/a (0 1 2)');
  });

  test('include rows whose files are all peers', () => {
    const rows = [['a', 'b'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'd'], ['c', 'd'], ['d', 'e'], ['c']];
    check(rowsIn(...rows), 'a, b, …: a b c d (0 1 2 3 4)');
  });

  test('are not two files, and not files with two rows', () => {
    check(rowsIn(['a', 'b'], ['a', 'b'], ['a', 'b']));
    check(rowsIn(['a', 'b', 'c'], ['a', 'b', 'c']));
  });

  test('are not files in a chain', () => {
    const link = ['a', 'b', 'c', 'd', 'e'].flatMap((file, i, all) => {
      return i === 0
        ? []
        : [
            [all[i - 1], file],
            [all[i - 1], file],
          ];
    });
    check(rowsIn(...link), 'b, a, c: a b c (0 1 2 3)');
  });

  test('are not linked by a row of more than twelve files', () => {
    const many = Array.from({ length: 13 }, (_, n) => `lib/f${n}`);
    check(rowsIn(many, many, many));
    const fewer = many.slice(1);
    check(rowsIn(fewer, fewer, fewer), `f1, f10, …: ${[...fewer].sort().join(' ')} (0 1 2)`);
  });

  test('are called by what their names have in common, by their folder, or by those in most groups', () => {
    const nameOf = (...paths: string[]): string => findPeers(rowsIn(paths, paths, paths))[0].peers.name;
    assert.equal(
      nameOf('x/ngx_http_grpc_module.c', 'x/ngx_http_proxy_module.c', 'x/ngx_http_scgi_module.c'),
      'ngx_http…_module',
    );
    assert.equal(nameOf('src/a/main.rs', 'src/b/main.rs', 'src/c/main.rs'), 'main.rs');
    assert.equal(nameOf('net/IPAddress.cpp', 'net/IPAddressV4.cpp', 'net/IPAddressV6.cpp'), 'IPAddress');
    assert.equal(nameOf('net/mod.rs', 'net/mod-a.rs', 'net/mod-b.rs'), 'net');
    assert.equal(nameOf('lib/vquic/ngtcp2.c', 'lib/vquic/osslq.c', 'lib/vquic/quiche.c'), 'vquic');
    assert.equal(nameOf('gui/src/box.rs', 'gui/src/lib.rs', 'gui/src/text.rs'), 'gui');
    assert.equal(nameOf('lib/imap.c', 'lib/pop3.c', 'lib/smtp.c'), 'imap, pop3, smtp');
    assert.equal(nameOf('a/mod.rs', 'b/index.ts', 'c/lines.rs'), 'a, b, lines');
    const [{ peers }] = findPeers(
      rowsIn(['b/yaml', 'c/kdl'], ['b/yaml', 'c/kdl'], ['a/csv', 'b/yaml', 'c/kdl'], ['b/yaml', 'c/kdl', 'd/xml']),
    );
    assert.equal(peers.name, 'yaml, kdl, …');
  });

  test('equal their definition, in any order of the rows', () => {
    const file = fc.integer({ min: 0, max: 8 }).map((n) => `file${n}`);
    const row = fc.array(file, { minLength: 1, maxLength: 4 });
    let found = 0;
    fc.assert(
      fc.property(fc.array(row, { maxLength: 14 }), fc.infiniteStream(fc.nat()), (files, numbers) => {
        const rows = rowsIn(...files);
        const words = (peerRows: readonly PassageRow[]): string[] =>
          findPeers(peerRows).map(({ peers, rows: own }) => {
            const places = own.map((it) => rows.indexOf(it)).sort((x, y) => x - y);
            return `${peers.paths.join(' ')} (${places.join(' ')})`;
          });
        const expected = slowPeers(files).sort();
        assert.deepEqual(words(rows).sort(), expected);
        const shuffled = rows
          .map((it) => ({ it, at: numbers.next().value as number }))
          .sort((x, y) => x.at - y.at)
          .map(({ it }) => it);
        assert.deepEqual(words(shuffled).sort(), expected);
        found += expected.length;
      }),
      { numRuns: scaled(2000) },
    );
    assert.ok(found >= scaled(200), `${found} sets`);
  });

  test('share the lines of their groups, each counted once', () => {
    const [{ peers }] = findPeers([
      rowOf(
        groupOf('0', [
          ['a', 1, 10],
          ['a', 21, 30],
          ['b', 5, 9],
        ]),
      ),
      rowOf(
        groupOf('1', [
          ['a', 6, 12],
          ['c', 1, 7],
        ]),
      ),
      rowOf(
        groupOf('2', [
          ['a', 1, 2],
          ['b', 8, 11],
        ]),
      ),
      rowOf(
        groupOf('3', [
          ['b', 50, 50],
          ['c', 60, 61],
        ]),
      ),
      rowOf(
        groupOf('4', [
          ['b', 50, 50],
          ['c', 60, 61],
        ]),
      ),
    ]);
    const { lines, shared } = sharedLines(peers);
    assert.deepEqual(lines, [22, 8, 9]);
    assert.deepEqual(shared, [
      [0, 20, 7],
      [7, 0, 1],
      [7, 2, 0],
    ]);
    assert.deepEqual(shared.map(mostShared), [
      [1, 2],
      [0, 2],
      [0, 1],
    ]);
  });

  test('a file that contains another one shares as many lines as the other one has', () => {
    const containing: Group = {
      ...groupOf('1', [
        ['a', 1, 320],
        ['b', 1, 34],
      ]),
      kind: 'file',
      inside: 1,
      pairs: [{ a: 0, b: 1, similarity: 0.1, distance: 9, containment: [0.1, 0.9] }],
    };
    const common = (id: string): Group =>
      groupOf(id, [
        ['a', 213, 224],
        ['b', 3, 14],
        ['c', 1, 12],
      ]);
    const [{ peers }] = findPeers([containing, common('2'), common('3')].map(rowOf));
    assert.deepEqual(sharedLines(peers), {
      lines: [34, 34, 12],
      shared: [
        [0, 34, 12],
        [34, 0, 12],
        [12, 12, 0],
      ],
    });
  });
});
