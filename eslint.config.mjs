import js from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { importedPath, layers } from './scripts/layers.mjs';
import { plainComments } from './scripts/plainComments.mjs';

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
              regex: `\\.\\./${importedPath(layer, other)}/`,
              allowTypeImports: types.includes(other),
              message: `src/${layer} may not import src/${other}${types.includes(other) ? ', except types' : ''}.`,
            })),
        ],
      },
    ],
  },
}));

/**
 * Returns the selector of variables, parameters, and properties that are declared with certain names.
 *
 * @param {string} names  a regular expression
 */
const declaring = (names) =>
  [
    'VariableDeclarator > Identifier.id',
    ':function > Identifier.params',
    ':matches(TSFunctionType, TSMethodSignature) > Identifier.params',
    'AssignmentPattern > Identifier.left',
    'ArrayPattern > Identifier',
    'RestElement > Identifier.argument',
    'ObjectPattern > Property > Identifier.value',
    'PropertyDefinition > :matches(Identifier, PrivateIdentifier).key',
    'TSPropertySignature:not([typeAnnotation.typeAnnotation.type=TSFunctionType]) > Identifier.key',
  ]
    .map((declared) => `${declared}[name=${names}]`)
    .join(', ');

/** Verbs that do not state the content of a value. */
const bareNames = '/^(asked|chosen|come|given|gone|known|said|wanted)$/i';

/** Verbs and participles that do not state what a type is. */
const bareTypes =
  '/^(Asked|Begin|Chosen|Come|Compare|Counted|Edited|Fetch|Found|Given|Gone|Grouped|Invoke|Kept|Known|Left|Listed|Made|Read|Reported|Said|Scanned|Sent|Shown|Stored|Tried|Verify|Wanted|Write)$/';

/** Syntax that no file uses. */
const avoidedSyntax = [
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that owns the name.' },
  { selector: 'TSEnumDeclaration', message: 'No enums: use a literal union.' },
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write the properties of the inner object into the outer one.',
  },
  // Functions that return the least or the most of something may say so.
  {
    selector: declaring('/^(least|most|farthest)([A-Z]|$)/'),
    message: 'Begin the name of a minimum with min, and of a maximum with max.',
  },
];

/** Declarations whose name needs a noun. */
const bareName = {
  selector: [
    declaring(bareNames),
    `TSPropertySignature > Identifier.key[name=${bareNames}]`,
    `:matches(TSInterfaceDeclaration, TSTypeAliasDeclaration, ClassDeclaration) > Identifier.id[name=${bareTypes}]`,
  ].join(', '),
  message: 'Add the noun: knownPaths instead of known.',
};

/** Rules for both TypeScript and AssemblyScript. */
const commonRules = {
  'import-x/no-default-export': 'error',
  'no-restricted-syntax': ['error', ...avoidedSyntax],
  'max-lines': ['error', { max: 500, skipComments: true, skipBlankLines: true }],
  'max-depth': ['error', 4],
};

/** Rules of single files. Those that know types are in .oxlintrc.json. */
export default tseslint.config(
  { ignores: ['dist/', '.tsc/', '.vscode-test/', 'node_modules/', 'test/fixtures/', 'corpora/', 'media/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    ignores: ['src/core/kernel/**'],
    extends: [...tseslint.configs.recommended],
    plugins: { 'import-x': importX },
    rules: {
      ...commonRules,
      'no-restricted-syntax': ['error', ...avoidedSyntax, bareName],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-require-imports': 'error',
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      complexity: ['error', 20],
      'max-params': ['error', 5],
    },
  },
  // AssemblyScript: its own compiler checks types, of which TypeScript's parser knows nothing.
  {
    files: ['src/core/kernel/**/*.ts'],
    extends: [...tseslint.configs.recommended],
    plugins: { 'import-x': importX },
    // Decorators of functions.
    languageOptions: { parserOptions: { allowInvalidAST: true } },
    rules: {
      ...commonRules,
      'no-restricted-syntax': ['error', ...avoidedSyntax, bareName],
      'no-import-assign': 'error',
      'max-depth': ['error', 5],
      // A number of 64 bits has all its digits.
      'no-loss-of-precision': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', '**/*.mjs'],
    plugins: { kindred: { rules: { 'plain-comments': plainComments } } },
    rules: {
      'kindred/plain-comments': 'error',
      // Prettier breaks code, but not comments.
      'max-len': ['error', { code: 1_000, comments: 120 }],
    },
  },
  { files: ['**/*.d.ts'], rules: { 'import-x/no-default-export': 'off' } },
  ...layerRules,
  {
    files: ['src/core/{methods,engine}/**/*.ts', 'src/library/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        ...avoidedSyntax,
        bareName,
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
  { files: ['test/**/*.ts'], rules: { 'max-lines': 'off' } },
  {
    files: ['**/*.mjs'],
    rules: { 'no-restricted-syntax': ['error', ...avoidedSyntax, bareName] },
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
