/** The workflow that publishes a release: who may publish, what, and that it names programs and files that exist. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { root } from '../../scripts/project.mjs';
import { testParts } from '../../scripts/testParts.mjs';

interface Job {
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly include: readonly { readonly command: string }[] } };
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly env?: Readonly<Record<string, string>>;
  }[];
}

const text = readFileSync(path.join(root, '.github/workflows/release.yml'), 'utf8');
const { permissions, jobs } = parse(text) as { permissions: object; jobs: Readonly<Record<string, Job>> };

suite('release workflow', () => {
  test('stores no token, and gives each job only the permissions that it needs', () => {
    assert.doesNotMatch(text, /secrets\.|NPM_TOKEN|VSCE_PAT|OVSX_PAT/);
    assert.deepEqual(permissions, {});
    assert.deepEqual(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions])), {
      packages: { contents: 'read', 'id-token': 'write', attestations: 'write' },
      publish: { 'id-token': 'write' },
      github: { contents: 'write' },
    });
    assert.equal(jobs['publish'].environment, 'release');
  });

  test('publishes by identity to three registries, and runs no code of the repository with that right', () => {
    const { strategy, steps, needs } = jobs['publish'];
    assert.equal(needs, 'packages');
    const commands = strategy!.matrix.include.map(({ command }) => command);
    assert.deepEqual(
      commands.map((command) => command.replace(/@\d+\.\d+\.\d+/, '')),
      [
        'npx --yes @vscode/vsce publish --oidc --skip-duplicate --packagePath kindred-*.vsix',
        'npx --yes ovsx publish --trusted-publishing --skip-duplicate --packagePath kindred-*.vsix',
        'npm publish --provenance --access public ./kindred-*.tgz',
      ],
    );
    // A program that publishes has a fixed version.
    assert.ok(commands.every((command) => !command.startsWith('npx') || /@\d+\.\d+\.\d+ /.test(command)));
    assert.ok(steps.every(({ uses = '' }) => !uses.includes('checkout')));
    const checked = steps.findIndex(({ run = '' }) => run.startsWith('sha256sum --check'));
    const published = steps.findIndex(({ run = '' }) => run.includes('matrix.command'));
    assert.ok(checked >= 0 && checked < published);
  });

  test('tests the packages of the release, after they were made and before they are published', async () => {
    const { steps } = jobs['packages'];
    const made = steps.findIndex(({ run = '' }) => run.startsWith('npm run release -- --repository'));
    const tested = steps.findIndex(({ env }) => env?.['KINDRED_PACKAGES'] === 'dist/release');
    const uploaded = steps.findIndex(({ uses = '' }) => uses.includes('upload-artifact'));
    assert.ok(made >= 0 && made < tested && tested < uploaded);
    assert.equal(steps[tested].env?.['KINDRED_REPOSITORY'], steps[made].env?.['REPOSITORY']);
    const names = /^npm test -- (.*)$/.exec(steps[tested].run ?? '')![1].split(' ');
    const partNames = (await testParts('full')).map(({ name }) => name);
    assert.deepEqual(names, ['package', 'release']);
    assert.ok(names.every((name) => partNames.includes(name)));
  });
});
