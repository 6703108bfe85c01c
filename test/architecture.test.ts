/**
 * Rules of ARCHITECTURE.md that no compiler checks: the dependencies of the bundles, and that each linter rule fires. A
 * misconfigured rule that matches nothing would be silent.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ESLint } from 'eslint';
import { parse } from 'jsonc-parser';
import ts from 'typescript';
import { importedPath, layers } from '../scripts/layers.mjs';
import { root } from '../scripts/project.mjs';
import { testParts } from '../scripts/testParts.mjs';
import { defaultOptions } from '../src/core/engine/options.ts';
import { defaultSourceOptions } from '../src/scan/io/sources.ts';

suite('bundles', () => {
  const inNode = ['node:'];
  const allowed: Record<string, readonly string[]> = {
    'cli.js': inNode,
    'engine.js': [],
    'extension.js': ['vscode', ...inNode],
    'hookAnswer.js': inNode,
    'kindred.cjs': inNode,
    'lsp.js': inNode,
    'map.js': [],
    'mcp.js': inNode,
    'org.js': inNode,
    'orgSearch.js': inNode,
    'scanThread.js': inNode,
    'tuner.js': [],
    'web/extension.cjs': ['vscode'],
    'web/worker.js': [],
    'worker.js': inNode,
  };

  const built = ['', 'web/'].flatMap((folder) =>
    readdirSync(path.join(root, 'dist', folder))
      .filter((name) => /\.c?js$/.test(name))
      .map((name) => folder + name),
  );

  test('are the expected ones, with chunks for shared code', () => {
    assert.deepEqual(built.filter((name) => !isChunk(name)).sort(), Object.keys(allowed));
  });

  test('each chunk is loaded by a program', async () => {
    const programs = Object.keys(allowed);
    const reached = await reachedFrom(programs);
    assert.deepEqual([...reached.chunks].sort(), built.filter(isChunk).sort());
  });

  for (const [bundle, modules] of Object.entries(allowed)) {
    test(`dist/${bundle} and its chunks import ${modules.join(' and ') || 'nothing'}`, async () => {
      const { modules: imported } = await reachedFrom([bundle]);
      assert.deepEqual(
        [...imported].filter((name) => !modules.some((module) => name.startsWith(module))),
        [],
      );
    });
  }

  test('a window loads two files at start, without code that only commands and tools need', async () => {
    const { chunks } = await reachedFrom(['extension.js'], (kind) => kind !== 'dynamic-import');
    assert.equal(chunks.size, 1);
    const begun = readFileSync(path.join(root, 'dist', ...chunks), 'utf8');
    const missing = [
      'Ignore This Duplicate',
      'find_similar',
      'kindredBaseline',
      'No file is excluded.',
      'Tune Sensitivity',
    ];
    assert.deepEqual(
      missing.filter((text) => begun.includes(text)),
      [],
    );
  });

  test('a scan loads thirteen files, and --version seven', () => {
    // Each file costs Node almost a millisecond, so a build with more files is slower.
    const [version, scan] = [
      scriptsLoadedBy(['--version']),
      scriptsLoadedBy(['scan', path.join(root, 'test/fixtures/shop')]),
    ];
    assert.ok(version.length <= 7, version.join(' '));
    assert.ok(scan.length <= 13, scan.join(' '));
  });
});

function isChunk(name: string): boolean {
  return /^(?:chunk|extension)-\w+\.js$/.test(name);
}

/**
 * Returns the chunks and modules that bundles import or require directly or indirectly. Node's modules have their
 * prefix.
 *
 * @param counts kinds of imports that count; all by default
 */
async function reachedFrom(
  bundles: readonly string[],
  counts: (kind: string) => boolean = () => true,
): Promise<{ chunks: Set<string>; modules: Set<string> }> {
  const [files, modules] = [new Set(bundles), new Set<string>()];
  // The set grows during the iteration.
  for (const file of files) {
    for (const { name, kind } of await importsOf(file)) {
      if (!counts(kind)) continue;
      if (isChunk(name.replace('./', ''))) files.add(name.slice('./'.length));
      else modules.add(name);
    }
  }
  return { chunks: new Set([...files].filter((file) => !bundles.includes(file))), modules };
}

async function importsOf(bundle: string): Promise<{ name: string; kind: string }[]> {
  const file = `dist/${bundle}`;
  const { metafile } = await build({
    entryPoints: [file],
    absWorkingDir: root,
    bundle: true,
    external: ['*'],
    format: 'esm',
    platform: 'node',
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  return metafile.inputs[file].imports.map(({ path: name, kind }) => ({
    name: builtinModules.includes(name) ? `node:${name}` : name,
    kind,
  }));
}

/** Returns the scripts of dist that the first thread of the command line loads. */
function scriptsLoadedBy(commandLine: readonly string[]): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'kindred-loaded-'));
  try {
    const { status } = spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), ...commandLine], {
      env: { ...process.env, NODE_V8_COVERAGE: folder },
    });
    assert.equal(status, 0);
    const dist = pathToFileURL(path.join(root, 'dist/')).href;
    return readdirSync(folder)
      .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as { result: { url: string }[] })
      .flatMap(({ result }) => result.map(({ url }) => url))
      .filter((url) => url.startsWith(dist));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

suite('allowed imports between layers', () => {
  const names = Object.keys(layers);
  const packages = [...new Set(Object.values(layers).flatMap(({ modules }) => modules)), 'mocha'].map(exampleOf);

  for (const [layer, { allows, types, modules }] of Object.entries(layers)) {
    const folder = path.join(root, 'src', layer);

    test(`src/${layer}`, async () => {
      const others = names.filter((name) => name !== layer);
      const statements = [
        ...others.map((other) => ({
          text: `import { a } from '../${importedPath(layer, other)}/a.ts';`,
          fine: allows.includes(other),
        })),
        ...others.map((other) => ({
          text: `import type { A } from '../${importedPath(layer, other)}/a.ts';`,
          fine: allows.includes(other) || types.includes(other),
        })),
        ...packages.map((name) => ({
          text: `import { a } from '${name}';`,
          fine: modules.map(exampleOf).includes(name),
        })),
      ];
      const text = statements.map((statement) => statement.text).join('\n');
      const [file] = sourcesBelow(folder).filter((name) => !name.endsWith('.d.ts'));
      const messages = await lint(`src/${layer}/${file}`, text, importLinter);
      const refused = messages.map(({ line }) => statements[line - 1].text);
      assert.deepEqual(
        [...new Set(refused)],
        statements.filter(({ fine }) => !fine).map(({ text }) => text),
      );
    });
  }

  test('TypeScript projects refer to the projects of their layers', () => {
    const projects = sourcesBelow(path.join(root, 'src'), /\btsconfig\.json$/).map((name) => path.posix.dirname(name));
    const projectOf = (layer: string): string => {
      const around = projects.filter((project) => `${layer}/`.startsWith(`${project}/`));
      return around.sort((x, y) => y.length - x.length)[0];
    };
    for (const project of projects) {
      const text = readFileSync(path.join(root, 'src', project, 'tsconfig.json'), 'utf8');
      const { references = [] } = JSON.parse(text) as { references?: { path: string }[] };
      const imported = names
        .filter((layer) => projectOf(layer) === project)
        .flatMap((layer) => [...layers[layer].allows, ...layers[layer].types].map(projectOf));
      assert.deepEqual(
        references.map((reference) => path.posix.join(project, reference.path)).sort(),
        [...new Set(imported)].filter((other) => other !== project).sort(),
        project,
      );
    }
  });

  test('no wing imports a later one', () => {
    const wings = ['core', 'library', 'scan', 'review', 'organisation', 'session', 'presentation', 'surfaces'];
    const wingOf = (layer: string): number => wings.indexOf(folderOf(layer));
    for (const [layer, { allows, types }] of Object.entries(layers)) {
      const later = [...allows, ...types].filter((other) => wingOf(other) > wingOf(layer));
      assert.deepEqual(later, [], layer);
    }
    assert.deepEqual([...new Set(names.map(folderOf))].sort(), [...wings].sort());
    assert.deepEqual(readdirSync(path.join(root, 'src')).sort(), [...wings].sort());
  });

  test('ARCHITECTURE.md has them in its table', () => {
    const text = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `src\/([\w/]+)` \| [^|]+ \|$/gm)];
    assert.deepEqual(
      rows.map(([, layer]) => layer),
      names,
    );
  });
});

/** Returns the name of a package that a layer may import. */
function exampleOf(module: string): string {
  return module === 'node:' ? 'node:fs' : module.replace('$', '');
}

suite('inside the engine', () => {
  const engine = path.join(root, 'src/core/engine');
  /** Folders in the order of the work. The files that compose them, and those that all of them use, are beside them. */
  const folders = ['languages', 'documents', 'seeds', 'matches', 'groups', 'files', 'rows', 'report', 'similar'];
  const stages = [
    'documents/indexDocument.ts',
    'seeds/seeds.ts',
    'matches/matches.ts',
    'groups/cluster.ts',
    'files/fileClusters.ts',
    'report/makeReport.ts',
  ];
  /** Files that compose the stages: for all documents, for changes, and for texts to search for. */
  const composing = ['comparison.ts', 'liveCorpus.ts', 'windowIndex.ts'];
  const files = sourcesBelow(engine);

  test('the folders and the stages are as expected', () => {
    assert.deepEqual(foldersOf(files), [...folders].sort());
    for (const stage of stages) assert.ok(files.includes(stage), stage);
  });

  test('no stage calls another, and only compositions call two', () => {
    const wrong = files
      .filter((name) => !composing.includes(name))
      .map((name) => ({ name, calls: calledBy(engine, name).filter((other) => stages.includes(other)) }))
      .filter(({ name, calls }) => calls.length > (stages.includes(name) ? 0 : 1));
    assert.deepEqual(wrong, []);
  });

  test('no folder calls a later one', () => {
    assert.deepEqual(callsOfLater(engine, folders), []);
  });
});

suite('inside the kernel', () => {
  const kernel = path.join(root, 'src/core/kernel');
  /**
   * Folders in the order of the work. The files that are compiled to modules, and the memory blocks, are beside them.
   */
  const folders = ['lex', 'documents', 'seeds', 'matches', 'files'];
  const files = sourcesBelow(kernel);

  test('the folders and the modules are as expected', () => {
    assert.deepEqual(foldersOf(files), [...folders].sort());
    const beside = [
      'blocks',
      'kernel',
      'kernelExports',
      'pair',
      'pairLayout',
      'pairs',
      'pairsExports',
      'radixSort',
      'records',
      'search',
    ];
    assert.deepEqual(
      files.filter((name) => !name.includes('/')).sort(),
      beside.map((name) => `${name}.ts`),
    );
  });

  test('no folder calls a later one', () => {
    assert.deepEqual(callsOfLater(kernel, folders), []);
  });

  test('module-level variables do not become more: records replace them', () => {
    const lines = files.flatMap((name) => readFileSync(path.join(kernel, name), 'utf8').split('\n'));
    const variables = lines.filter((line) => /^(?:export )?let /.test(line)).length;
    assert.ok(variables <= 27, `${variables}; lower the limit if there are fewer`);
  });

  test('matching initializes each part of its scratch memory', () => {
    const textOf = (name: string): string => readFileSync(path.join(kernel, name), 'utf8');
    const calls = /function prepareMatching[^]*?\n}/.exec(textOf('matches/match.ts'))![0];
    const uninitialized = files
      .filter((name) => name !== 'matches/match.ts' && /= reserve\(/.test(textOf(name)))
      .filter((name) => {
        const [, place] = /^export function (place\w+)\(scratch: usize\)/m.exec(textOf(name)) ?? [];
        return place === undefined || !calls.includes(`  ${place}(scratch);`);
      });
    assert.deepEqual(uninitialized, []);
  });

  test('the two functions that match open the records that others read, and nobody else does', () => {
    const openings = /\b(?:useSettings|openRecords|openPair|openDocuments|openClassifier)\((?!\w+: )/;
    const opening = files.filter((name) => openings.test(readFileSync(path.join(kernel, name), 'utf8')));
    assert.deepEqual(opening, ['matches/match.ts']);
    const text = readFileSync(path.join(kernel, 'matches/match.ts'), 'utf8');
    for (const name of ['matchSeeds', 'matchPassages']) {
      const body = new RegExp(`export function ${name}\\([^]*?\\n}`).exec(text)![0];
      for (const called of ['useSettings', 'openRecords', 'openPair'])
        assert.match(body, new RegExp(`\\b${called}\\(`));
    }
    const openPair = /function openPair\([^]*?\n}/.exec(text)![0];
    for (const called of ['openDocuments', 'openClassifier']) assert.match(openPair, new RegExp(`\\b${called}\\(`));
  });

  test('the kernel is called only by the classes that prepare it for matching and for blocks', () => {
    const sources = path.join(root, 'src');
    const calling = (called: RegExp): string[] =>
      sourcesBelow(sources).filter(
        (name) => !name.startsWith('core/kernel/') && called.test(readFileSync(path.join(sources, name), 'utf8')),
      );
    // Matcher has methods of the same names.
    const matching =
      /\bprepareMatching\b|\bexports\.match(?:Seeds|Passages)\b|\{[^{}()]*\bmatch(?:Seeds|Passages)\b[^{}()]*\} = /;
    assert.deepEqual(calling(matching), ['core/engine/matches/matches.ts']);
    assert.deepEqual(calling(/\b(?:prepareBlocks|allocateBlock|freeBlock|donateBlock)\b/), ['core/engine/kernel.ts']);
  });
});

suite('inside the extension', () => {
  const host = path.join(root, 'src/surfaces/vscode');
  /** Folders from inputs to views. The files that create and connect the parts are beside them. */
  const folders = [
    ...['workspace', 'findings', 'scanning', 'status', 'tree', 'editor', 'ignored', 'similar', 'map', 'tuning'],
  ];

  test('the folders are as expected', () => {
    assert.deepEqual(foldersOf(sourcesBelow(host)), [...folders].sort());
  });

  test('no folder calls a later one', () => {
    assert.deepEqual(callsOfLater(host, folders), []);
  });
});

suite('imports form no cycle', () => {
  test('in all sources', () => {
    const files = ['src', 'test', 'scripts', 'bench'].flatMap((folder) =>
      sourcesBelow(path.join(root, folder), /\.(ts|mjs)$/)
        .filter((name) => !name.startsWith('fixtures/'))
        .map((name) => `${folder}/${name}`),
    );
    const cycle = firstCycle(new Map(files.map((name) => [name, calledBy(root, name)])));
    assert.deepEqual(cycle, []);
  });

  const graphs: readonly { graph: Record<string, string[]>; cycle: string[] }[] = [
    { graph: { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, cycle: [] },
    { graph: { a: ['b'], b: ['c', 'd'], c: [], d: ['b'] }, cycle: ['b', 'd', 'b'] },
    { graph: { a: ['a'] }, cycle: ['a', 'a'] },
    { graph: { a: ['b'], b: [], c: ['d'], d: ['c'] }, cycle: ['c', 'd', 'c'] },
  ];
  for (const { graph, cycle } of graphs) {
    test(`${JSON.stringify(graph)}: ${cycle.join(' → ') || 'none'}`, () => {
      assert.deepEqual(firstCycle(new Map(Object.entries(graph))), cycle);
    });
  }

  test('statements and calls count, types do not', () => {
    const calls = (text: string): string[] => calledModules('a.ts', text);
    assert.deepEqual(calls("import './b.ts'; import { c } from './c.ts'; export { d } from './d';"), [
      './b.ts',
      './c.ts',
      './d',
    ]);
    assert.deepEqual(calls("const b = await import('./b.ts');"), ['./b.ts']);
    assert.deepEqual(calls("import type { B } from './b.ts'; type C = typeof import('./c.ts');"), []);
  });
});

/** Returns the files of the first cycle of imports that is found, or an empty list. */
function firstCycle(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const finished = new Set<string>();
  const visit = (name: string, before: readonly string[]): string[] => {
    if (before.includes(name)) return [...before.slice(before.indexOf(name)), name];
    if (finished.has(name)) return [];
    for (const next of imports.get(name) ?? []) {
      const cycle = visit(next, [...before, name]);
      if (cycle.length > 0) return cycle;
    }
    finished.add(name);
    return [];
  };
  for (const name of imports.keys()) {
    const cycle = visit(name, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

/** Returns the sources in a folder at any depth, as relative paths. */
function sourcesBelow(folder: string, pattern = /\.ts$/): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => name.split(path.sep).join('/'));
}

/** Returns the top-level folder of a file, or its name if it is in none. */
function folderOf(name: string): string {
  return name.replace(/\/.*/, '');
}

/** Returns the folders that contain files, by name. */
function foldersOf(files: readonly string[]): string[] {
  return [...new Set(files.filter((name) => name.includes('/')).map(folderOf))].sort();
}

/** Returns the files in subfolders that call a file of a later folder, with the called files. */
function callsOfLater(folder: string, folders: readonly string[]): { name: string; calls: string[] }[] {
  const order = (name: string): number => folders.indexOf(folderOf(name));
  return sourcesBelow(folder)
    .filter((name) => order(name) >= 0)
    .map((name) => ({ name, calls: calledBy(folder, name).filter((other) => order(other) > order(name)) }))
    .filter(({ calls }) => calls.length > 0);
}

/** Returns the files of a folder whose functions or values (not only types) one of its files imports or re-exports. */
function calledBy(folder: string, name: string): string[] {
  return calledModules(name, readFileSync(path.join(folder, name), 'utf8')).flatMap((specifier) => {
    if (!specifier.startsWith('.')) return [];
    // AssemblyScript imports files without their extension.
    const from = path.posix.join(
      path.posix.dirname(name),
      specifier.replace(/(\.(ts|mjs))?$/, (end) => end || '.ts'),
    );
    return existsSync(path.join(folder, from)) ? [from] : [];
  });
}

/** Returns the modules whose functions or values a source uses, in statements and then in calls. */
function calledModules(name: string, text: string): string[] {
  const { statements } = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022);
  const calls = text.matchAll(/(?<!typeof )\bimport\('([^']+)'\)/g);
  return [
    ...statements.flatMap((statement) => calledModule(statement) ?? []),
    ...[...calls].map(([, called]) => called),
  ];
}

/** Returns the module of a statement that imports or re-exports functions or values. */
function calledModule(statement: ts.Statement): string | undefined {
  if (ts.isExportDeclaration(statement) && !statement.isTypeOnly) {
    return (statement.moduleSpecifier as ts.StringLiteral | undefined)?.text;
  }
  if (!ts.isImportDeclaration(statement) || statement.importClause?.isTypeOnly === true) return undefined;
  const named = statement.importClause?.namedBindings;
  const isOfTypes = named !== undefined && ts.isNamedImports(named) && named.elements.every((one) => one.isTypeOnly);
  return isOfTypes ? undefined : (statement.moduleSpecifier as ts.StringLiteral).text;
}

suite('manifest', () => {
  const manifest = readManifest();
  const settings = Object.assign(
    {},
    ...manifest.contributes.configuration.map(({ properties }) => properties),
  ) as Record<string, { default: unknown }>;

  test('contributes each option of the engine with its default', () => {
    for (const [name, value] of Object.entries({ ...defaultOptions, ...prefixed('prose', defaultOptions.prose) })) {
      if (name !== 'prose') assert.deepEqual(settings[`kindred.${name}`]?.default, value, name);
    }
  });

  test('contributes each option for reading files with its default', () => {
    const { gitignore, maxFileSizeBytes, ...others } = defaultSourceOptions;
    const expected = { gitignore, maxFileSize: `${maxFileSizeBytes / 2 ** 20}mb`, ...others };
    for (const [name, value] of Object.entries(expected)) {
      assert.deepEqual(settings[`kindred.${name}`]?.default, value, name);
    }
    assert.equal(Object.keys(expected).length, Object.keys(defaultSourceOptions).length);
  });

  test('contributes the settings that the extension reads, and no others', () => {
    const source = readFileSync(path.join(root, 'src/surfaces/vscode/settings.ts'), 'utf8');
    const read = [...source.matchAll(/\bread(?:<[^>]+>)?\('([^']+)'\)/g)].map(([, name]) => `kindred.${name}`);
    assert.deepEqual(read.sort(), Object.keys(settings).sort());
  });

  test('has a text for each of its keys, and no other texts', () => {
    const texts = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
    const keys = [...JSON.stringify(manifest).matchAll(/"%([^"%]+)%"/g)].map(([, key]) => key);
    assert.deepEqual([...new Set(keys)].sort(), Object.keys(texts).sort());
  });
});

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, { readonly default: unknown }>> }[];
  };
}

function readManifest(): Manifest {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;
}

function prefixed(prefix: string, values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));
}

suite('rules that know types', () => {
  const texts: Record<string, string> = {
    'await-thenable': 'export async function f(): Promise<void> { await 1; }',
    'no-array-delete': 'const a = [1]; delete a[0];',
    'no-base-to-string': 'export const a = `${{}}`;',
    'no-duplicate-type-constituents': "export type A = 'b' | 'b';",
    'no-floating-promises': 'Promise.resolve(1);',
    'no-for-in-array': 'for (const a in [1]) void a;',
    'no-implied-eval': "void new Function('a');",
    'no-misused-promises': 'if (Promise.resolve(true)) void 0;',
    'no-redundant-type-constituents': "export type A = 'b' | string;",
    'no-unnecessary-type-assertion': 'const a: number = 1; export const b = a as number;',
    'no-unsafe-argument': "declare const a: any; 'b'.at(a);",
    'no-unsafe-assignment': 'declare const a: any; export const b = a;',
    'no-unsafe-call': 'declare const a: any; a();',
    'no-unsafe-enum-comparison': 'enum A { B } export const c = A.B === 1;',
    'no-unsafe-member-access': 'declare const a: any; void a.b;',
    'no-unsafe-return': 'declare const a: any; export function f(): string { return a; }',
    'no-unsafe-unary-minus': "export const a = -('b' as unknown as string);",
    'only-throw-error': "throw 'a';",
    'prefer-promise-reject-errors': "export const a = Promise.reject('b');",
    'require-await': 'export async function f(): Promise<void> { void 0; }',
    'restrict-plus-operands': "export const a = 'b' + {};",
    'restrict-template-expressions': 'declare const a: { b: 1 }; export const c = `${a}`;',
    'switch-exhaustiveness-check':
      "export function f(a: 'b' | 'c'): number { switch (a) { case 'b': return 1; } return 2; }",
    'unbound-method': 'class A { b(): void { void this; } } export const { b } = new A();',
  };
  const firedRules = new Map<string, string[]>();

  suiteSetup(() => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kindred-rules-'));
    try {
      writeFileSync(path.join(folder, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "lib": ["ES2022"] } }');
      for (const [rule, text] of Object.entries(texts)) {
        // `export` makes a module, so that the texts do not share their declarations.
        writeFileSync(path.join(folder, `${rule}.ts`), `${text} export {};`);
      }
      const program = ['node_modules/oxlint/bin/oxlint', '--config', '.oxlintrc.json', '--format', 'json', folder];
      const { stdout } = spawnSync(process.execPath, program, { cwd: root, encoding: 'utf8' });
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
      for (const { code, filename } of diagnostics) {
        const rule = path.basename(filename, '.ts');
        firedRules.set(rule, [...(firedRules.get(rule) ?? []), code]);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('are all tested', () => {
    const { rules } = parse(readFileSync(path.join(root, '.oxlintrc.json'), 'utf8')) as { rules: object };
    assert.deepEqual(
      Object.keys(rules).sort(),
      Object.keys(texts)
        .map((rule) => `typescript/${rule}`)
        .sort(),
    );
  });

  for (const rule of Object.keys(texts)) {
    test(rule, () => {
      const codes = firedRules.get(rule) ?? [];
      assert.ok(codes.includes(`typescript(${rule})`), `only ${codes.join(', ')}`);
    });
  }
});

suite('each linter rule fires', () => {
  const everywhere: Record<string, string> = {
    'import-x/no-default-export': 'export default 1;',
    '@typescript-eslint/consistent-type-imports': "import { Options } from '../options.ts'; export type A = Options;",
    '@typescript-eslint/no-require-imports': "require('a');",
    '@typescript-eslint/ban-ts-comment': '// @ts-expect-error\nexport const a: string = 1;',
    '@typescript-eslint/no-explicit-any': 'export const a: any = 1;',
    'max-lines': 'void 0;\n'.repeat(501),
    complexity: `export function f(a: number): number { ${'if (a > 1) a--;'.repeat(20)} return a; }`,
    'max-depth': 'if (1) { if (2) { if (3) { if (4) { if (5) void 0; } } } }',
    'max-params': 'export function f(a: 1, b: 2, c: 3, d: 4, e: 5, g: 6): unknown { return [a, b, c, d, e, g]; }',
    'no-console': 'console.log(1);',
  };
  for (const [rule, text] of Object.entries(everywhere)) {
    test(rule, async () => {
      // A file of the engine, in which every rule applies.
      const rules = (await lint('src/core/engine/languages/tokenKind.ts', text, linter)).map(({ ruleId }) => ruleId);
      assert.ok(rules.includes(rule), `only ${rules.join(', ')}`);
    });
  }

  const syntax: Record<string, string> = {
    'No barrels': "export * from '../options.ts';",
    'No enums': 'enum A { B }',
    'Begin the name of a minimum': 'export const leastTokens = 1;',
    'The engine loads nothing': "void import('../options.ts');",
    'Chance comes in as a seed': 'Math.random();',
    'The engine has no clock': 'Date.now();',
  };
  for (const [message, text] of Object.entries(syntax)) {
    test(message, async () => {
      const messages = (await lint('src/core/engine/languages/tokenKind.ts', text, linter)).map(
        (found) => found.message,
      );
      assert.ok(
        messages.some((found) => found.startsWith(message)),
        messages.join('\n'),
      );
    });
  }
});

suite('names have a noun', () => {
  const rejected = [
    'export const known = 1;',
    'export const [known] = [1];',
    'export const { a: known = 1 } = { a: 1 };',
    'export const { a, ...known } = { a: 1 };',
    'export function f(known: string, asked = known): string { return asked; }',
    'export type ReadPath = (known: string) => void;',
    'export interface Paths { readonly known: string }',
    'export interface Paths { readonly known: () => string }',
    'export class Paths { #known = 1; read = (): number => this.#known; }',
    'export class Known {}',
    'export type Known = string;',
    'export interface Known { readonly path: string }',
    'export interface Found { readonly path: string }',
    'export type Kept = string;',
  ];
  const accepted = ['export const knownPaths = 1;', 'export interface Paths { known(path: string): boolean }'];
  const hasNouns = async (text: string): Promise<boolean> =>
    (await lint('src/core/methods/bits.ts', text, linter)).every(({ message }) => !message.startsWith('Add the noun'));

  for (const text of rejected) test(`rejects ${text}`, async () => assert.equal(await hasNouns(text), false));
  for (const text of accepted) test(`accepts ${text}`, async () => assert.equal(await hasNouns(text), true));
});

suite('npm run check', () => {
  test('has no test with a database', async () => {
    const parts = await testParts('check');
    const files = parts
      .flatMap(({ command }) => command)
      .flatMap((argument) => /^dist\/(test\/.*\.test)\.js$/.exec(argument)?.[1] ?? []);
    assert.ok(files.length > 100);
    const imports = /from '[./]*(?:organisation\/(?:duckdb\/|storing)|storing|src\/organisation\/folder\/duckdb)/;
    assert.deepEqual(
      files.filter((file) => imports.test(readFileSync(path.join(root, `${file}.ts`), 'utf8'))),
      [],
    );
  });
});

suite('comments begin with a noun or a verb, and have short lines', () => {
  const commentRules = new Set<string | null>(['kindred/plain-comments', 'max-len']);
  const rejected = [
    `/** The ${'long '.repeat(24)}line. */`,
    '/** What a file has. */',
    '/**\n * Who asked.\n */',
    '// Of all files the first.',
    '/**\n * Returns it.\n *\n * @param a  whether it is one\n */',
    '/** @returns how many there are */',
    'void 0; // That is all.',
    'void 0; // Nothing.\n// Those of before.',
  ];
  const accepted = [
    '/** The files. */',
    '// Lines that continue a sentence, of which the second begins with a word\n// that a comment may not begin with.',
    '/** Howling wind. */',
    `export const text = '${'long '.repeat(24)}'; // A text.`,
    '/** @param what  the subject */',
  ];
  const plain = async (text: string): Promise<boolean> =>
    (await lint('src/core/methods/bits.ts', text, linter)).every(({ ruleId }) => !commentRules.has(ruleId));

  for (const text of rejected) test(`rejects ${text}`, async () => assert.equal(await plain(text), false));
  for (const text of accepted) test(`accepts ${text}`, async () => assert.equal(await plain(text), true));
});

suite('each linter rule fires in the kernel', () => {
  const rules: Record<string, string> = {
    'import-x/no-default-export': 'export default 1;',
    'no-import-assign': "import { near } from './seeds/livePartners'; near = 1;",
    '@typescript-eslint/no-unused-vars': '@inline function a(p: usize): u32 { return load<u32>(p); }',
    'no-restricted-syntax': 'const known = 1;',
    'max-lines': 'trace();\n'.repeat(501),
    'max-depth': 'if (1) { if (2) { if (3) { if (4) { if (5) { if (6) trace(); } } } } }',
  };
  for (const [rule, text] of Object.entries(rules)) {
    test(rule, async () => {
      const fired = (await lint('src/core/kernel/blocks.ts', text, linter)).map(({ ruleId }) => ruleId);
      assert.ok(fired.includes(rule), `only ${fired.join(', ')}`);
    });
  }
});

const linter = new ESLint({ cwd: root });
/** Only the rule about imports, because the others take most of the time. */
const importLinter = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => ruleId === '@typescript-eslint/no-restricted-imports',
});

/** Returns the linter's messages for a text in place of a file. */
async function lint(file: string, text: string, by: ESLint): Promise<ESLint.LintResult['messages']> {
  const [result] = await by.lintText(text, { filePath: path.join(root, file) });
  assert.ok(!result.messages.some(({ fatal }) => fatal), JSON.stringify(result.messages[0]));
  return result.messages;
}
