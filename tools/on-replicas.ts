import { globSync } from 'node:fs';
import { basename } from 'node:path';

/** Folders of suites over the routes. All of them also run against two replicas behind a load balancer, in every test run, but for {@link NOT_ON_REPLICAS}. */
export const FOLDERS = ['accounts', 'administration', 'challenges', 'client', 'oauth', 'routes', 'triggers', 'web'];

/** The other folders of tests, and why none of them runs on replicas: what they ask is asked by the routes too, or is not asked of a service. */
export const OTHER_FOLDERS: Readonly<Record<string, string>> = {
  browser: 'a real browser, at pages whose requests are those of the suites of web, oauth and client',
  clients: 'unmodified clients of Cognito, which go by the time of day and wait for nothing',
  conformance: 'what every provider must do, each on a service of its own',
  guides: 'what the guides say, by commands and programs of their own',
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
  process: 'it starts, ends and configures services itself, one after the other',
  connections: 'it looks at the connections, the port or the event loop of one service: the load balancer has others',
  docs: 'it reads documents',
} as const;

/** The suites over the routes that do not run on replicas, by folder. */
export const NOT_ON_REPLICAS: Readonly<Record<string, Readonly<Record<string, keyof typeof REASONS>>>> = {
  accounts: {
    'forged-tokens': 'inProcess',
    'invented-names': 'inProcess',
    'key-rotation': 'replicas',
    're-creation': 'replicas',
    'refresh-families': 'replicas',
    revocations: 'replicas',
    'secret-change': 'process',
  },
  challenges: { races: 'replicas', replicas: 'replicas' },
  oauth: { 'code-races': 'replicas', scopes: 'inProcess', tables: 'docs', 'waiting-requests': 'replicas' },
  routes: {
    alike: 'inProcess',
    'bad-provider': 'inProcess',
    'bad-requests': 'connections',
    'database-failover': 'database',
    'database-line': 'database',
    'database-restart': 'database',
    hardships: 'connections',
    overload: 'connections',
    replicas: 'replicas',
    requests: 'connections',
    stopping: 'connections',
    'who-exists-rows': 'database',
  },
  web: { revocations: 'replicas' },
};

const nameOf = (file: string): string => basename(file, '.test.ts');

const ALL = FOLDERS.flatMap((folder) =>
  globSync(`e2e/${folder}/*.test.ts`).filter((file) => NOT_ON_REPLICAS[folder]?.[nameOf(file)] === undefined),
);

/** The suites over the routes that run on replicas. With globs: those among them. */
export function suitesOnReplicas(globs: readonly string[] = []): readonly string[] {
  const chosen = new Set(globs.flatMap((glob) => globSync(glob)));
  return globs.length === 0 ? ALL : ALL.filter((file) => chosen.has(file));
}

/** Of these files those that run on replicas too. */
export function filesOnReplicas(files: readonly string[]): readonly string[] {
  const suites = new Set(ALL);
  return files.filter((file) => suites.has(file));
}
