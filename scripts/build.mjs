// Builds everything: the kernel (AssemblyScript → two small .wasm files), then the bundles.
//   node scripts/build.mjs            builds dist/{extension,worker,scanThread,cli,org,orgSearch,mcp,lsp,engine}.js,
//                                     dist/kindred.cjs, the notices of bundled packages, dist/{excerpts,try,web},
//                                     and dist/engine.d.ts
//   node scripts/build.mjs --tests    also builds the mocha suites into dist/test, with the alignment as a separate
//                                     module
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { buildExtension, buildInChunks } from './chunks.mjs';
import { buildWebExtension, inBrowser, reproducible, withEngine } from './webBundles.mjs';
import { noticesFile, thirdPartyNotices } from './notices.mjs';
import { root, typeScript, wasmOfPackages } from './project.mjs';

/** Records whose layouts are in words, because TypeScript has lists of them. */
const recordsInWords = new Set(['Match']);
/** Compiler options of every module. */
const moduleOptions = ['--importMemory', '--initialMemory', '1', '--maximumMemory', '65536', '--enable', 'simd'];
writeLayouts([
  'documents/document',
  'documents/elements',
  'documents/passage',
  'documents/places',
  'documents/unit',
  'documents/windowing',
  'files/shingleSet',
  'files/sketch',
  'lex/lexed',
  'lex/lexicon',
  'matches/equalStretches',
  'matches/features',
  'matches/matchRecord',
  'matches/settings',
  'pair',
  'seeds/equalWindows',
  'seeds/livePhrases',
  'seeds/liveTables',
  'seeds/nearPairs',
  'seeds/phrases',
  'seeds/seed',
  'seeds/seedWindows',
]);
// The kernel of a scan uses shared memory. The kernel of the library's findAll has its own memory.
const shared = ['--sharedMemory', '--enable', 'threads'];
if (buildKernel('kernel', shared)) writeDeclarations('kernel', shared);
if (buildKernel('pairs', [])) writeDeclarations('pairs', []);
await buildBundles();
buildGrammars();
buildTypes();
if (process.argv.includes('--tests')) {
  buildKernel('alignment', [], 'test/fixtures/kernel');
  await buildTests();
}

/**
 * Compiles a module of the kernel if one of the sources is newer than its .wasm. Returns true if it was compiled.
 *
 * @param {string} name  name of the source file with the module's exports
 * @param {readonly string[]} options  options of the compiler
 * @param {string} folder  folder of the source file and of the .wasm
 */
function buildKernel(name, options, folder = 'src/core/kernel') {
  const wasm = path.join(root, folder, `${name}.wasm`);
  const sources = filesBelow('src/core/kernel', '.ts').filter((file) => !file.endsWith('Exports.ts'));
  const newest = Math.max(...[...sources, path.join(root, folder, `${name}.ts`)].map((file) => statSync(file).mtimeMs));
  if (existsSync(wasm) && statSync(wasm).mtimeMs > newest) return false;
  // The compiler also writes code and declarations. Among the sources, the linter would find them while it runs.
  const compiled = path.join(root, `.tsc/kernel/${name}.wasm`);
  compileKernel(`${folder}/${name}.ts`, compiled, ['-O3', '--noAssert', '--converge', ...moduleOptions, ...options]);
  copyFileSync(compiled, wasm);
  return true;
}

/**
 * Compiles AssemblyScript.
 *
 * @param {string} source  relative to the project
 * @param {string} compiled
 * @param {readonly string[]} options  options of the compiler
 */
function compileKernel(source, compiled, options) {
  const asc = createRequire(import.meta.url).resolve('assemblyscript/bin/asc.js');
  const { status, error, stderr } = spawnSync(
    process.execPath,
    [asc, path.join(root, source), '--outFile', compiled, '--runtime', 'stub', ...options],
    { stdio: ['inherit', 'inherit', 'pipe'], encoding: 'utf8', cwd: root },
  );
  // A remark of the optimizer about one of its passes, which nobody can act on.
  process.stderr.write(stderr.replace(/^Last converge was suboptimal\.\n/gm, ''));
  if (error) throw error;
  if (status !== 0) throw new Error(`${source} does not compile.`);
}

/**
 * Writes the offsets of the fields, the sizes of the records, and the constants of files in src/core/kernel to other
 * files beside them, for TypeScript. The compiler determines them. The files are in the repository, for editors.
 *
 * @param {readonly string[]} names  names of the files with the records, without their extension
 */
function writeLayouts(names) {
  const layouts = names.flatMap((name) => {
    const source = path.join(root, `src/core/kernel/${name}.ts`);
    const file = source.replace(/\.ts$/, 'Layout.ts');
    const isStale = !existsSync(file) || statSync(file).mtimeMs <= statSync(source).mtimeMs;
    return isStale ? [{ name, file, values: layoutOf(path.basename(name), readFileSync(source, 'utf8')) }] : [];
  });
  if (layouts.length === 0) return;
  const module = path.join(root, '.tsc/kernel/layouts.ts');
  mkdirSync(path.dirname(module), { recursive: true });
  const lines = layouts.flatMap(({ name, values }, i) => [
    `import * as ${path.basename(name)} from '../../src/core/kernel/${name}';`,
    ...values.map(({ value }, j) => `export const value${i}_${j}: i32 = <i32>${value};`),
  ]);
  writeFileSync(module, lines.join('\n'));
  const compiled = module.replace(/\.ts$/, '.wasm');
  compileKernel(path.relative(root, module), compiled, ['--importMemory', '--enable', 'simd']);
  const env = { memory: new globalThis.WebAssembly.Memory({ initial: 1 }) };
  const compiledModule = new globalThis.WebAssembly.Module(readFileSync(compiled));
  const { exports } = new globalThis.WebAssembly.Instance(compiledModule, { env });
  for (const [i, { name, file, values }] of layouts.entries()) {
    const constants = values.map(({ called }, j) => {
      const { value } = /** @type {WebAssembly.Global} */ (exports[`value${i}_${j}`]);
      return `export const ${called} = ${value};\n`;
    });
    const source = `${path.basename(name)}.ts`;
    const origin = `// Layout of the records in ${source}. Generated by scripts/build.mjs: change ${source} instead.\n`;
    writeFileSync(file, origin + constants.join(''));
  }
}

/**
 * Returns the values of a layout: its constants, and the size and the offsets of each record, with the record's name.
 *
 * @param {string} file  name of the import of the file with the records
 * @param {string} text  text of the file
 */
function layoutOf(file, text) {
  const values = [...text.matchAll(/^export const (\w+)/gm)].map(([, called = '']) => ({
    called,
    value: `${file}.${called}`,
  }));
  for (const [, name = '', body = ''] of text.matchAll(/^@unmanaged export class (\w+) \{\n([^]*?)^\}/gm)) {
    const record = name.replace(/^./, (letter) => letter.toLowerCase());
    const [unit, sizes, shift] = recordsInWords.has(name) ? ['Word', 'Words', ' >> 2'] : ['At', 'Bytes', ''];
    values.push({ called: `${record}${sizes}`, value: `(offsetof<${file}.${name}>()${shift})` });
    for (const [, field = ''] of body.matchAll(/^ {2}(\w+): /gm)) {
      const called = `${record}${field.replace(/^./, (letter) => letter.toUpperCase())}${unit}`;
      values.push({ called, value: `(offsetof<${file}.${name}>('${field}')${shift})` });
    }
  }
  return values;
}

/**
 * Writes an interface of a module's exports to src/core/kernel, from the declarations of the compiler. Calls with wrong
 * arguments then do not compile. The file is in the repository, for editors, and is written only if it changes.
 *
 * The declarations come with bindings, which need an allocator in the module. So they are compiled with another module,
 * which is not used.
 *
 * @param {string} name
 * @param {readonly string[]} options  options of the compiler
 */
function writeDeclarations(name, options) {
  const bound = path.join(root, `.tsc/kernel/${name}.bound.wasm`);
  compileKernel(`src/core/kernel/${name}.ts`, bound, ['--bindings', 'raw', ...moduleOptions, ...options]);
  const declarations = readFileSync(bound.replace(/\.wasm$/, '.d.ts'), 'utf8');
  // A record is passed by its address, and null is 0.
  const record = /__Record\d+<\w+>(?: \| null)?/g;
  const functions = [
    ...declarations.replaceAll(record, 'number').matchAll(/export function (\w+)\((.*)\): (\w+);/g),
  ].map(
    ([, called, parameters, returned]) =>
      `  readonly ${called}: (${parameters}) => ${returned === 'boolean' ? 'number' : returned};`,
  );
  const text = [
    `// Exports of ${name}.wasm. Generated by scripts/build.mjs: change the kernel instead.`,
    '// Addresses and counts are unsigned 32-bit numbers that JavaScript receives as signed ones. A boolean is 0 or 1.',
    `export interface ${name.replace(/^./, (letter) => letter.toUpperCase())}Exports {`,
    ...functions,
    '}',
    '',
  ].join('\n');
  const file = path.join(root, `src/core/kernel/${name}Exports.ts`);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

async function buildBundles() {
  /** @satisfies {import('esbuild').BuildOptions} */
  const common = /** @type {const} */ ({
    ...reproducible,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    loader: { '.wasm': 'binary' },
    sourcemap: 'linked',
    metafile: true,
    logLevel: 'warning',
    outdir: 'dist',
    // The CommonJS build of jsonc-parser hides its require calls from bundlers; prefer modules.
    mainFields: ['module', 'main'],
    // Uses the browser variant, because the other one can read strings from disk, which is not needed.
    alias: { ...wasmOfPackages, '@vscode/l10n': '@vscode/l10n/dist/browser.js' },
    // Bundled CommonJS packages call require() for Node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  /**
   * Saves a sixth of the download of the extension, and a quarter of the engine. Names are kept for the stacks of
   * internal errors.
   */
  const smaller = { minifyWhitespace: true, minifySyntax: true };
  const dist = path.join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  // Removes earlier chunks, whose names contain other digests.
  for (const name of readdirSync(dist).filter((file) => /^(?:chunk|extension|kernel)-/.test(file)))
    rmSync(path.join(dist, name));
  const extension = await buildExtension({
    ...common,
    entryPoints: { extension: 'src/surfaces/vscode/extension.ts' },
    external: ['vscode'],
    ...smaller,
  });
  const programs = await buildInChunks({
    ...common,
    entryPoints: {
      cli: 'src/surfaces/cli/start.ts',
      worker: 'src/session/worker/main.ts',
      scanThread: 'src/scan/indexer/scanThreadMain.ts',
      mcp: 'src/surfaces/servers/mcp/serveMcp.ts',
      lsp: 'src/surfaces/servers/lsp/serveLsp.ts',
      orgSearch: 'src/organisation/repositories/openSearch.ts',
    },
    plugins: [onlyEnglish(), withoutForms()],
    ...smaller,
  });
  // Bundled separately. It is not part of the extension, and shared chunks would slow down the start of a scan.
  const organisation = await build({
    ...common,
    entryPoints: { org: 'src/surfaces/cli/org/runOrg.ts' },
    ...smaller,
  });
  // The program that `kindred org scan --engine spark` submits.
  copyFileSync(path.join(root, 'src/organisation/spark/scan.py'), path.join(dist, 'scanOnSpark.py'));
  // The program of the npm package. Agents wait for its hook after each write, and Node starts CommonJS sooner.
  const program = await build({
    ...common,
    entryPoints: { kindred: 'src/surfaces/cli/program.ts' },
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.url': '__here' },
    banner: { js: "const __here = require('node:url').pathToFileURL(__filename).href;" },
    ...smaller,
  });
  // Loaded by the hook if there is no server. The hook reports no stacks, so no names are kept.
  const hookAnswer = await build({
    ...common,
    entryPoints: { hookAnswer: 'src/surfaces/hook/answerHere.ts' },
    minify: true,
  });
  // The engine also runs in a browser, so it must not use Node.
  const engine = await build({
    ...common,
    entryPoints: { engine: 'src/library/library.ts' },
    platform: 'neutral',
    target: 'es2022',
    banner: {},
    mainFields: ['module', 'main'],
    ...smaller,
  });
  const page = await buildPage();
  const tryPage = await buildTryPage();
  const web = await buildWebExtension();
  const map = await buildWebview('map/mapPage', 'map');
  const tuner = await buildWebview('tuner/tuner', 'tuner');
  const metafiles = [
    extension,
    programs,
    organisation,
    program,
    hookAnswer,
    engine,
    page,
    tryPage,
    ...web,
    map,
    tuner,
  ].map(({ metafile }) => metafile);
  writeFileSync(path.join(root, noticesFile), thirdPartyNotices(metafiles));
}

/**
 * Excludes the translations of zod, which the MCP SDK uses to check the protocol: they are a third of it.
 *
 * @returns {import('esbuild').Plugin}
 */
function onlyEnglish() {
  return {
    name: 'only-english',
    setup: ({ onResolve, resolve }) => {
      onResolve({ filter: /\/locales\/index\.c?js$/ }, ({ path: name, resolveDir, importer, kind }) =>
        importer.includes(`${path.sep}zod${path.sep}`)
          ? resolve(name.replace(/index(?=\.c?js$)/, 'en'), { resolveDir, kind })
          : undefined,
      );
    },
  };
}

/**
 * Excludes Ajv, which is a third of the MCP SDK. The SDK checks answers to a server's forms with it, and Kindred has no
 * forms.
 *
 * @returns {import('esbuild').Plugin}
 */
function withoutForms() {
  return {
    name: 'without-forms',
    setup: ({ onLoad }) => {
      onLoad({ filter: /[\\/]@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ }, () => ({
        contents: `
          export { default as process } from 'node:process';
          export class DefaultJsonSchemaValidator {
            getValidator() {
              throw new Error('The validator of forms is not bundled.');
            }
          }`,
      }));
    },
  };
}

/** Builds the page of HTML reports. The command line inserts the data. */
function buildPage() {
  const folder = 'src/surfaces/web/report';
  return buildSinglePage(`${folder}/page.html`, 'dist/page.html', {
    script: `${folder}/page.ts`,
    style: `${folder}/page.css`,
  });
}

/** Builds the page that runs the library in a browser. */
async function buildTryPage() {
  const folder = 'src/surfaces/web/try';
  const { html, metafile } = await buildSinglePage(`${folder}/page.html`, 'dist/try/index.html', {
    script: `${folder}/page.ts`,
    style: `${folder}/page.css`,
    worker: `${folder}/worker.ts`,
    mapScript: 'src/surfaces/web/map/mapPage.ts',
    mapStyle: 'src/surfaces/web/map/mapPage.css',
  });
  writeFileSync(
    path.join(root, 'dist/try/index.html'),
    html.replace('{{translations}}', () => JSON.stringify(translationsIn(html)).replaceAll('<', '\\u003c')),
  );
  return { metafile };
}

/**
 * Returns the translations, by language, of the strings in a page.
 *
 * @param {string} html
 * @returns {Record<string, Record<string, string>>}
 */
function translationsIn(html) {
  return Object.fromEntries(
    readdirSync(path.join(root, 'l10n')).map((name) => {
      /** @type {Record<string, string>} */
      const bundle = JSON.parse(readFileSync(path.join(root, 'l10n', name), 'utf8'));
      const used = Object.entries(bundle).filter(([string]) => html.includes(string));
      return [name.replace(/^bundle\.l10n\.|\.json$/g, ''), Object.fromEntries(used)];
    }),
  );
}

/**
 * Builds a page as one file, with its scripts and style in their places in the template.
 *
 * @param {string} template
 * @param {string} target
 * @param {Record<string, string>} entryPoints  sources by their places
 */
async function buildSinglePage(template, target, entryPoints) {
  const { outputFiles, metafile } = await build({
    ...withEngine,
    entryPoints,
    format: 'iife',
    // light-dark() and content-visibility are available since 2024.
    target: ['chrome123', 'firefox125', 'safari18'],
    write: false,
    outdir: 'dist',
  });
  let html = readFileSync(path.join(root, template), 'utf8');
  for (const { path: file, text } of outputFiles) {
    const place = `/* {{${path.parse(file).name}}} */`;
    // In a script, a comment of HTML would hide the end of the script. A function, because $ is special in a
    // replacement string.
    html = html.replace(place, () => text.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\x21--'));
  }
  mkdirSync(path.dirname(path.join(root, target)), { recursive: true });
  writeFileSync(path.join(root, target), html);
  return { html, metafile };
}

/**
 * Builds the script and style of a page of the extension.
 *
 * @param {string} source  path in src/surfaces/web without its extension
 * @param {string} name    name in dist
 */
function buildWebview(source, name) {
  return build({
    ...inBrowser,
    entryPoints: ['ts', 'css'].map((ending) => ({ in: `src/surfaces/web/${source}.${ending}`, out: name })),
    format: 'iife',
    // The Chromium of the oldest supported VS Code.
    target: 'chrome134',
    outdir: 'dist',
  });
}

/**
 * Builds the grammars of excerpts (src/surfaces/vscode/workspace/excerpts.ts). The scope `source.ts.kindred` of
 * package.json highlights like `source.ts`, regardless of the extension that provides it.
 */
function buildGrammars() {
  const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const folder = path.join(root, 'dist/excerpts');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const grammar of contributes.grammars) {
    const include = grammar.scopeName.replace(/\.kindred[\w-]*$/, '');
    writeFileSync(
      path.join(root, grammar.path),
      JSON.stringify({ scopeName: grammar.scopeName, patterns: [{ include }] }),
    );
  }
}

/**
 * Builds the types of dist/engine.js. The declarations of src/library/library.ts become dist/engine.d.ts, and the files
 * that they import are written to dist/types. Import specifiers end in .js, so that any module resolution finds them.
 */
function buildTypes() {
  execFileSync(process.execPath, [typeScript, '-b', 'src/library'], { stdio: 'inherit', cwd: root });
  const declarations = path.join(root, '.tsc/src');
  const types = path.join(root, 'dist/types');
  rmSync(types, { recursive: true, force: true });
  mkdirSync(types, { recursive: true });
  const library = 'library/library.ts';
  const files = [library];
  // The set grows during the iteration: each file adds its imports.
  for (const file of files) {
    const text = readFileSync(path.join(declarations, file.replace(/\.ts$/, '.d.ts')), 'utf8');
    const folder = file === library ? './types/' : './';
    const target = file === library ? 'dist/engine.d.ts' : `dist/types/${path.basename(file, '.ts')}.d.ts`;
    const rewritten = text.replaceAll(/ from '(\.[./\w]+\.ts)'/g, (_, specifier) => {
      const imported = path.join(path.dirname(file), specifier);
      if (!files.includes(imported)) files.push(imported);
      return ` from '${folder}${path.basename(imported, '.ts')}.js'`;
    });
    writeFileSync(path.join(root, target), rewritten);
  }
}

/** Builds one bundle per test file, next to the path of its source, so that mocha reports each file. */
async function buildTests() {
  rmSync(path.join(root, 'dist', 'test'), { recursive: true, force: true });
  const entryPoints = [
    ...filesBelow('test', '.test.ts').filter((file) => !file.includes('/test/fixtures/')),
    path.join(root, 'test/host/run.ts'),
    path.join(root, 'test/host/soak.ts'),
    path.join(root, 'test/fuzz/run.ts'),
    path.join(root, 'test/faults/run.ts'),
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
    alias: wasmOfPackages,
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
 * @param {string} ending  extension of the files
 */
function filesBelow(folder, ending) {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => path.join(root, folder, name));
}
