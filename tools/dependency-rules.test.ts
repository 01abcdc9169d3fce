import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const launcher = join(root, 'tools/run.cjs');

/** Files that each break one kind of rule. */
const BROKEN: Readonly<Record<string, string>> = {
  'packages/gateway/src/login/package.ts': "import '@poolgate/pool';",
  'packages/gateway/src/login/type.ts': "import type { X } from '@poolgate/store';\nexport type Y = X;",
  'packages/gateway/src/login/framework.ts': "import 'fastify';",
  'packages/gateway/src/account/neighbor.ts': "import '../login/password.ts';",
  'packages/elements/src/ui/up.ts': "import '../steps/view.ts';",
  'packages/elements/src/beside.ts': "import './pages/shell.ts';",
  'packages/elements/src/pages/package.ts': "import '@poolgate/provider';",
  'packages/store/src/sql/top.ts': "import '../open-store.ts';",
  'packages/pool/src/login/challenges/lazy.ts':
    "export const x = (): unknown => import('../../operations/list-users.ts');",
  'packages/pool/src/around.ts': "import '../../gateway/src/kernel/deps.ts';",
  'packages/pool/src/export.ts': "export * from '@poolgate/store';",
  'packages/pool/src/chance.ts': 'export const x = [1].map(Math.random);',
  'packages/srp/src/node.ts': "import 'node:crypto';",
  'packages/srp/src/global.ts': 'export const x = Buffer.alloc(1);',
  'packages/gateway/src/guards/one.ts': "import type { Two } from './two.ts';\nexport type One = Two;",
  'packages/gateway/src/guards/two.ts': "import type { One } from './one.ts';\nexport type Two = One;",
};

/** Files that follow all rules. */
const SOUND: Readonly<Record<string, string>> = {
  'packages/gateway/src/account/kept.ts': "import '../users/user.ts';",
  'packages/pool/src/kept.ts': "import '@poolgate/provider';",
  'packages/pool/src/kept.test.ts': 'export const x = Math.random();',
  'packages/store/src/kept.ts': "import type { X } from '@poolgate/pool/store';\nexport type Y = X;",
};

const CATEGORIES: ReadonlySet<string> = new Set([
  'lint/style/noRestrictedImports',
  'lint/style/noRestrictedGlobals',
  'lint/suspicious/noImportCycles',
  'plugin',
]);

test('the linter reports each kind of forbidden import, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dependency-rules-'));
  try {
    for (const file of ['biome.json', 'tools/chance.grit']) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(root, file), join(folder, file));
    }
    for (const [path, text] of Object.entries({ ...BROKEN, ...SOUND })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
    const args = ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=json', '.'];
    const run = spawnSync(process.execPath, [launcher, 'biome', ...args], { cwd: folder, encoding: 'utf8' });
    const report = JSON.parse(run.stdout) as {
      readonly diagnostics: readonly {
        readonly category: string;
        readonly location: { readonly path: string | { readonly file: string } };
      }[];
    };
    const found = report.diagnostics
      .filter(({ category }) => CATEGORIES.has(category))
      .map(({ location: { path } }) => (typeof path === 'string' ? path : path.file));
    assert.deepEqual([...new Set(found)].sort(), Object.keys(BROKEN).sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** `IDP_BUTTON_ICON` is a category of images of Cognito. */
const ENVIRONMENT_VARIABLE = /\b(?:POOLGATE|IDP)_(?!BUTTON_ICON)[A-Z]/;
/** Packages that receive their settings and do not know where these come from. */
const WITHOUT_ENVIRONMENT = ['pool', 'provider', 'contract', 'store'];

test('the packages that are given their settings name no environment variable', () => {
  const named = WITHOUT_ENVIRONMENT.flatMap((name) =>
    globSync(`packages/${name}/src/**/*.ts`, {
      cwd: root,
      exclude: (path) => path.endsWith('.test.ts') || path.endsWith('/testing'),
    }).filter((path) => ENVIRONMENT_VARIABLE.test(readFileSync(join(root, path), 'utf8'))),
  );
  assert.deepEqual(named, []);
});
