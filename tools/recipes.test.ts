import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { allLanguages } from '../packages/elements/src/translations/language-catalogue.ts';
import { ERROR_PAGE_TEXTS } from '../packages/gateway/src/http/error-page-texts.ts';
import { PAGE_LANGUAGES } from '../packages/gateway/src/oauth/oauth-page-texts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The recipes for contributors, by what they add. */
const RECIPES: ReadonlyMap<string, string> = new Map(
  read('docs/contributing/recipes.md')
    .split(/^#{2,3} /m)
    .filter((section) => /^Add an? /.test(section))
    .map((section) => [/^Add an? (.*)$/m.exec(section)?.[1] ?? '', section]),
);

const listNamedFiles = (recipe: string): readonly string[] =>
  [...recipe.matchAll(/`((?:packages|tools|docs|e2e|examples|deploy)\/[^`\s]+)`/g)].map(([, file = '']) => file);

test('every file and folder that a recipe names exists', () => {
  assert.ok(RECIPES.size >= 10);
  for (const [kind, recipe] of RECIPES) {
    const files = listNamedFiles(recipe);
    assert.ok(files.length > 0, kind);
    // A name in capitals is a placeholder for the new name.
    const missing = files.filter((file) => !/NAME|NNNN/.test(file) && !existsSync(join(root, file)));
    assert.deepEqual(missing, [], `add a ${kind}`);
  }
});

test('every npm script that a recipe names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  for (const [kind, recipe] of RECIPES) {
    const named = [...recipe.matchAll(/`npm run ([a-z:-]+)/g)].map(([, name = '']) => name);
    assert.ok(named.length > 0, kind);
    assert.deepEqual(
      named.filter((name) => scripts[name] === undefined),
      [],
      `add a ${kind}`,
    );
  }
});

/**
 * Something that was added once, by its names in the code. Apart from its own files, only the files in the recipe may contain these names.
 * Any other file would be an undocumented list.
 */
interface Sample {
  readonly kind: string;
  readonly names: RegExp;
  /** The files that were written for it, and the files that use it. */
  readonly own: readonly string[];
  /** The files that contain every such thing. */
  readonly shared: readonly string[];
  /** The files of `e2e` and `tools` that contain it, except tests, if the recipe lists them. */
  readonly outside?: readonly string[];
}

const TRANSLATIONS = ['ar', 'de', 'es', 'fr', 'ja'].map((tag) => `packages/elements/src/translations/${tag}.ts`);

const SAMPLES: readonly Sample[] = [
  {
    kind: 'route',
    names: /\badminUserSignOut\b/,
    // The console calls it: a new route needs no change there.
    own: [
      'packages/console/src/api/admin-routes.ts',
      'packages/console/src/screens/user-actions.ts',
      'packages/gateway/src/admin/sign-out-user.ts',
    ],
    shared: ['packages/contract/src/admin-user-routes.ts', 'packages/gateway/src/http/handlers.ts'],
    outside: [],
  },
  {
    kind: 'operation',
    names: /escribeUserPoolDomain/,
    // The second file calls it: a new operation needs no change there.
    own: [
      'packages/pool/src/operations/domain-operations.ts',
      'packages/poolgate/src/files/resources/pool-resources.ts',
    ],
    shared: ['packages/provider-cognito/src/upstream/commands.ts', 'packages/provider/src/operations.ts'],
    outside: [],
  },
  {
    kind: 'page',
    names: /PoolgateForgotPassword|poolgate-forgot-password/,
    own: [
      'packages/elements/src/elements/define-follow-ups.ts',
      'packages/elements/src/elements/forgot-password.ts',
      'packages/elements/src/elements/sign-in.ts',
    ],
    shared: ['packages/elements/src/elements/form-element-table.ts', 'packages/elements/src/pages/page-table.ts'],
    outside: ['tools/elements-table.ts'],
  },
  {
    kind: 'language',
    names: /['"/]ja['".]|^ {2}ja:/m,
    own: [],
    shared: [
      'packages/console/src/translations/catalogue.ts',
      'packages/elements/src/translations/provider-texts.ts',
      'packages/elements/src/translations/language-catalogue.ts',
      'packages/gateway/src/http/error-page-texts.ts',
      'packages/gateway/src/oauth/oauth-page-texts.ts',
    ],
    outside: [],
  },
  {
    kind: 'error code',
    names: /\bgroup_exists\b/,
    own: TRANSLATIONS,
    shared: [
      'packages/contract/src/admin-group-routes.ts',
      'packages/contract/src/error-codes.ts',
      'packages/elements/src/translations/en.ts',
      'packages/gateway/src/kernel/gateway-errors.ts',
    ],
    outside: [],
  },
  {
    kind: 'setting',
    names: /\badminGroups\b/,
    // The pool receives it too: it links no one to a user in these groups by address. Adding members needs another scope.
    own: [
      'packages/gateway/src/admin/user-group-handlers.ts',
      'packages/gateway/src/guards/authenticate-operator.ts',
      'packages/gateway/src/http/cognito-api-admin.ts',
      'packages/poolgate/src/providers/embedded-backend.ts',
    ],
    shared: [
      'packages/poolgate/src/config/gateway-settings.ts',
      'packages/gateway/src/kernel/deps.ts',
      'packages/gateway/src/testing/gateway-deps.ts',
    ],
  },
  {
    kind: 'trigger',
    names: /\bPostConfirmation\b/,
    own: ['packages/pool/src/users/post-confirmation-trigger.ts'],
    shared: ['packages/pool/src/triggers/trigger-definitions.ts'],
  },
  {
    kind: 'column',
    names: /\b(?:lastStep|last_step)\b/,
    own: [
      'packages/store/src/migrations/0002-challenges.ts',
      'packages/store/src/pool/sql-authenticator-repository.ts',
      'packages/pool/src/proofs/totp/totp.ts',
    ],
    shared: ['packages/pool/src/store/factor-records.ts', 'packages/store/src/testing/sample-records.ts'],
  },
  {
    kind: 'sender',
    names: /\bcreateSnsSender\b|'sns'/,
    own: ['packages/poolgate/src/senders/sns-sender.ts'],
    shared: ['packages/poolgate/src/config/message-settings.ts', 'packages/poolgate/src/senders/open-senders.ts'],
  },
];

/** Hand-written code. Tests may name what they test. */
const CODE = globSync('packages/*/src/**/*.ts', { cwd: root }).filter(
  (file) => !/\.test\.ts$|-(?:contract|steps)\.ts$|\/provider\/src\/shapes\.ts$/.test(file),
);

const OUTSIDE = globSync('{e2e,tools}/**/*.ts', { cwd: root }).filter((file) => !/node_modules|\.test\.ts$/.test(file));

for (const { kind, names, own, shared, outside } of SAMPLES) {
  test(`a ${kind} stands only in files of its own and in those that its recipe names`, () => {
    assert.ok(CODE.length > 500);
    assert.deepEqual(CODE.filter((file) => names.test(read(file))).toSorted(), [...own, ...shared].toSorted());
    const named = listNamedFiles(RECIPES.get(kind) ?? '');
    assert.deepEqual(
      [...shared, ...(outside ?? [])].filter((file) => !named.includes(file)),
      [],
    );
    if (outside === undefined) return;
    assert.ok(OUTSIDE.length > 100);
    assert.deepEqual(OUTSIDE.filter((file) => names.test(read(file))).toSorted(), outside.toSorted());
  });
}

test('the pages of the gateway have the languages of the elements', () => {
  const languages = allLanguages().map(({ tag }) => tag);
  assert.ok(languages.length >= 6);
  assert.deepEqual(Object.keys(ERROR_PAGE_TEXTS).toSorted(), languages.toSorted());
  assert.deepEqual([...new Set<string>(PAGE_LANGUAGES)].toSorted(), languages.toSorted());
});
