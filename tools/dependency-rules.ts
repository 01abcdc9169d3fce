import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GeneratedFile } from './generated-files.ts';

const { relative } = posix;
const launcher = fileURLToPath(new URL('run.cjs', import.meta.url));

interface FolderRule {
  /** Folder below packages/. */
  readonly folder: string;
  /** Entry points of other packages that it may import. */
  readonly allowedPackages: readonly string[];
  /** Relative paths that it may not import: layers above it, and neighbours that it must not know. */
  readonly forbiddenPaths?: readonly string[];
  /** Modules that belong to another layer. */
  readonly forbiddenModules?: readonly string[];
  /** True where the code must run in any runtime. */
  readonly anyRuntime?: boolean;
}

const POOL = ['@poolgate/provider', '@poolgate/srp'];
const GATEWAY = ['@poolgate/contract', '@poolgate/provider', '@poolgate/provider/aws-json', '@poolgate/srp'];
const CLIENT = ['@poolgate/contract', '@poolgate/srp'];
const ELEMENTS = ['@poolgate/client', '@poolgate/contract'];
const WEB_FRAMEWORK = ['fastify', '@fastify/*'];
const pathsTo = (...folders: string[]): string[] =>
  folders.flatMap((folder) => [`../${folder}/**`, `../../${folder}/**`]);
/** The folders of the pool, from bottom to top: a folder imports only folders that stand before it, and files in `src` import all of them. */
const POOL_LAYERS = [
  'store',
  'kernel',
  'settings',
  'identity',
  'triggers',
  'delivery/languages',
  'delivery',
  'tokens',
  'proofs/lockouts',
  'proofs/codes',
  'proofs/totp',
  'proofs/passwords',
  'proofs/passkeys',
  'proofs/devices',
  'proofs',
  'users',
  'recovery',
  'sessions',
  'registrations',
  'login/challenges',
  'login',
  'oauth',
  'operations',
];
/** The handlers of the gateway, a folder for each family of routes. No family knows another, or the web framework. */
const HANDLER_FAMILIES = ['login', 'devices', 'mfa', 'passkeys', 'admin', 'account', 'tokens', 'service'];
/** Sessions of browsers over these handlers, and the OAuth endpoints, for which such a session is the single sign-on. None of them knows these. */
const OVER_HANDLERS = ['web', 'oauth'];
/** What several families share. */
const SHARED_BY_HANDLERS = ['users', 'sessions', 'challenges', 'remembered-devices'];

/** What is written into pages and documents, below every handler. */
const BELOW_HANDLERS = ['pages', 'docs-page'];
/** The folders of the client, each with those that it may not know: what a login is made of knows no login, and a login no account. */
const CLIENT_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  srp: ['login', 'account', 'modes', 'server', 'devices', 'passkeys', 'passwords'],
  devices: ['login', 'account', 'modes', 'server', 'passkeys', 'passwords', 'srp'],
  passkeys: ['login', 'account', 'modes', 'server', 'devices', 'passwords', 'srp'],
  passwords: ['login', 'account', 'modes', 'server', 'devices', 'passkeys'],
  login: ['account', 'modes', 'server'],
  modes: ['account', 'server', 'devices', 'passkeys', 'passwords', 'srp'],
  server: ['login', 'account', 'modes', 'devices', 'passwords', 'srp'],
};
/** The folders of the elements, from the lowest to the highest: none knows one that stands behind it. */
const ELEMENT_FOLDERS = ['translations', 'look', 'ui', 'steps', 'elements', 'account', 'pages'];
/** Parts of the program that neither the commands nor the doctor is needed for. */
const PROGRAM_PARTS = [
  'hooks',
  'observability',
  'passwords',
  'providers',
  'secrets',
  'senders',
  'threads',
  'tls',
  'triggers',
];

/** A folder of the gateway that knows neither the web framework nor these other folders. */
function createGatewayRule(name: string, forbiddenFolders: readonly string[]): FolderRule {
  const above = OVER_HANDLERS.includes(name) ? [] : OVER_HANDLERS;
  return {
    folder: `gateway/src/${name}`,
    allowedPackages: GATEWAY,
    forbiddenPaths: pathsTo('http', ...above, ...forbiddenFolders.filter((folder) => folder !== name)),
    forbiddenModules: WEB_FRAMEWORK,
  };
}

const PROGRAM = [
  ...GATEWAY,
  '@poolgate/srp/openssl',
  '@poolgate/elements/pages',
  '@poolgate/pool',
  '@poolgate/pool/store',
  '@poolgate/pool/signatures',
  '@poolgate/gateway',
  '@poolgate/gateway/records',
  '@poolgate/provider-cognito',
  '@poolgate/store',
  '@poolgate/store/backup',
];

const FOLDER_RULES: readonly FolderRule[] = [
  { folder: 'srp/src', allowedPackages: [], anyRuntime: true },
  { folder: 'provider/src', allowedPackages: [], anyRuntime: true },
  { folder: 'contract/src', allowedPackages: [], anyRuntime: true },
  { folder: 'client/src', allowedPackages: CLIENT, anyRuntime: true },
  ...Object.entries(CLIENT_FOLDERS).map(([folder, unknown]) => ({
    folder: `client/src/${folder}`,
    allowedPackages: CLIENT,
    forbiddenPaths: pathsTo(...unknown),
    anyRuntime: true,
  })),
  { folder: 'provider-cognito/src', allowedPackages: POOL },
  { folder: 'pool/src', allowedPackages: POOL },
  ...POOL_LAYERS.map((folder, place) => ({
    folder: `pool/src/${folder}`,
    allowedPackages: folder === 'store' ? ['@poolgate/provider'] : POOL,
    forbiddenPaths: [...POOL_LAYERS.slice(place + 1), '.'].map((above) => `${relative(folder, above)}/*.ts`),
  })),
  { folder: 'gateway/src', allowedPackages: GATEWAY },
  ...HANDLER_FAMILIES.map((family) => createGatewayRule(family, HANDLER_FAMILIES)),
  ...OVER_HANDLERS.map((folder) => createGatewayRule(folder, ['webhooks'])),
  ...SHARED_BY_HANDLERS.map((folder) => createGatewayRule(folder, [...HANDLER_FAMILIES, 'webhooks'])),
  ...BELOW_HANDLERS.map((folder) =>
    createGatewayRule(folder, [
      ...HANDLER_FAMILIES,
      ...SHARED_BY_HANDLERS,
      ...BELOW_HANDLERS,
      'guards',
      'events',
      'webhooks',
    ]),
  ),
  createGatewayRule('guards', [...HANDLER_FAMILIES, ...SHARED_BY_HANDLERS, 'webhooks']),
  createGatewayRule('events', [...HANDLER_FAMILIES, ...SHARED_BY_HANDLERS, 'guards', 'webhooks']),
  createGatewayRule('webhooks', [...HANDLER_FAMILIES, ...SHARED_BY_HANDLERS, 'guards']),
  {
    folder: 'gateway/src/records',
    allowedPackages: ['@poolgate/provider'],
    forbiddenPaths: ['../**'],
    forbiddenModules: WEB_FRAMEWORK,
  },
  { folder: 'elements/src', allowedPackages: ELEMENTS, anyRuntime: true },
  ...ELEMENT_FOLDERS.map((folder, place) => ({
    folder: `elements/src/${folder}`,
    // The service draws pages with the same function that escapes its own.
    allowedPackages: folder === 'pages' ? [...ELEMENTS, '@poolgate/provider'] : ELEMENTS,
    forbiddenPaths: pathsTo(...ELEMENT_FOLDERS.slice(place + 1)),
    anyRuntime: true,
  })),
  { folder: 'store/src', allowedPackages: ['@poolgate/pool/store', '@poolgate/gateway/records'] },
  { folder: 'poolgate/src', allowedPackages: PROGRAM, forbiddenModules: WEB_FRAMEWORK },
  ...PROGRAM_PARTS.map((part) => ({
    folder: `poolgate/src/${part}`,
    allowedPackages: PROGRAM,
    forbiddenPaths: pathsTo('commands', 'doctor'),
    forbiddenModules: WEB_FRAMEWORK,
  })),
];

/** Files that may use Node in a package for any runtime, and entry points that tests may use beside the package's own. */
const NODE_FILES = ['srp/src/openssl.ts', 'srp/src/openssl-rsa.ts', 'srp/src/runtime-codecs.node.ts'];
const TEST_PACKAGES = ['@poolgate/store', '@poolgate/store/testing', '@poolgate/srp/openssl'];
/** What the tests of a package run on, where that is another one: a gateway on a real pool, a client on a real gateway. */
const TESTED_ON: Readonly<Record<string, readonly string[]>> = {
  gateway: ['@poolgate/pool/testing'],
  client: ['@poolgate/gateway/testing'],
};

function createPatterns(rule: FolderRule, options: { tests: boolean; node: boolean }): unknown[] {
  const testedOn = TESTED_ON[rule.folder.split('/')[0] ?? ''] ?? [];
  const allowed = options.tests ? [...rule.allowedPackages, ...TEST_PACKAGES, ...testedOn] : rule.allowedPackages;
  const list: unknown[] = [
    {
      group: ['@poolgate/*', '@poolgate/*/**', 'poolgate', '**/src/**', ...allowed.map((name) => `!${name}`)],
      message: `packages/${rule.folder} may not import this: see tools/dependency-rules.ts.`,
    },
  ];
  if (rule.forbiddenPaths && !options.tests)
    list.push({
      group: [...rule.forbiddenPaths],
      message: `packages/${rule.folder} may not import this folder: see tools/dependency-rules.ts.`,
    });
  if (rule.forbiddenModules && !options.tests)
    list.push({
      group: [...rule.forbiddenModules],
      message: `packages/${rule.folder} does not know the web framework.`,
    });
  if (rule.anyRuntime && !options.node)
    list.push({ group: ['node:*'], message: `packages/${rule.folder} runs in any runtime.` });
  return list;
}

function override(includes: string[], rule: FolderRule, options: { tests: boolean; node: boolean }): unknown {
  const style = { noRestrictedImports: { level: 'error', options: { patterns: createPatterns(rule, options) } } };
  const globals = {
    noRestrictedGlobals: { level: 'error', options: { deniedGlobals: { Buffer: 'Node only', process: 'Node only' } } },
  };
  const portable = rule.anyRuntime && !options.node;
  return { includes, linter: { rules: { style: portable ? { ...style, ...globals } : style } } };
}

/** Whether tests of a folder may import something else than those of its package. */
function hasTestsOfItsOwn({ folder, allowedPackages }: FolderRule): boolean {
  const [name, source, ...inside] = folder.split('/');
  const whole = FOLDER_RULES.find((rule) => rule.folder === `${name}/${source}`);
  return inside.length === 0 || whole?.allowedPackages.join() !== allowedPackages.join();
}

function createOverrides(): unknown[] {
  const packages = FOLDER_RULES.map((rule) =>
    override([`packages/${rule.folder}/**`], rule, { tests: false, node: false }),
  );
  const tests = FOLDER_RULES.filter(hasTestsOfItsOwn).map((rule) =>
    override([`packages/${rule.folder}/**/*.test.ts`, `packages/${rule.folder}/**/testing/**`], rule, {
      tests: true,
      node: true,
    }),
  );
  const node = FOLDER_RULES.flatMap((rule) => {
    const files = NODE_FILES.filter((file) => file.startsWith(`${rule.folder}/`)).map((file) => `packages/${file}`);
    return files.length === 0 ? [] : [override(files, rule, { tests: false, node: true })];
  });
  return [...packages, ...tests, ...node];
}

/** As `npm run format` formats it. */
function format(text: string): string {
  const words = [launcher, 'biome', 'format', '--stdin-file-path=biome.json'];
  return execFileSync(process.execPath, words, { input: text, encoding: 'utf8' });
}

/**
 * biome.json with the dependency rules as lint rules: which package and which layer may import which.
 * Overrides of Biome replace a rule's options, so every list that is written here is complete.
 */
export function generateLintRules(): readonly GeneratedFile[] {
  const current = readFileSync(new URL('../biome.json', import.meta.url), 'utf8');
  const settings = JSON.parse(current) as { overrides?: { linter?: unknown }[] };
  const byHand = (settings.overrides ?? []).filter((entry) => !JSON.stringify(entry).includes('noRestrictedImports'));
  const written = { ...settings, overrides: [...byHand, ...createOverrides()] };
  const isSame = JSON.stringify(settings) === JSON.stringify(written);
  return [{ file: 'biome.json', text: isSame ? current : format(JSON.stringify(written)) }];
}
