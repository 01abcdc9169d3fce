import { randomUUID } from 'node:crypto';
import type { Store } from '@poolgate/store';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { PoolStore } from '../store/pool-store.ts';
import type { UserRecord } from '../store/records.ts';
import { createUserRecord } from '../users/create-user-record.ts';
import { openTestEnvironment, type TestClock } from './test-environment.ts';
import { createTestClientRecord, createTestPoolRecord } from './test-ports.ts';

/** A pool with one client as records in a real store, for rules that use a few aggregates and need no operation. */
export interface TestRecords extends PoolAndClient {
  readonly store: PoolStore;
  /** The gateway's part of the same store. */
  readonly records: Store['records'];
  readonly clock: TestClock;
  /** Adds a confirmed user without a password, with these names in addition to the username. */
  addUser(change?: Partial<UserRecord>, names?: readonly string[]): Promise<UserRecord>;
  close(): Promise<void>;
}

/** Opens such a store on SQLite in memory. */
export async function openTestRecords(): Promise<TestRecords> {
  const { options, records, clock, close } = await openTestEnvironment('sqlite::memory:');
  const { store } = options;
  const pool = createTestPoolRecord();
  const client = createTestClientRecord(pool);
  await store.write(async ({ pools, clients }) => {
    await pools.insert(pool);
    await clients.insert(client);
  });
  const addUser: TestRecords['addUser'] = async (change = {}, names = []) => {
    const sub = randomUUID();
    const confirmed = createUserRecord({ clock }, pool, { username: sub, sub, attributes: {} }, 'CONFIRMED');
    const user = { ...confirmed, ...change };
    await store.write(({ users }) => users.insert(user, [sub, ...names]));
    return user;
  };
  return { pool, client, store, records, clock, addUser, close };
}
