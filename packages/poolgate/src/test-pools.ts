/** Pools for test runners: a whole service per test file or worker, which goes back to its first state before each test. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceSnapshots } from './service/service-snapshots.ts';
import { readStartConfiguration, type Service, type StartOptions, start } from './service/start.ts';

/** The options of a test pool: those of a start, and what its tests begin with. */
export interface TestPoolOptions extends StartOptions {
  /** Creates the users and settings that every test begins with. */
  readonly setUp?: (service: Service) => Promise<void>;
}

/** A service for tests. */
export interface TestPool extends Service {
  /** Goes back to the state after {@link TestPoolOptions.setUp}: users, logins, settings, keys and an empty outbox. */
  rewind(): Promise<void>;
}

/** The hooks of a test runner, under the names of `node:test`. */
export interface TestHooks {
  readonly before: (work: () => Promise<void>) => void;
  readonly beforeEach: (work: () => Promise<void>) => void;
  readonly after: (work: () => Promise<void>) => void;
}

let signingKeys: StartOptions['signingKeys'];

/** Creating RSA keys takes a few hundred milliseconds, so a process does it once. */
function getSigningKeys(): NonNullable<StartOptions['signingKeys']> {
  const generateKey = () =>
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  signingKeys ??= { access: generateKey(), id: generateKey() };
  return signingKeys;
}

/**
 * Starts a service in memory, on a free port and without limits. Close it after the tests.
 * @throws as `start`; a `TypeError` if it is a production start or has another provider than the embedded pool
 */
export async function startTestPool({ setUp, ...options }: TestPoolOptions = {}): Promise<TestPool> {
  const wanted: StartOptions = {
    databaseUrl: 'sqlite::memory:',
    port: 0,
    limitReads: 0,
    limitLoginSteps: 0,
    limitUserSteps: 0,
    limitClientSteps: 0,
    ...options,
  };
  const { mode, settings } = readStartConfiguration(wanted);
  // Checked before the start, because neither the start nor the setup may write to a store that is not rewound.
  if (mode === 'production' || settings.provider !== 'embedded') {
    throw new TypeError('a test pool needs a development start with the embedded pool');
  }
  const needsKeys =
    options.snapshot === undefined && settings.secrets === undefined && settings.signingAlgorithm === 'RS256';
  const service = await start({ ...(needsKeys && { signingKeys: getSigningKeys() }), ...wanted });
  let folder: string | undefined;
  const close = async (noticeMs?: number): Promise<void> => {
    await service.close(noticeMs);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    // A start with these options always has snapshots.
    const snapshots = service.snapshots as ServiceSnapshots;
    folder = await mkdtemp(join(tmpdir(), 'poolgate-test-pool-'));
    await setUp?.(service);
    const first = join(folder, 'first.sqlite');
    await snapshots.save(first);
    return { ...service, close, rewind: () => snapshots.restore(first) };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Gives a test file a pool, which is rewound before each test. For `node:test`, pass its hooks. For Vitest, pass
 * `{ before: beforeAll, beforeEach, after: afterAll }`.
 * @returns a function that returns the pool, for use inside tests
 */
export function usePool(hooks: TestHooks, options: TestPoolOptions = {}): () => TestPool {
  let pool: TestPool | undefined;
  hooks.before(async () => {
    pool = await startTestPool(options);
  });
  hooks.beforeEach(async () => pool?.rewind());
  hooks.after(async () => pool?.close());
  return () => {
    if (pool === undefined) throw new TypeError('the pool exists inside tests only');
    return pool;
  };
}

/** Calls the test that uses a fixture. */
type UseFixture<Fixture> = (fixture: Fixture) => Promise<void>;

/** The fixtures of {@link createPoolFixtures}, for `test.extend` of Playwright. */
export interface PoolFixtures {
  readonly pool: [(none: object, use: UseFixture<TestPool>) => Promise<void>, { scope: 'worker' }];
  readonly rewoundPool: [
    (fixtures: { pool: TestPool }, use: UseFixture<TestPool>) => Promise<void>,
    { scope: 'test'; auto: true },
  ];
}

/**
 * Creates fixtures for Playwright: `pool`, one service per worker, which is rewound before each test.
 * @example
 * const test = base.extend<{ rewoundPool: TestPool }, { pool: TestPool }>(createPoolFixtures());
 */
export function createPoolFixtures(options: TestPoolOptions = {}): PoolFixtures {
  return {
    pool: [
      // Playwright reads the names of fixtures from the source of this parameter.
      // biome-ignore lint/correctness/noEmptyPattern: Playwright requires it
      async ({}, use) => {
        const pool = await startTestPool(options);
        await use(pool).finally(() => pool.close());
      },
      { scope: 'worker' },
    ],
    rewoundPool: [
      async ({ pool }, use) => {
        await pool.rewind();
        await use(pool);
      },
      { scope: 'test', auto: true },
    ],
  };
}

/** What a test environment of Jest has, as far as it is needed here. */
export interface JestEnvironment {
  readonly global: object;
  setup(): Promise<void>;
  teardown(): Promise<void>;
}

/** An event of Jest's runner. */
interface JestEvent {
  readonly name: string;
}

/**
 * Extends a test environment of Jest, such as that of `jest-environment-node`, so that each test file has a pool as the global `pool`. It
 * is rewound before each test.
 */
export function withPool<
  Base extends new (
    // biome-ignore lint/suspicious/noExplicitAny: TypeScript requires it of a class that is extended
    ...values: any[]
  ) => JestEnvironment,
>(Environment: Base, options: TestPoolOptions = {}): Base {
  return class PoolEnvironment extends Environment {
    #pool: TestPool | undefined;

    override async setup(): Promise<void> {
      await super.setup();
      this.#pool = await startTestPool(options);
      Object.assign(this.global, { pool: this.#pool });
    }

    override async teardown(): Promise<void> {
      await this.#pool?.close();
      await super.teardown();
    }

    async handleTestEvent({ name }: JestEvent): Promise<void> {
      if (name === 'test_start') await this.#pool?.rewind();
    }
  };
}
