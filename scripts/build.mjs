// Builds everything: the kernel (AssemblyScript → one small .wasm), then the bundles.
//   node scripts/build.mjs            dist/{extension,worker,cli,engine}.js
//   node scripts/build.mjs --tests    the same, and the mocha suites into dist/test
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from './project.mjs';

const wasm = path.join(root, 'src/kernel/kernel.wasm');

buildKernel();
await buildBundles();
if (process.argv.includes('--tests')) await buildTests();

/** Compiles src/kernel when a source of it is newer than the .wasm. */
function buildKernel() {
  const sources = filesBelow('src/kernel', '.ts');
  const newest = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  if (existsSync(wasm) && statSync(wasm).mtimeMs > newest) return;
  const asc = createRequire(import.meta.url).resolve('assemblyscript/bin/asc.js');
  execFileSync(
    process.execPath,
    [
      asc,
      path.join(root, 'src/kernel/kernel.ts'),
      ...['--outFile', wasm, '--runtime', 'stub', '-O3', '--noAssert', '--converge'],
      ...['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
      ...['--enable', 'simd', '--enable', 'threads'],
    ],
    { stdio: 'inherit', cwd: root },
  );
}

async function buildBundles() {
  /** @type {import('esbuild').BuildOptions} */
  const common = {
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    loader: { '.wasm': 'binary' },
    sourcemap: 'linked',
    logLevel: 'warning',
    absWorkingDir: root,
    outdir: 'dist',
    // The CommonJS build of jsonc-parser hides its require calls from bundlers; prefer modules.
    mainFields: ['module', 'main'],
    // Bundled CommonJS packages call require() for Node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  };
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  await build({ ...common, entryPoints: { extension: 'src/host/extension.ts' }, external: ['vscode'] });
  await build({
    ...common,
    entryPoints: { worker: 'src/worker/main.ts', cli: 'src/cli/main.ts', lane: 'src/indexer/lane.ts' },
  });
  // The engine alone runs in a browser too: nothing of Node.
  await build({
    ...common,
    entryPoints: { engine: 'src/engine/library.ts' },
    platform: 'neutral',
    target: 'es2022',
    banner: {},
    mainFields: ['module', 'main'],
  });
}

/** One bundle a test file, beside its source's path, so that mocha reports them one by one. */
async function buildTests() {
  rmSync(path.join(root, 'dist', 'test'), { recursive: true, force: true });
  const entryPoints = [
    ...filesBelow('test', '.test.ts').filter((file) => !file.includes('/test/fixtures/')),
    path.join(root, 'test/host/run.ts'),
    ...filesBelow('test/harness/sabotage', '.ts'),
  ];
  await build({
    entryPoints,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    loader: { '.wasm': 'binary' },
    packages: 'external',
    external: ['vscode'],
    sourcemap: 'linked',
    logLevel: 'warning',
    absWorkingDir: root,
    outbase: 'test',
    outdir: 'dist/test',
  });
}

/**
 * @param {string} folder  relative to the project
 * @param {string} ending  of the names to take
 */
function filesBelow(folder, ending) {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => path.join(root, folder, name));
}
