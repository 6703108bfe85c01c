/**
 * Recognizes example code by the names of its folders and files: samples, demos, tutorials, sources of documentation,
 * benchmarks, fixtures, and project templates. Examples repeat each other because each one must be complete.
 */
import { isTestFolder, isTestName } from './testPaths.ts';

export type Role = 'tests' | 'examples';

/**
 * Returns the role of a file. If the file name does not indicate a role, the innermost folder whose name indicates one
 * decides. So `test/fixtures/a.ts` is an example, and `examples/shop/a.test.ts` is a test.
 */
export function roleOf(path: string, prose: boolean): Role | undefined {
  const folders = path.toLowerCase().split('/');
  folders.pop();
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (exampleNames.some((names) => names.test(name))) return 'examples';
  if (isTestName(name)) return 'tests';
  for (let at = folders.length - 1; at >= 0; at--) {
    if (isExampleFolder(folders, at) && !(prose && isDocumentation(folders, at))) return 'examples';
    if (isTestFolder(folders[at])) return 'tests';
  }
  return undefined;
}

function isExampleFolder(folders: readonly string[], at: number): boolean {
  const folder = folders[at];
  // In the package name `com.example`, the word is a placeholder for a company.
  if (at > 0 && domains.has(folders[at - 1])) return false;
  if (exampleFolders.test(folder) || projectTemplates.test(folder)) return true;
  const above = folders.slice(0, at);
  if (/^templates?(?:[-_]|$)/.test(folder) && above.some((name) => name.startsWith('create-'))) return true;
  // Inside of a program, `samples` may be sounds, and `tutorial` may be a feature.
  if (likelyFolders.test(folder)) return !above.some((name) => programFolders.test(name));
  return (folder === 'snippets' || folder === 'code') && above.some((name) => documentationFolders.test(name));
}

const exampleFolders =
  /^(?:examples?|samples|demos|(?:docs?|documentation|tutorials?)[-_]src|bench(?:es|marks?)?|[-_]*fixtures?[-_]*|test[-_]?(?:data|fixtures|cases)|.+[-_](?:examples|samples|demos|benchmarks|fixtures))$/;
/**
 * Folders of project templates: Jekyll's `site_template`, Django's `project_template`, and `{{cookiecutter.name}}`.
 * `create-…` is a package that `npm create` runs. In most other folders of templates, the templates are pages.
 */
const projectTemplates = /^(?:(?:app|blank|package|plugin|project|site|theme)[-_]templates?|\{\{.*\}\})$/;
const likelyFolders = /^(?:sample|demo|tutorials?|quickstarts?|cookbooks?|playgrounds?|listings|starters?)$/;
const programFolders = /^(?:src|lib|app|pkg|internal)$/;
const domains: ReadonlySet<string> = new Set(['com', 'org', 'net', 'io', 'dev']);

/** Returns true for prose about examples or for learners. It is the documentation itself, not an example. */
function isDocumentation(folders: readonly string[], at: number): boolean {
  if (/fixture|bench|data/.test(folders[at])) return false;
  return likelyFolders.test(folders[at]) || folders.slice(0, at + 1).some((name) => documentationFolders.test(name));
}

const documentationFolders =
  /^(?:docs?|documentation|website|site|content|guides?|book|(?:docs?|documentation)[-_]src)$/;

const exampleNames: readonly RegExp[] = [
  // a.bench.ts, a_bench.py, a-benchmark.cc, bench_a.py, ABenchmark.java
  /[._-]bench(?:mark)?s?\.\w+$/i,
  /^bench(?:mark)?[_-]/i,
  /[a-z\d]Benchmarks?\.\w+$/,
  // a.stories.tsx, a.example.ts, example_a.py
  /\.(?:stories|examples?)\.\w+$/i,
  /^examples?[_-]\w+\.\w+$/i,
];
