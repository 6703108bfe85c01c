/** Watched folders that are removed, moved, and created again. */
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FolderWatch } from '../../src/surfaces/servers/folderWatch.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';

suite('watched folders', () => {
  if (process.platform !== 'linux') return;
  let root = '';
  let watch: FolderWatch;
  let changed: string[];
  let onChange: () => void;
  setup(() => {
    root = realpathSync(makeFolder({ 'src/in/a.ts': '', 'src/b.ts': '' }));
    changed = [];
    onChange = () => undefined;
    watch = new FolderWatch(
      [root],
      (file) => {
        changed.push(path.relative(root, file));
        onChange();
      },
      () => assert.fail(),
    );
    watch.follow([path.join(root, 'src/in/a.ts'), path.join(root, 'src/b.ts')]);
  });
  teardown(() => {
    watch.dispose();
    removeFolder(root);
  });

  /** Waits until changes of a file have been reported. */
  const reports = async (name: string, count = 1): Promise<void> => {
    while (changed.filter((other) => other === name).length < count) {
      await new Promise<void>((resolve) => (onChange = resolve));
    }
  };
  const replacements: Readonly<Record<string, (src: string) => void>> = {
    removed: (src) => rmSync(src, { recursive: true }),
    moved: (src) => renameSync(src, path.join(root, 'old')),
  };

  for (const [title, take] of Object.entries(replacements)) {
    for (const isSeenGone of [false, true]) {
      test(`are watched again if ${title} and created again${isSeenGone ? ' later' : ''}`, async () => {
        take(path.join(root, 'src'));
        if (isSeenGone) await reports('src');
        mkdirSync(path.join(root, 'src/in'), { recursive: true });
        // One change is the removal.
        await reports('src', 2);
        // Folders in new folders are watched after the next list of files.
        watch.follow([path.join(root, 'src/in/a.ts')]);
        writeFileSync(path.join(root, 'src/new.ts'), '');
        await reports(path.join('src', 'new.ts'));
        writeFileSync(path.join(root, 'src/in/new.ts'), '');
        await reports(path.join('src', 'in', 'new.ts'));
      });
    }
  }

  test('cause no warning if a file replaces one that contains another', async () => {
    rmSync(path.join(root, 'src'), { recursive: true });
    writeFileSync(path.join(root, 'src'), '');
    await reports('src', 2);
  });
});
