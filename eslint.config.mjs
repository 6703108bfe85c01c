import js from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { plainComments } from './scripts/plainComments.mjs';

// Allowed imports of each layer. `allows`: layers; `types`: layers for `import type`; `modules`: packages.
const layers = {
  kernel: { allows: [], types: [], modules: [] },
  methods: { allows: ['kernel'], types: [], modules: ['xxhash-wasm'] },
  engine: { allows: ['kernel', 'methods'], types: [], modules: ['@vscode/l10n'] },
  io: { allows: [], types: ['engine'], modules: ['node:', '@vscode/l10n', 'jsonc-parser'] },
  indexer: { allows: ['methods', 'engine', 'io'], types: [], modules: ['node:', '@vscode/l10n'] },
  protocol: { allows: [], types: ['engine', 'io', 'indexer', 'gate', 'check'], modules: [] },
  copies: { allows: [], types: [], modules: [] },
  wording: { allows: [], types: ['engine'], modules: [] },
  gate: { allows: ['io'], types: ['engine'], modules: ['@vscode/l10n', 'diff', 'jsonc-parser'] },
  check: { allows: ['engine', 'io', 'indexer', 'gate'], types: [], modules: ['node:'] },
  organisation: {
    allows: ['kernel', 'methods', 'engine', 'io', 'indexer', 'database'],
    types: [],
    modules: ['node:'],
  },
  database: { allows: ['methods'], types: [], modules: ['node:', 'pg', 'pg-copy-streams', 'pg-cursor'] },
  map: { allows: [], types: ['engine'], modules: [] },
  mapPage: { allows: ['page'], types: ['map'], modules: ['d3-hierarchy'] },
  page: { allows: ['wording'], types: [], modules: ['diff', 'highlight.js'] },
  tuner: { allows: ['page'], types: ['engine', 'protocol'], modules: [] },
  worker: {
    allows: ['engine', 'io', 'indexer', 'protocol', 'gate', 'check'],
    types: ['organisation'],
    modules: ['node:', '@vscode/l10n'],
  },
  session: { allows: ['protocol', 'gate'], types: ['engine', 'io', 'indexer'], modules: ['node:'] },
  tools: {
    allows: ['copies', 'wording', 'check'],
    types: ['engine', 'gate', 'protocol', 'session'],
    modules: ['diff'],
  },
  server: {
    allows: ['engine', 'io', 'gate', 'check', 'session', 'wording', 'tools'],
    types: ['indexer', 'protocol'],
    modules: [
      'node:',
      'diff',
      '@modelcontextprotocol/server',
      'vscode-languageserver',
      'vscode-languageserver-textdocument',
    ],
  },
  cli: {
    allows: ['engine', 'io', 'indexer', 'wording', 'gate', 'check', 'database', 'organisation'],
    types: ['methods', 'page', 'server'],
    modules: ['node:', 'commander', 'cli-progress', 'csv-stringify', 'diff', 'fast-xml-builder', 'fflate', 'sarif'],
  },
  host: {
    allows: ['copies', 'map', 'protocol', 'session', 'wording', 'gate', 'tools'],
    types: ['methods', 'engine', 'io', 'indexer'],
    modules: ['vscode$', 'node:', '@vscode/l10n', 'jsonc-parser'],
  },
};

const layerRules = Object.entries(layers).map(([layer, { allows, types, modules }]) => ({
  files: [`src/${layer}/**/*.ts`],
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `^(?!${['\\.', ...modules].join('|')})`,
            message: `src/${layer} may import no package${modules.length ? ` but ${modules.join(', ').replaceAll('$', '')}` : ''}.`,
          },
          ...Object.keys(layers)
            .filter((other) => other !== layer && !allows.includes(other))
            .map((other) => ({
              regex: `/${other}/`,
              allowTypeImports: types.includes(other),
              message: `src/${layer} may not import src/${other}${types.includes(other) ? ', except types' : ''}.`,
            })),
        ],
      },
    ],
  },
}));

/** Rules for both TypeScript and AssemblyScript. */
const commonRules = {
  'import-x/no-default-export': 'error',
  'no-restricted-syntax': [
    'error',
    { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that owns the name.' },
    { selector: 'TSEnumDeclaration', message: 'No enums: use a literal union.' },
  ],
  'max-lines': ['error', { max: 500, skipComments: true, skipBlankLines: true }],
  'max-depth': ['error', 4],
};

export default tseslint.config(
  { ignores: ['dist/', '.tsc/', '.vscode-test/', 'node_modules/', 'test/fixtures/', 'corpora/', 'media/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    ignores: ['src/kernel/**'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...commonRules,
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-require-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      complexity: ['error', 20],
      'max-params': ['error', 5],
    },
  },
  // AssemblyScript: its own compiler checks types, of which TypeScript's parser knows nothing.
  {
    files: ['src/kernel/**/*.ts'],
    extends: [...tseslint.configs.recommended],
    plugins: { 'import-x': importX },
    // Decorators of functions.
    languageOptions: { parserOptions: { allowInvalidAST: true } },
    rules: {
      ...commonRules,
      'no-import-assign': 'error',
      'max-depth': ['error', 5],
      // A number of 64 bits has all its digits.
      'no-loss-of-precision': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', '**/*.mjs'],
    plugins: { kindred: { rules: { 'plain-comments': plainComments } } },
    rules: { 'kindred/plain-comments': 'error' },
  },
  { files: ['**/*.d.ts'], rules: { 'import-x/no-default-export': 'off' } },
  ...layerRules,
  {
    files: ['src/methods/**/*.ts', 'src/engine/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that owns the name.' },
        { selector: 'TSEnumDeclaration', message: 'No enums: use a literal union.' },
        { selector: 'ImportExpression', message: 'The engine loads nothing by itself.' },
        {
          selector: "MemberExpression[object.name='Math'][property.name='random']",
          message: 'Chance comes in as a seed.',
        },
        {
          selector: "MemberExpression[object.name='Date'][property.name='now']",
          message: 'The engine has no clock: long work counts what it does (steps.ts).',
        },
      ],
    },
  },
  { files: ['test/**/*.ts'], rules: { 'max-lines': 'off', '@typescript-eslint/no-floating-promises': 'error' } },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        AbortController: 'readonly',
        console: 'readonly',
        process: 'readonly',
        setInterval: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        URL: 'readonly',
        URLSearchParams: 'readonly',
        performance: 'readonly',
        Buffer: 'readonly',
      },
    },
  },
);
