/**
 * The arrows between rooms: who may import whom. Writes them into biome.json as lint rules; `--check` only compares.
 * Overrides of Biome replace a rule's options, so every list that is written here is complete.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Room {
  /** Folder below packages/, or a folder inside one. */
  readonly folder: string;
  /** Doors of other rooms that it may import. */
  readonly doors: readonly string[];
  /** Relative paths that it may not import: the floors above it. */
  readonly notAbove?: readonly string[];
  /** Modules that belong to another floor. */
  readonly notModules?: readonly string[];
  /** True where the code must run in any runtime. */
  readonly anyRuntime?: boolean;
}

const POOL = ['@poolgate/provider', '@poolgate/srp'];
const GATEWAY = ['@poolgate/contract', '@poolgate/provider', '@poolgate/provider/aws-json', '@poolgate/srp'];
const WEB_FRAMEWORK = ['fastify', '@fastify/*'];
const above = (...folders: string[]): string[] =>
  folders.flatMap((folder) => [`../${folder}/**`, `../../${folder}/**`]);
const GATEWAY_VERBS = ['login', 'devices', 'mfa', 'passkeys', 'admin', 'account', 'tokens'];

const ROOMS: readonly Room[] = [
  { folder: 'srp/src', doors: [], anyRuntime: true },
  { folder: 'provider/src', doors: [], anyRuntime: true },
  { folder: 'contract/src', doors: [], anyRuntime: true },
  { folder: 'provider-cognito/src', doors: POOL },
  { folder: 'pool/src', doors: POOL },
  { folder: 'pool/src/auth', doors: POOL, notAbove: above('operations') },
  { folder: 'pool/src/challenges', doors: POOL, notAbove: above('operations', 'auth') },
  { folder: 'pool/src/tokens', doors: POOL, notAbove: above('operations', 'auth', 'challenges') },
  { folder: 'pool/src/domain', doors: POOL, notAbove: above('operations', 'auth', 'challenges', 'tokens') },
  {
    folder: 'pool/src/store',
    doors: ['@poolgate/provider'],
    notAbove: above('operations', 'auth', 'challenges', 'tokens', 'domain'),
  },
  { folder: 'gateway/src', doors: GATEWAY },
  ...GATEWAY_VERBS.map((verb) => ({
    folder: `gateway/src/${verb}`,
    doors: GATEWAY,
    notAbove: above('http'),
    notModules: WEB_FRAMEWORK,
  })),
  {
    folder: 'gateway/src/guards',
    doors: GATEWAY,
    notAbove: above('http', ...GATEWAY_VERBS),
    notModules: WEB_FRAMEWORK,
  },
  { folder: 'gateway/src/records', doors: ['@poolgate/provider'], notAbove: ['../**'], notModules: WEB_FRAMEWORK },
  { folder: 'store/src', doors: ['@poolgate/pool/store', '@poolgate/gateway/records'] },
  {
    folder: 'poolgate/src',
    doors: [
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

/** Files of a room that may use Node in a room for any runtime, and doors that tests may use beside the room's own. */
const NODE_FILES = ['srp/src/openssl.ts', 'srp/src/openssl-rsa.ts'];
const TEST_DOORS = ['@poolgate/store/testing'];

function patterns(room: Room, options: { tests: boolean; node: boolean }): unknown[] {
  const doors = options.tests ? [...room.doors, ...TEST_DOORS] : room.doors;
  const list: unknown[] = [
    {
      group: ['@poolgate/*', '@poolgate/*/**', 'poolgate', '**/src/**', ...doors.map((door) => `!${door}`)],
      message: `packages/${room.folder} may not import this room: see tools/arrows.ts.`,
    },
  ];
  if (room.notAbove && !options.tests)
    list.push({ group: [...room.notAbove], message: `packages/${room.folder} may not import a floor above it.` });
  if (room.notModules && !options.tests)
    list.push({ group: [...room.notModules], message: `packages/${room.folder} does not know the web framework.` });
  if (room.anyRuntime && !options.node)
    list.push({ group: ['node:*'], message: `packages/${room.folder} runs in any runtime.` });
  return list;
}

function override(includes: string[], room: Room, options: { tests: boolean; node: boolean }): unknown {
  const style = { noRestrictedImports: { level: 'error', options: { patterns: patterns(room, options) } } };
  const globals = {
    noRestrictedGlobals: { level: 'error', options: { deniedGlobals: { Buffer: 'Node only', process: 'Node only' } } },
  };
  const portable = room.anyRuntime && !options.node;
  return { includes, linter: { rules: { style: portable ? { ...style, ...globals } : style } } };
}

function overrides(): unknown[] {
  const rooms = ROOMS.map((room) => override([`packages/${room.folder}/**`], room, { tests: false, node: false }));
  const tests = ROOMS.map((room) =>
    override([`packages/${room.folder}/**/*.test.ts`, `packages/${room.folder}/**/testing/**`], room, {
      tests: true,
      node: true,
    }),
  );
  const node = ROOMS.flatMap((room) => {
    const files = NODE_FILES.filter((file) => file.startsWith(`${room.folder}/`)).map((file) => `packages/${file}`);
    return files.length === 0 ? [] : [override(files, room, { tests: false, node: true })];
  });
  return [...rooms, ...tests, ...node];
}

const target = new URL('../biome.json', import.meta.url);
const settings = JSON.parse(readFileSync(target, 'utf8')) as { overrides?: { linter?: unknown }[] };
const byHand = (settings.overrides ?? []).filter((entry) => !JSON.stringify(entry).includes('noRestrictedImports'));
const written = { ...settings, overrides: [...byHand, ...overrides()] };

if (process.argv.includes('--check')) {
  if (JSON.stringify(settings) !== JSON.stringify(written)) {
    console.error('biome.json does not hold the arrows of tools/arrows.ts: run `npm run node -- tools/arrows.ts`');
    process.exitCode = 1;
  }
} else writeFileSync(target, `${JSON.stringify(written, null, 2)}\n`);
