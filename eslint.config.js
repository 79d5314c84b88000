import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** What browsers of `browserslist` in package.json cannot read; what they do not have, the compiler's `lib` holds. */
const UNREADABLE = [
  { selector: 'StaticBlock', message: 'Safari reads class static blocks since 16.4.' },
  { selector: 'Literal[regex.pattern=/\\(\\?<[=!]/]', message: 'Safari reads lookbehind since 16.4.' },
  { selector: 'Literal[regex.flags=/v/]', message: 'Browsers read the flag v since 2023.' },
];

export default defineConfig(
  globalIgnores(['dist/', 'coverage/', '**/.cache/', 'demo/.data/', 'examples/**/*.{js,mjs,jsx,tsx}', 'editor/']),
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // Phaser's listeners are methods with the receiver beside them: `events.on(name, this.onUpdate, this)`.
      '@typescript-eslint/unbound-method': 'off',
      // Flat buffers and pools are indexed by numbers their own code has just bounded.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // Phaser types much as always present that is absent before boot, after destroy, or in an older 3.x.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Phaser's game objects are classes with their components declared as interfaces: shape is what counts.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      eqeqeq: 'error',
    },
  },
  {
    // What servers answer is matched by these, too: a pattern that can divide a text in many ways tries all of them.
    files: ['src/**/*.ts', 'demo/**/*.ts'],
    plugins: { regexp },
    rules: { 'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }] },
  },
  {
    // Phaser's own types live in a global namespace; merging into it is the only way to extend them.
    files: ['src/plugin/augment.ts', '**/*.d.ts'],
    rules: { '@typescript-eslint/no-namespace': 'off' },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      // A note to the developer has a level; `console.log` is what debugging leaves behind.
      'no-console': ['error', { allow: ['error', 'warn', 'info', 'debug'] }],
      'no-restricted-globals': ['error', 'event', 'name'],
      'no-restricted-syntax': [
        'error',
        ...UNREADABLE,
        {
          selector: ':matches(PropertyDefinition, MethodDefinition[kind!="constructor"])[accessibility="private"]',
          message: 'Private members are `#members`.',
        },
      ],
    },
  },
  {
    // Tests look at private members of these, or break them.
    files: ['src/meter/FrameMeter.ts', 'src/page/{FrameObserver,PageWatcher}.ts', 'src/record/frame/KnownOwners.ts'],
    rules: { 'no-restricted-syntax': ['error', ...UNREADABLE] },
  },
  {
    files: ['__tests__/**/*.ts'],
    rules: {
      // `async` keeps a stand-in in the shape of the real thing.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { console: 'readonly', process: 'readonly', URL: 'readonly' } },
  },
);
