/** The rules that no compiler checks: what is in the bundles, and whether manifest, code and options agree. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../scripts/project.mjs';

suite('bundles', () => {
  test('only the extension imports vscode', () => {
    const importers = readdirSync(path.join(root, 'dist'))
      .filter((name) => name.endsWith('.js'))
      .filter((name) =>
        /(from\s*|import\s*|require\(|import\()["']vscode["']/.test(
          readFileSync(path.join(root, 'dist', name), 'utf8'),
        ),
      );
    assert.deepEqual(
      importers.filter((name) => name !== 'extension.js'),
      [],
    );
  });
});
