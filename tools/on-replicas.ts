import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Folders of suites over the routes. In every test run, all of them except {@link NOT_ON_REPLICAS} also run against two replicas behind a
 * load balancer.
 */
export const FOLDERS = ['accounts', 'administration', 'challenges', 'client', 'oauth', 'routes', 'triggers', 'web'];

/** The other test folders, and why none of them runs on replicas: suites over the routes test the same, or the tests need no service. */
export const OTHER_FOLDERS: Readonly<Record<string, string>> = {
  browser: 'a real browser, at pages whose requests are those of the suites of web, oauth and client',
  clients: 'unmodified clients of Cognito, which go by the time of day and wait for nothing',
  conformance: 'what every provider must do, each on a dedicated service',
  guides: 'what the guides say, by separate commands and programs',
  model: 'replicas are among the acts of the model',
  'on-cognito': 'backed by the protocol of Cognito',
  proofs: 'long proofs, several of them with replicas',
  releases: 'databases of earlier releases',
  vectors: 'test vectors in the process',
};

/** Why a suite does not run on replicas a second time. */
export const REASONS = {
  replicas: 'it has two services on one database in its hands anyway',
  inProcess: 'it asks a gateway or a pool in its own process, of which it knows or replaces the parts',
  database: 'it is about the database, and brings its own',
  ownDatabase: 'it names the database of its service, so it would run on that one service again',
  process: 'it starts, ends and configures services itself, one after the other',
  connections: 'it looks at the connections, the port or the event loop of one service: the load balancer has others',
} as const;

/** The suites over the routes that do not run on replicas, by folder. */
export const NOT_ON_REPLICAS: Readonly<Record<string, Readonly<Record<string, keyof typeof REASONS>>>> = {
  accounts: {
    canary: 'ownDatabase',
    expiry: 'ownDatabase',
    'forged-tokens': 'inProcess',
    'invented-names': 'inProcess',
    'key-rotation': 'replicas',
    're-creation': 'replicas',
    'refresh-families': 'replicas',
    revocations: 'replicas',
    'secret-change': 'process',
    'somebody-else': 'ownDatabase',
  },
  administration: {
    'local-records': 'ownDatabase',
    'second-pool': 'ownDatabase',
    'temporary-passwords': 'ownDatabase',
  },
  challenges: { races: 'replicas', replicas: 'replicas' },
  oauth: {
    'code-races': 'replicas',
    scopes: 'inProcess',
    'waiting-requests': 'replicas',
    'who-exists': 'ownDatabase',
  },
  routes: {
    'admin-guard': 'ownDatabase',
    'admin-paths': 'ownDatabase',
    alike: 'inProcess',
    'bad-provider': 'inProcess',
    'bad-requests': 'connections',
    'database-failover': 'database',
    'database-line': 'database',
    'database-restart': 'database',
    hardships: 'connections',
    'lost-events': 'ownDatabase',
    overload: 'connections',
    replicas: 'replicas',
    requests: 'connections',
    'round-trips': 'database',
    stopping: 'connections',
    'who-exists-rows': 'database',
  },
  triggers: { 'start-hints': 'ownDatabase' },
  web: { revocations: 'replicas' },
};

/** Why a single test of such a suite does not. */
const TEST_REASONS = {
  limits: 'it uses up a limit of which each process has its own',
  baseUrl: 'it sets the address of the service, which is that of the load balancer there',
} as const;

/** Single tests that do not run on replicas, in suites that do. */
export const TESTS_NOT_ON_REPLICAS: readonly {
  readonly file: string;
  readonly name: string;
  readonly reason: keyof typeof TEST_REASONS;
}[] = [
  { file: 'e2e/accounts/clock-jumps.test.ts', name: 'extends a limit by at most a minute', reason: 'limits' },
  {
    file: 'e2e/oauth/client-limits.test.ts',
    name: 'appears in the audit log once a minute per network, without what was sent',
    reason: 'limits',
  },
  {
    file: 'e2e/oauth/error-pages.test.ts',
    name: 'sees a page in their language about a limit, with the time to wait; a program gets a problem',
    reason: 'limits',
  },
  {
    file: 'e2e/routes/passkey-settings.test.ts',
    name: 'the relying party is the host of the service, or localhost in development',
    reason: 'baseUrl',
  },
  {
    file: 'e2e/triggers/lies.test.ts',
    name: 'one network does not block a function for others, and many networks open its circuit breaker',
    reason: 'limits',
  },
  {
    file: 'e2e/web/error-pages.test.ts',
    name: 'sees a page about a limit at every address, with or without a page; programs get a problem',
    reason: 'limits',
  },
];

const toSuiteName = (file: string): string => basename(file, '.test.ts');

/** Proofs start in another folder than tests. */
const cwd = fileURLToPath(new URL('..', import.meta.url));

const ALL = FOLDERS.flatMap((folder) =>
  globSync(`e2e/${folder}/*.test.ts`, { cwd }).filter(
    (file) => NOT_ON_REPLICAS[folder]?.[toSuiteName(file)] === undefined,
  ),
);

/** Returns the suites over the routes that run on replicas. With globs: the matching ones. */
export function listSuitesOnReplicas(globs: readonly string[] = []): readonly string[] {
  const chosen = new Set(globs.flatMap((glob) => globSync(glob, { cwd })));
  return globs.length === 0 ? ALL : ALL.filter((file) => chosen.has(file));
}

/** Returns those files that also run on replicas. */
export function selectFilesOnReplicas(files: readonly string[]): readonly string[] {
  const suites = new Set(ALL);
  return files.filter((file) => suites.has(file));
}

/** Returns the names of the tests to skip on replicas. */
export function listSkippedOnReplicas(): readonly RegExp[] {
  return TESTS_NOT_ON_REPLICAS.map(({ name }) => new RegExp(`^${RegExp.escape(name)}$`));
}
