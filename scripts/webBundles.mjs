/** Bundles that run in a browser: options that they share, and the extension for VS Code for the web. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { build } from 'esbuild';
import { root, wasmOfPackages } from './project.mjs';

/**
 * Makes the paths in bundles relative to the project, even if node_modules is a symbolic link.
 *
 * @satisfies {import('esbuild').BuildOptions}
 */
export const reproducible = /** @type {const} */ ({ absWorkingDir: root, preserveSymlinks: true });
/** Options for bundles that run in a page. @satisfies {import('esbuild').BuildOptions} */
export const inBrowser = /** @type {const} */ ({
  ...reproducible,
  bundle: true,
  minify: true,
  platform: 'browser',
  charset: 'utf8',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});

/** Options for bundles with the engine. @satisfies {import('esbuild').BuildOptions} */
export const withEngine = /** @type {const} */ ({
  ...inBrowser,
  loader: { '.wasm': 'binary' },
  alias: { ...wasmOfPackages, '@vscode/l10n': '@vscode/l10n/dist/browser.js' },
  // The rules of paths ignore case on systems that do. In a browser, they follow Git on Linux.
  define: { 'process.platform': '"browser"' },
});

/** Builds the extension for browsers, and its worker. */
export function buildWebExtension() {
  /** @type {import('esbuild').BuildOptions & { metafile: true }} */
  const common = {
    ...withEngine,
    mainFields: ['module', 'main'],
    outdir: 'dist/web',
    // Chromium of the oldest supported VS Code, and browsers of the same time.
    target: ['chrome134', 'firefox135', 'safari18'],
  };
  return Promise.all([
    // Browsers' extension hosts load CommonJS only. The extension of the file says so, because the package is of
    // modules.
    build({
      ...common,
      entryPoints: { extension: 'src/surfaces/vscode/webExtension.ts' },
      external: ['vscode'],
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
    }),
    build({
      ...common,
      entryPoints: { worker: 'src/session/worker/webMain.ts' },
      plugins: [compressedKernel()],
      format: 'iife',
    }),
  ]);
}

/**
 * Compresses the kernel in the text of a bundle: base64 hides from the package's compression what repeats.
 *
 * @returns {import('esbuild').Plugin}
 */
function compressedKernel() {
  return {
    name: 'compressed-kernel',
    setup: ({ onLoad }) => {
      onLoad({ filter: /[\\/]kernel\.wasm$/ }, ({ path: file, with: importAttributes }) => {
        if (importAttributes['type'] === 'compressed')
          return { contents: deflateRawSync(readFileSync(file), { level: 9 }), loader: 'binary' };
        return {
          contents: `import { inflateSync } from 'fflate';
            import compressed from './kernel.wasm' with { type: 'compressed' };
            export default inflateSync(compressed);`,
          resolveDir: path.dirname(file),
        };
      });
    },
  };
}
