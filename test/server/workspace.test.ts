/** The workspace of a server, with its real worker. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { Folders } from '../../src/surfaces/servers/folders.ts';
import { Workspace } from '../../src/surfaces/servers/workspace.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, parsing } from '../passages.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const waitMs = 550_000;

suite('a followed folder', () => {
  let folder = '';
  let workspace: Workspace;
  setup(() => {
    folder = makeFolder({ 'a.ts': parsing, 'b.ts': parsing, 'c.ts': drawing });
    const settings = { folders: new Folders([folder]), options: defaultOptions, storage: undefined };
    const script = path.join(root, 'dist', 'worker.js');
    workspace = new Workspace(script, { ...settings, clientReportsChanges: true }, silent);
  });
  teardown(() => {
    workspace.dispose();
    removeFolder(folder);
  });

  test('lists a file that was created while a scan was matching', async () => {
    const added = path.join(folder, 'added.ts');
    let isWritten = false;
    workspace.onDidChange(() => {
      const { state } = workspace;
      if (isWritten || state.type !== 'scanning' || state.progress?.phase !== 'matching') return;
      isWritten = true;
      writeFileSync(added, parsing);
      workspace.filesChanged([added]);
    });
    workspace.start();
    await workspace.upToDate(waitMs);
    await workspace.upToDate(waitMs);
    assert.ok(isWritten);
    assert.equal(workspace.report?.findings.totals.files, 4);
    assert.ok(workspace.isListed('added.ts'));
  });

  test('is searched after its worker has ended while idle', async () => {
    workspace.start();
    await workspace.upToDate(waitMs);
    const search = async (): Promise<readonly string[] | undefined> => {
      const { similar } = await workspace.find({ text: parsing, path: '', languageId: 'typescript', limit: 5 });
      return similar?.passages.map(({ passage }) => passage.path);
    };
    assert.deepEqual(await search(), ['a.ts', 'b.ts']);
    await workspace.terminateWorker();
    writeFileSync(path.join(folder, 'd.ts'), parsing);
    assert.deepEqual(await search(), ['a.ts', 'b.ts', 'd.ts']);
    workspace.filesChanged([path.join(folder, 'c.ts')]);
    await workspace.upToDate(waitMs);
    assert.equal(workspace.report?.findings.totals.files, 4);
  });
});
