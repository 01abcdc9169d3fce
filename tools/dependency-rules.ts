/**
 * The dependency rules: which package and which layer may import which. Writes them into biome.json as lint rules; `--check` only compares.
 * Overrides of Biome replace a rule's options, so every list that is written here is complete.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface PackageRule {
  /** Folder below packages/, or a folder inside one. */
  readonly folder: string;
  /** Entry points of other packages that it may import. */
  readonly entryPoints: readonly string[];
  /** Relative paths that it may not import: the layers above it. */
  readonly notAbove?: readonly string[];
  /** Modules that belong to another layer. */
  readonly notModules?: readonly string[];
  /** True where the code must run in any runtime. */
  readonly anyRuntime?: boolean;
}

const POOL = ['@poolgate/provider', '@poolgate/srp'];
const GATEWAY = ['@poolgate/contract', '@poolgate/provider', '@poolgate/provider/aws-json', '@poolgate/srp'];
const WEB_FRAMEWORK = ['fastify', '@fastify/*'];
const above = (...folders: string[]): string[] =>
  folders.flatMap((folder) => [`../${folder}/**`, `../../${folder}/**`]);
/** What the rules of the pool are about: a folder each, with its operations in a folder of their own. */
const POOL_NOUNS = [
  'users',
  'registrations',
  'passwords',
  'factors',
  'passkeys',
  'devices',
  'groups',
  'pools',
  'sessions',
  'shared',
];
const OPERATIONS = ['**/operations/**'];
const GATEWAY_VERBS = ['login', 'devices', 'mfa', 'passkeys', 'admin', 'account', 'tokens'];

const PACKAGE_RULES: readonly PackageRule[] = [
  { folder: 'srp/src', entryPoints: [], anyRuntime: true },
  { folder: 'provider/src', entryPoints: [], anyRuntime: true },
  { folder: 'contract/src', entryPoints: [], anyRuntime: true },
  { folder: 'provider-cognito/src', entryPoints: POOL },
  { folder: 'pool/src', entryPoints: POOL },
  ...POOL_NOUNS.map((noun) => ({
    folder: `pool/src/${noun}`,
    entryPoints: POOL,
    notAbove: [...OPERATIONS, ...above('login')],
  })),
  { folder: 'pool/src/messages', entryPoints: POOL, notAbove: [...OPERATIONS, ...above('login', 'tokens')] },
  { folder: 'pool/src/tokens', entryPoints: POOL, notAbove: [...OPERATIONS, ...above('login')] },
  { folder: 'pool/src/login', entryPoints: POOL, notAbove: OPERATIONS },
  { folder: 'pool/src/login/challenges', entryPoints: POOL, notAbove: [...OPERATIONS, '../*.ts'] },
  ...[...POOL_NOUNS, 'login'].map((noun) => ({ folder: `pool/src/${noun}/operations`, entryPoints: POOL })),
  {
    folder: 'pool/src/store',
    entryPoints: ['@poolgate/provider'],
    notAbove: [...OPERATIONS, ...above('login', 'tokens', 'messages', ...POOL_NOUNS)],
  },
  { folder: 'gateway/src', entryPoints: GATEWAY },
  ...GATEWAY_VERBS.map((verb) => ({
    folder: `gateway/src/${verb}`,
    entryPoints: GATEWAY,
    notAbove: above('http'),
    notModules: WEB_FRAMEWORK,
  })),
  {
    folder: 'gateway/src/guards',
    entryPoints: GATEWAY,
    notAbove: above('http', ...GATEWAY_VERBS),
    notModules: WEB_FRAMEWORK,
  },
  {
    folder: 'gateway/src/records',
    entryPoints: ['@poolgate/provider'],
    notAbove: ['../**'],
    notModules: WEB_FRAMEWORK,
  },
  { folder: 'store/src', entryPoints: ['@poolgate/pool/store', '@poolgate/gateway/records'] },
  {
    folder: 'poolgate/src',
    entryPoints: [
      ...GATEWAY,
      '@poolgate/srp/openssl',
      '@poolgate/pool',
      '@poolgate/pool/store',
      '@poolgate/gateway',
      '@poolgate/gateway/records',
      '@poolgate/provider-cognito',
      '@poolgate/store',
    ],
    notModules: WEB_FRAMEWORK,
  },
];

/** Files that may use Node in a package for any runtime, and entry points that tests may use beside the package's own. */
const NODE_FILES = ['srp/src/openssl.ts', 'srp/src/openssl-rsa.ts'];
const TEST_ENTRY_POINTS = ['@poolgate/store', '@poolgate/store/testing', '@poolgate/srp/openssl'];

function patterns(rule: PackageRule, options: { tests: boolean; node: boolean }): unknown[] {
  const entryPoints = options.tests ? [...rule.entryPoints, ...TEST_ENTRY_POINTS] : rule.entryPoints;
  const list: unknown[] = [
    {
      group: ['@poolgate/*', '@poolgate/*/**', 'poolgate', '**/src/**', ...entryPoints.map((door) => `!${door}`)],
      message: `packages/${rule.folder} may not import this: see tools/dependency-rules.ts.`,
    },
  ];
  if (rule.notAbove && !options.tests)
    list.push({ group: [...rule.notAbove], message: `packages/${rule.folder} may not import a layer above it.` });
  if (rule.notModules && !options.tests)
    list.push({ group: [...rule.notModules], message: `packages/${rule.folder} does not know the web framework.` });
  if (rule.anyRuntime && !options.node)
    list.push({ group: ['node:*'], message: `packages/${rule.folder} runs in any runtime.` });
  return list;
}

function override(includes: string[], rule: PackageRule, options: { tests: boolean; node: boolean }): unknown {
  const style = { noRestrictedImports: { level: 'error', options: { patterns: patterns(rule, options) } } };
  const globals = {
    noRestrictedGlobals: { level: 'error', options: { deniedGlobals: { Buffer: 'Node only', process: 'Node only' } } },
  };
  const portable = rule.anyRuntime && !options.node;
  return { includes, linter: { rules: { style: portable ? { ...style, ...globals } : style } } };
}

function overrides(): unknown[] {
  const packages = PACKAGE_RULES.map((rule) =>
    override([`packages/${rule.folder}/**`], rule, { tests: false, node: false }),
  );
  const tests = PACKAGE_RULES.map((rule) =>
    override([`packages/${rule.folder}/**/*.test.ts`, `packages/${rule.folder}/**/testing/**`], rule, {
      tests: true,
      node: true,
    }),
  );
  const node = PACKAGE_RULES.flatMap((rule) => {
    const files = NODE_FILES.filter((file) => file.startsWith(`${rule.folder}/`)).map((file) => `packages/${file}`);
    return files.length === 0 ? [] : [override(files, rule, { tests: false, node: true })];
  });
  return [...packages, ...tests, ...node];
}

const target = new URL('../biome.json', import.meta.url);
const settings = JSON.parse(readFileSync(target, 'utf8')) as { overrides?: { linter?: unknown }[] };
const byHand = (settings.overrides ?? []).filter((entry) => !JSON.stringify(entry).includes('noRestrictedImports'));
const written = { ...settings, overrides: [...byHand, ...overrides()] };

if (process.argv.includes('--check')) {
  if (JSON.stringify(settings) !== JSON.stringify(written)) {
    console.error(
      'biome.json does not match tools/dependency-rules.ts: run `npm run node -- tools/dependency-rules.ts`',
    );
    process.exitCode = 1;
  }
} else writeFileSync(target, `${JSON.stringify(written, null, 2)}\n`);
