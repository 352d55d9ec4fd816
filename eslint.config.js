import boundaries from 'eslint-plugin-boundaries';
import tseslint from 'typescript-eslint';
import { plainEnglish } from './scripts/texts/eslint-rule.mjs';

/*
 * The import table of the house: what each folder may import of ours. `types` may be imported with `import type` only.
 */
const folders = {
  lib: 'src/lib',
  domain: 'src/domain',
  db: 'src/db',
  temporal: 'src/temporal',
  services: 'src/services',
  server: 'src/server',
  web: 'src/web',
  cli: 'src/cli',
  contexts: 'src/contexts',
  bin: 'src/bin',
  // The files right below src.
  root: 'src',
  tools: 'tools',
  workflows: 'workflows',
  activities: 'activities',
  test: 'test',
};
const everything = Object.keys(folders);

const table = {
  lib: { values: [], types: [] },
  domain: { values: [], types: [] },
  db: { values: ['domain'], types: ['root'] },
  temporal: { values: ['domain', 'workflows'], types: ['root'] },
  services: { values: ['db', 'temporal', 'domain'], types: ['root'] },
  server: { values: ['services', 'domain', 'web'], types: ['root'] },
  web: { values: ['services', 'server', 'domain'], types: ['root'] },
  cli: { values: ['domain'], types: ['server'] },
  contexts: { values: everything, types: [] },
  tools: { values: everything, types: [] },
  bin: { values: everything, types: [] },
  root: { values: everything, types: [] },
  workflows: { values: ['domain'], types: ['activities'] },
  activities: { values: ['domain'], types: ['db', 'workflows'] },
  test: { values: everything, types: [] },
};

const fromTheRoot = {
  group: ['../*'],
  message: 'Import from another folder by its path from the root: #src/…',
};
const pureViews = {
  group: ['#src/{db,services,server,temporal,contexts}/**', '@hapi/*', 'mongodb'],
  allowTypeImports: true,
  message: 'A view gets what it shows as props from the route of its page.',
};

const element = (type) => ({ element: { type } });

const dependencyRules = Object.entries(table).flatMap(([from, { values, types }]) => [
  { from: element([from]), allow: { to: element([from, 'lib', ...values]) } },
  { from: element([from]), allow: { to: element(types), dependency: { kind: 'type' } } },
]);

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.runhook/', 'test/histories/'] },
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'off',
    },
  },
  {
    files: ['{src,workflows,activities,tools,test}/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'no-restricted-imports': ['error', { patterns: [fromTheRoot] }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
    },
  },
  {
    files: ['{src,workflows,activities,tools}/**/*.{ts,tsx}'],
    plugins: { boundaries },
    settings: {
      'boundaries/elements': Object.entries(folders).map(([type, pattern]) => ({ type, pattern, partialMatch: false })),
      'import/resolver': { typescript: { alwaysTryTypes: true }, node: true },
    },
    rules: {
      'boundaries/dependencies': ['error', { default: 'disallow', policies: dependencyRules }],
      'boundaries/no-unknown-files': 'error',
    },
  },
  {
    files: ['src/web/**/*.tsx'],
    rules: {
      'no-restricted-imports': 'off',
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: [fromTheRoot, pureViews] }],
    },
  },
  {
    // The same as `npm run texts -- --check`, in the editor.
    files: ['src/**/*.{ts,tsx}', 'workflows/**/*.ts', 'activities/**/*.ts', 'tools/**/*.ts', 'test/**/*.{ts,tsx}'],
    ignores: ['test/scripts/texts/**'],
    plugins: { texts: { rules: { 'plain-english': plainEnglish } } },
    rules: { 'texts/plain-english': 'error' },
  },
  {
    // Mocha loads a reporter with require.
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs' },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    // The values of these tests are asserted by property: expect(x).to.be.true
    files: ['test/**/*.{ts,tsx}'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
);
