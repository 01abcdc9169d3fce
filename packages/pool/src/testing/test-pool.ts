import type { CallContext } from '@poolgate/provider';
import { createPool, type EmbeddedPool, type Message, type PoolAndClient } from '../index.ts';
import type { ClientSettings, PoolSettings, PoolStore } from '../store/index.ts';
import { openTestEnvironment, type TestClock, type TestEnvironment } from './test-environment.ts';

/** A test's changes to the default pool and client. */
export interface TestPoolOptions {
  readonly pool?: Partial<PoolSettings>;
  readonly client?: Partial<ClientSettings>;
  readonly clientSecret?: string;
  /** True if the pool has a domain, which enables the OAuth endpoints. */
  readonly domain?: boolean;
}

/** An embedded pool on a real store, with one client. */
export interface TestPool {
  readonly embedded: EmbeddedPool;
  readonly operations: EmbeddedPool['operations'];
  readonly store: PoolStore;
  readonly clock: TestClock;
  readonly userPoolId: string;
  readonly clientId: string;
  /** The messages that the pool sent, oldest first. */
  readonly sent: readonly Message[];
  /** Another instance on the same store and keys, with its own memory. */
  replica(): TestPool;
  close(): Promise<void>;
}

/** What is needed to use a pool, wherever it runs. */
export type PoolHandle = Pick<TestPool, 'operations' | 'userPoolId' | 'clientId'> & {
  readonly clock: Pick<TestClock, 'now'>;
};

/** The caller of every operation in these tests. */
export const TEST_CALL: CallContext = { requestId: 'test', sourceAddress: '127.0.0.1' };

let addressesUsed = 0;

/** A call from a unique /48, so that it shares no network limit with other calls. */
export function createCallFromNewAddress(): CallContext {
  addressesUsed += 1;
  return {
    ...TEST_CALL,
    sourceAddress: `2001:${(0xdb8 + (addressesUsed >> 16)).toString(16)}:${(addressesUsed & 0xffff).toString(16)}::1`,
  };
}

/** Opens a pool on its own store. */
export async function openTestPool(databaseUrl: string, options: TestPoolOptions = {}): Promise<TestPool> {
  return openTestPoolOn(await openTestEnvironment(databaseUrl), options);
}

/** Like {@link openTestPool}, for tests that need the pool's dependencies. */
export async function openTestPoolOn(opened: TestEnvironment, options: TestPoolOptions = {}): Promise<TestPool> {
  const { clientSecret, domain } = options;
  const wanted = { ...(clientSecret === undefined ? {} : { clientSecret }), ...(domain && { domain }) };
  const served = await createPool(opened.options).setUp(wanted);
  await updateTestSettings(opened.options.store, served, options);
  return createTestPool(opened, served);
}

async function updateTestSettings(store: PoolStore, { pool, client }: PoolAndClient, options: TestPoolOptions) {
  const { modifiedAtMs } = pool;
  await store.write(async (transaction) => {
    await transaction.pools.update(pool.id, { settings: { ...pool.settings, ...options.pool }, modifiedAtMs });
    await transaction.clients.update(client.id, {
      settings: { ...client.settings, ...options.client },
      secretsEncrypted: client.secretsEncrypted,
      modifiedAtMs,
    });
  });
}

function createTestPool(opened: TestEnvironment, served: PoolAndClient): TestPool {
  const embedded = createPool(opened.options);
  return {
    embedded,
    operations: embedded.operations,
    store: opened.options.store,
    clock: opened.clock,
    sent: opened.sent,
    userPoolId: served.pool.id,
    clientId: served.client.id,
    replica: () => ({ ...createTestPool(opened, served), close: () => Promise.resolve() }),
    close: () => opened.close(),
  };
}

/** The attributes of a user whose address an administrator verified. */
export function createVerifiedEmail(address: string): readonly { readonly Name: string; readonly Value: string }[] {
  return [
    { Name: 'email', Value: address },
    { Name: 'email_verified', Value: 'true' },
  ];
}

/** A password that every test pool accepts. */
export const PASSWORD = 'Correct-Horse1!';

/** Creates a confirmed user with a permanent password, and returns its canonical username. */
export async function addUser(
  { operations, userPoolId }: PoolHandle,
  name: string,
  password = PASSWORD,
): Promise<string> {
  const user = { UserPoolId: userPoolId, Username: name };
  const UserAttributes = name.includes('@') ? createVerifiedEmail(name) : [];
  const { User } = await operations.adminCreateUser({ ...user, UserAttributes, MessageAction: 'SUPPRESS' }, TEST_CALL);
  await operations.adminSetUserPassword({ ...user, Password: password, Permanent: true }, TEST_CALL);
  return User?.Username ?? '';
}

/** Creates a user who must change a temporary password, and returns its canonical username. */
export async function inviteUser(
  { operations, userPoolId }: PoolHandle,
  name: string,
  temporaryPassword = PASSWORD,
): Promise<string> {
  const { User } = await operations.adminCreateUser(
    {
      UserPoolId: userPoolId,
      Username: name,
      TemporaryPassword: temporaryPassword,
      MessageAction: 'SUPPRESS',
      UserAttributes: name.includes('@') ? createVerifiedEmail(name) : [],
    },
    TEST_CALL,
  );
  return User?.Username ?? '';
}
