import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const launcher = join(root, 'tools/run.cjs');

/** A file that breaks one rule each, or that keeps them all. */
const PLANTED: readonly { readonly path: string; readonly text: string; readonly broken: boolean }[] = [
  { path: 'packages/gateway/src/login/planted.ts', text: "import '@poolgate/pool';", broken: true },
  {
    path: 'packages/gateway/src/login/typed.ts',
    text: "import type { X } from '@poolgate/store';\nexport type Y = X;",
    broken: true,
  },
  { path: 'packages/gateway/src/login/web.ts', text: "import 'fastify';", broken: true },
  { path: 'packages/gateway/src/guards/up.ts', text: "import '../http/server.ts';", broken: true },
  { path: 'packages/gateway/src/service/neighbour.ts', text: "import '../admin/audit.ts';", broken: true },
  {
    path: 'packages/gateway/src/account/neighbour.ts',
    text: "import type { X } from '../login/password.ts';\nexport type Y = X;",
    broken: true,
  },
  { path: 'packages/gateway/src/users/up.ts', text: "import '../account/register.ts';", broken: true },
  { path: 'packages/gateway/src/events/up.ts', text: "import '../tokens/logout.ts';", broken: true },
  { path: 'packages/gateway/src/webhooks/up.ts', text: "import '../admin/webhooks.ts';", broken: true },
  { path: 'packages/gateway/src/webhooks/kept.ts', text: "import '../events/present.ts';", broken: false },
  { path: 'packages/gateway/src/account/kept.ts', text: "import '../users/user.ts';", broken: false },
  { path: 'packages/gateway/src/pages/up.ts', text: "import '../account/not-me-page.ts';", broken: true },
  { path: 'packages/gateway/src/docs-page/up.ts', text: "import '../service/docs.ts';", broken: true },
  { path: 'packages/gateway/src/oauth/kept.ts', text: "import '../pages/language.ts';", broken: false },
  { path: 'packages/gateway/src/oauth/up.ts', text: "import '../http/oauth.ts';", broken: true },
  { path: 'packages/gateway/src/tokens/up.ts', text: "import '../web/guard.ts';", broken: true },
  { path: 'packages/pool/src/triggers/up.ts', text: "import '../login/answer.ts';", broken: true },
  { path: 'packages/client/src/srp/up.ts', text: "import '../login/run.ts';", broken: true },
  { path: 'packages/client/src/login/up.ts', text: "import '../account/profile.ts';", broken: true },
  { path: 'packages/client/src/account/kept.ts', text: "import '../login/run.ts';", broken: false },
  { path: 'packages/elements/src/ui/up.ts', text: "import '../steps/view.ts';", broken: true },
  { path: 'packages/elements/src/steps/up.ts', text: "import '../elements/sign-in.ts';", broken: true },
  { path: 'packages/elements/src/pages/kept.ts', text: "import '../account/items.ts';", broken: false },
  { path: 'packages/poolgate/src/senders/up.ts', text: "import '../commands/run.ts';", broken: true },
  { path: 'packages/poolgate/src/senders/up.test.ts', text: "import '../commands/run.ts';", broken: false },
  { path: 'packages/pool/src/messages/up.ts', text: "import '../login/decision.ts';", broken: true },
  { path: 'packages/pool/src/messages/aside.ts', text: "import '../sessions/logins.ts';", broken: true },
  {
    path: 'packages/pool/src/store/up.ts',
    text: "import type { X } from '../messages/queue.ts';\nexport type Y = X;",
    broken: true,
  },
  { path: 'packages/pool/src/planted.ts', text: "export * from '@poolgate/store';", broken: true },
  {
    path: 'packages/pool/src/passwords/operations/aside.ts',
    text: "import '../../users/operations/own-account.ts';",
    broken: true,
  },
  { path: 'packages/pool/src/passwords/operations/kept.ts', text: "import '../../users/users.ts';", broken: false },
  { path: 'packages/pool/src/users/up.ts', text: "import '../login/flow.ts';", broken: true },
  {
    path: 'packages/pool/src/login/challenges/lazy.ts',
    text: "export const x = (): unknown => import('../../users/operations/list-users.ts');",
    broken: true,
  },
  { path: 'packages/pool/src/around.ts', text: "import '../../gateway/src/deps.ts';", broken: true },
  { path: 'packages/store/src/planted.ts', text: "import '@poolgate/pool';", broken: true },
  { path: 'packages/srp/src/planted.ts', text: "import 'node:crypto';", broken: true },
  { path: 'packages/srp/src/global.ts', text: 'export const x = Buffer.alloc(1);', broken: true },
  { path: 'packages/provider/src/planted.ts', text: "import '@poolgate/srp';", broken: true },
  {
    path: 'packages/gateway/src/guards/one.ts',
    text: "import type { Two } from './two.ts';\nexport type One = Two;",
    broken: true,
  },
  {
    path: 'packages/gateway/src/guards/two.ts',
    text: "import type { One } from './one.ts';\nexport type Two = One;",
    broken: true,
  },
  {
    path: 'bench/ring.ts',
    text: "import type { Back } from './rings/back.ts';\nexport type Ring = Back;",
    broken: true,
  },
  {
    path: 'bench/rings/back.ts',
    text: "import type { Ring } from '../ring.ts';\nexport type Back = Ring;",
    broken: true,
  },
  { path: 'packages/pool/src/kept.ts', text: "import '@poolgate/provider';", broken: false },
  {
    path: 'packages/store/src/kept.ts',
    text: "import type { X } from '@poolgate/pool/store';\nexport type Y = X;",
    broken: false,
  },
];

test('every planted import against the dependency rules is an error, a ring of types among them, and no other is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dependency-rules-'));
  try {
    for (const file of ['biome.json', 'tools/chance.grit']) cpSync(join(root, file), join(folder, file));
    for (const { path, text } of PLANTED) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
    const args = [
      'lint',
      '--vcs-enabled=false',
      '--only=style/noRestrictedImports',
      '--only=style/noRestrictedGlobals',
      '--only=suspicious/noImportCycles',
    ];
    const run = spawnSync(process.execPath, [launcher, 'biome', ...args, '--reporter=json', '.'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const found = new Set<string>();
    const report = JSON.parse(run.stdout) as { diagnostics: { location: { path: string | { file: string } } }[] };
    for (const { location } of report.diagnostics)
      found.add(typeof location.path === 'string' ? location.path : location.path.file);
    const broken = PLANTED.filter((file) => file.broken).map((file) => file.path);
    assert.deepEqual([...found].sort(), broken.sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('biome.json holds the dependency rules of the table', () => {
  execFileSync(process.execPath, [join(root, 'tools/dependency-rules.ts'), '--check']);
});

const ENVIRONMENT_VARIABLE = /\b(?:POOLGATE|IDP)_[A-Z]/;
/** Packages that are given their settings, and know nothing of where these come from. */
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
