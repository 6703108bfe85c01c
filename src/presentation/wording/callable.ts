/** Decides which functions other files can call by name, from a language's conventions and keywords. */
import { setOf } from '../../core/collections/lists.ts';
import { commonNames } from './passageName.ts';
import { type Declaration, lastName } from './declarations.ts';

/** A declaration, and the file it is in. */
export interface Place extends Declaration {
  /** VS Code id of the language. */
  readonly language: string;
  readonly path: string;
}

/** Names of functions that frameworks, test runners, or hosts call. */
const prescribed = setOf(
  'componentDidMount componentDidUpdate componentWillUnmount componentDidCatch shouldComponentUpdate ' +
    'getDerivedStateFromProps getSnapshotBeforeUpdate getInitialProps getServerSideProps getStaticProps getStaticPaths ' +
    'generateMetadata generateStaticParams loader action middleware activate deactivate beforeEach afterEach beforeAll ' +
    'afterAll before after setUpClass tearDownClass setUpModule tearDownModule upgrade downgrade up down mount unmount ' +
    'onCreate onDestroy onStart onStop onPause onResume onLoad onUnload viewDidLoad viewWillAppear viewDidAppear ' +
    'ngOnInit ngOnDestroy ngOnChanges mounted created beforeDestroy bootstrap register finalize GET POST PUT PATCH ' +
    'DELETE HEAD OPTIONS handler lambda_handler usage help Main ToString Equals GetHashCode Dispose',
);

/** Types in C, which a function pointer among the parameters has in place of a name: `void (*set)(int)`. */
const types = setOf('void int char bool float double long short unsigned signed size_t');

/** Returns false for constructors, tests, and functions that a language, framework, or test runner calls. */
export function hasOwnName({ name }: Pick<Declaration, 'name'>): boolean {
  const last = lastName({ name });
  return (
    /^[\p{L}_$][\p{L}\p{N}_$.:?!]*$/u.test(name) &&
    !commonNames.has(last) &&
    !prescribed.has(last) &&
    !types.has(last) &&
    !/^__\w+__$|^(?:test|Test|Benchmark|Example)(?:[_\p{Lu}]|$)|_?OnLoad$/u.test(last)
  );
}

/**
 * Returns true if other files can call a function by its name: it is exported or public, and not an instance method.
 *
 * @param lines  lines of the function's file
 */
export function isCallable(one: Place, lines: readonly string[]): boolean {
  const head = lines[one.startLine - 1]!;
  const isFree = !/^\s/.test(head) || /^\s+(?:[\w]+\s+)*static\s/.test(head);
  const above = lines[one.startLine - 2] ?? '';
  const isHidden =
    /\b(?:private|fileprivate|protected|override)\b/.test(beforeName(head, one)) || /^\s*@Override\b/.test(above);
  if (!isFree || isHidden || /^[_#]/.test(one.name)) return false;
  return isVisible(one, head, lines);
}

function isVisible(one: Place, head: string, lines: readonly string[]): boolean {
  switch (one.language) {
    case 'javascript':
    case 'javascriptreact':
    case 'typescript':
    case 'typescriptreact':
      return isExported(one, head, lines);
    case 'go':
      // A method in Go has its receiver before its name, and `package main` cannot be imported.
      return /^func \p{Lu}/u.test(head) && !lines.some((line) => /^package main\b/.test(line));
    case 'rust':
      return /^\s*pub\b/.test(head);
    case 'c':
    case 'cpp':
      return !one.name.includes('::') && (!/\bstatic\b/.test(beforeName(head, one)) || /\.h\w*$/.test(one.path));
    default:
      return true;
  }
}

function beforeName(head: string, { name }: Place): string {
  const at = head.indexOf(lastName({ name }));
  return at < 0 ? head : head.slice(0, at);
}

/** Returns true if a module exports the function or its class, or a file without exports and imports has it. */
function isExported({ name, startLine, endLine }: Place, head: string, lines: readonly string[]): boolean {
  const hasBody = lines.slice(startLine - 1, endLine).some((line) => /\{\s*(?:\/[/*].*)?$/.test(line));
  // Overload signatures have no body.
  if (/\bfunction\b/.test(head) && !hasBody) return false;
  const outer = /^\s/.test(head)
    ? lines
        .slice(0, startLine - 1)
        .reverse()
        .find((line) => /^\S.*\bclass\b/.test(line))
    : head;
  if (outer === undefined) return false;
  if (/^export\b|^(?:module\.)?exports\b/.test(outer)) return true;
  const exported = outer === head ? name : (/\bclass\s+([\w$]+)/.exec(outer)?.[1] ?? '');
  const text = lines.join('\n');
  if (!/^(?:import|export)\b|\brequire\(|\bmodule\.exports\b|^exports\./m.test(text)) return true;
  const word = exported.replaceAll('$', String.raw`\$`);
  return new RegExp(
    String.raw`^export\s*\{[^}]*\b${word}\b|^export\s+default\s+${word}\b|^(?:module\.)?exports\b[^=\n]*=\s*(?:\{[^}]*\b${word}\b|${word}\s*;?$)`,
    'm',
  ).test(text);
}
