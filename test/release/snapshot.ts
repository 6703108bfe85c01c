/** The project in its working tree state, as a separate repository from which a release can be built. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, version } from '../../scripts/project.mjs';

export class Snapshot {
  readonly folder: string;

  /** @param folder folder to create; its one commit has the changelog of a release */
  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder);
    const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    });
    for (const file of new Set(files.split('\0').filter((name) => name !== '' && existsSync(path.join(root, name))))) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      copyFileSync(path.join(root, file), path.join(folder, file));
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    this.change('CHANGELOG.md', (text) => text.replace(/^## Unreleased$/m, `$&\n\n## ${version} (2026-11-30)`));
    // .gitignore lists it as a folder, which a link is not.
    writeFileSync(
      path.join(folder, '.gitignore'),
      `${readFileSync(path.join(folder, '.gitignore'), 'utf8')}/node_modules\n`,
    );
    this.git('init', '-q', '-b', 'main');
    this.commit('2026-11-30T12:00:00Z');
  }

  change(file: string, edit: (text: string) => string): void {
    const name = path.join(this.folder, file);
    const text = readFileSync(name, 'utf8');
    const edited = edit(text);
    if (edited === text) throw new Error(`${file} is as it was.`);
    writeFileSync(name, edited);
  }

  commit(date: string): void {
    this.git('add', '--all');
    this.git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-q', '-m', 'Test', '--date', date);
  }

  git(...gitArguments: readonly string[]): string {
    const env = { ...process.env, GIT_COMMITTER_DATE: '2026-11-30T12:00:00Z' };
    return execFileSync('git', gitArguments, { cwd: this.folder, encoding: 'utf8', env });
  }
}
