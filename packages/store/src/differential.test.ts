import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PoolTransaction } from '@poolgate/pool/store';
import fc from 'fast-check';
import { openStore, type Store } from './open.ts';
import { createTestDatabase, type TestDatabase } from './testing/postgres.ts';
import {
  plant,
  sampleClient,
  sampleCode,
  sampleCredential,
  sampleLogin,
  sampleSigningKey,
  sampleUser,
} from './testing/sample-records.ts';

const RUNS = 100;

/** What a run works on: a pool of its own, so that runs share the databases. */
interface World {
  readonly store: Store;
  readonly pool: string;
}

interface Operation {
  readonly name: string;
  run(world: World): Promise<unknown>;
}

// Few values, so that sequences meet the same rows again; names that collations and encodings could confuse.
const username = fc.constantFrom('a', 'B', 'é', 'e\u0301', 'ß', '🦊', 'a b', "o'x", '');
const id = fc.constantFrom('i1', 'i2', 'i3');
const time = fc.integer({ min: 0, max: 40 });
const attributes = fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ unit: 'grapheme', maxLength: 5 }), {
  maxKeys: 3,
});

type Change = (transaction: PoolTransaction, pool: string) => Promise<unknown>;
type Ask = (world: World) => Promise<unknown>;

const write =
  <Drawn>(name: string, make: (drawn: Drawn) => Change) =>
  (drawn: Drawn): Operation => ({
    name: `${name} ${JSON.stringify(drawn)}`,
    run: ({ store, pool }) => store.poolStore.write((transaction) => make(drawn)(transaction, pool)),
  });

const ask =
  <Drawn>(name: string, make: (drawn: Drawn) => Ask) =>
  (drawn: Drawn): Operation => ({ name: `${name} ${JSON.stringify(drawn)}`, run: (world) => make(drawn)(world) });

const named = fc.record({ username, other: username, time, attributes, flag: fc.boolean() });
const identified = fc.record({ username, id, time, generation: fc.integer({ min: 0, max: 2 }) });

const operation: fc.Arbitrary<Operation> = fc.oneof(
  named.map(
    write(
      'insertUser',
      (drawn) => (transaction, pool) =>
        transaction.insertUser(
          { ...sampleUser(pool, drawn.username), attributes: drawn.attributes, enabled: drawn.flag },
          [drawn.username, drawn.other],
        ),
    ),
  ),
  named.map(
    write(
      'updateUser',
      (drawn) => (transaction, pool) =>
        transaction.updateUser(pool, drawn.username, {
          ...(drawn.flag ? { enabled: false, attributes: drawn.attributes } : { status: 'RESET_REQUIRED' as const }),
          modifiedAtMs: drawn.time,
        }),
    ),
  ),
  named.map(
    write('setNames', (drawn) => (transaction, pool) => transaction.setNames(pool, drawn.username, [drawn.other])),
  ),
  named.map(
    write(
      'putCredential',
      (drawn) => (transaction, pool) =>
        transaction.putCredential({
          ...sampleCredential(pool, drawn.username),
          temporaryUntilMs: drawn.flag ? drawn.time : null,
        }),
    ),
  ),
  identified.map(
    write(
      'putCode',
      (drawn) => (transaction, pool) =>
        transaction.putCode({ ...sampleCode(pool, drawn.username), digestHex: drawn.id, expiresAtMs: drawn.time }),
    ),
  ),
  identified.map(
    write(
      'consumeCode',
      (drawn) => (transaction, pool) => transaction.consumeCode(pool, drawn.username, 'sign_up', drawn.id),
    ),
  ),
  identified.map(
    write('session', (drawn) => async (transaction, pool) => [
      await transaction.reserveSession(pool + drawn.id, drawn.time),
      drawn.generation === 2 && (await transaction.spendSession(pool + drawn.id)),
    ]),
  ),
  identified.map(
    write(
      'insertLogin',
      (drawn) => (transaction, pool) =>
        transaction.insertLogin({
          ...sampleLogin(pool, drawn.username, pool + drawn.id),
          refreshExpiresAtMs: drawn.time,
          generation: drawn.generation,
        }),
    ),
  ),
  identified.map(
    write(
      'rotateLogin',
      (drawn) => (transaction, pool) => transaction.rotateLogin(pool + drawn.id, drawn.generation, drawn.time),
    ),
  ),
  identified.map(
    write('revokeLogin', (drawn) => (transaction, pool) => transaction.revokeLogin(pool + drawn.id, drawn.time)),
  ),
  identified.map(
    write(
      'revokeLoginsOf',
      (drawn) => (transaction, pool) => transaction.revokeLoginsOf(pool, drawn.username, drawn.time),
    ),
  ),
  identified.map(
    write(
      'insertSigningKey',
      (drawn) => (transaction, pool) =>
        transaction.insertSigningKey({ ...sampleSigningKey(pool, drawn.id), createdAtMs: drawn.time }),
    ),
  ),
  identified.map(
    write(
      'retireSigningKeys',
      (drawn) => (transaction, pool) => transaction.retireSigningKeys(pool, [drawn.id], drawn.time),
    ),
  ),
  named.map(
    write('countFailure', (drawn) => async (transaction, pool) => {
      const failures = await transaction.countFailure(pool, drawn.username, drawn.time, drawn.time - 10);
      if (failures !== undefined && failures > 2) await transaction.lockSubject(pool, drawn.username, drawn.time + 5);
      return failures;
    }),
  ),
  named.map(
    write(
      'clearFailures',
      (drawn) => (transaction, pool) => transaction.clearFailures(pool, drawn.username, drawn.time),
    ),
  ),
  identified.map(
    write('two changes, undone', (drawn) => async (transaction, pool) => {
      await transaction.insertClient(sampleClient(pool, pool + drawn.id));
      await transaction.revokeLoginsOf(pool, drawn.username, drawn.time);
      throw new RangeError('undone');
    }),
  ),
  named.map(
    ask(
      'seeUser',
      (drawn) =>
        ({ store, pool }) =>
          store.records.seeUser({ userPoolId: pool, sub: drawn.other, username: drawn.username }, drawn.time),
    ),
  ),
  identified.map(
    ask(
      'end',
      (drawn) =>
        ({ store, pool }) =>
          store.records.end({
            userPoolId: pool,
            subject: drawn.id,
            endedAtMs: drawn.time,
            expiresAtMs: drawn.time + drawn.generation,
          }),
    ),
  ),
  identified.map(
    ask(
      'putPendingSrp',
      (drawn) =>
        ({ store, pool }) =>
          store.records.putPendingSrp({ digestHex: pool + drawn.id, sealed: drawn.username, expiresAtMs: drawn.time }),
    ),
  ),
  identified.map(
    ask(
      'takePendingSrp',
      (drawn) =>
        ({ store, pool }) =>
          store.records.takePendingSrp(pool + drawn.id, drawn.time),
    ),
  ),
  time.map(
    ask('sweep', (drawn) => async ({ store }) => {
      await store.poolStore.sweep(drawn);
      await store.records.sweep(drawn);
    }),
  ),
  named.map(
    ask(
      'userByName',
      (drawn) =>
        ({ store, pool }) =>
          store.poolStore.userByName(pool, drawn.other),
    ),
  ),
);

/** Everything that the reads tell of a pool. */
async function everything({ store: { poolStore, records }, pool }: World): Promise<unknown> {
  const ids = ['i1', 'i2', 'i3'];
  const { rows } = await poolStore.users(pool, 50, undefined);
  return {
    firstPage: await poolStore.users(pool, 2, undefined),
    rows,
    codes: await Promise.all(rows.map((user) => poolStore.code(pool, user.username, 'sign_up'))),
    lockouts: await Promise.all(rows.map((user) => poolStore.lockout(pool, user.username))),
    byName: await Promise.all(rows.map((user) => poolStore.userByName(pool, user.username))),
    logins: await Promise.all(ids.map((one) => poolStore.login(pool + one))),
    clients: await poolStore.clients(pool),
    keys: await poolStore.signingKeys(pool),
    endings: await records.endings(pool, ids, 10),
    pending: await Promise.all(ids.map((one) => records.pendingSrp(pool + one, 0))),
    local: await Promise.all(rows.map((user) => records.localUser(pool, user.username))),
  };
}

/** What an operation came to, its error included. */
async function outcome(step: Operation, world: World): Promise<unknown> {
  try {
    return { step: step.name, result: await step.run(world) };
  } catch (error) {
    assert.ok(error instanceof Error);
    const { name } = error;
    return { step: step.name, name, key: 'key' in error && error.key, reason: 'reason' in error && error.reason };
  }
}

async function story(steps: readonly Operation[], world: World): Promise<unknown> {
  await plant(world.store.poolStore, world.pool, 'a', 'é');
  const outcomes: unknown[] = [];
  for (const step of steps) outcomes.push(await outcome(step, world));
  return { outcomes, end: await everything(world) };
}

describe('SQLite and PostgreSQL', () => {
  let database: TestDatabase;
  let sqlite: Store;
  let postgres: Store;

  before(async () => {
    database = await createTestDatabase();
    sqlite = await openStore('sqlite::memory:');
    postgres = await openStore(database.url);
  });
  after(async () => {
    await sqlite?.close();
    await postgres?.close();
    await database?.drop();
  });

  it(`agree on every answer, error and row after any sequence of operations, ${RUNS} sequences`, async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 30 }), async (steps) => {
        runs += 1;
        const pool = `run${runs}`;
        const [one, other] = await Promise.all([
          story(steps, { store: sqlite, pool }),
          story(steps, { store: postgres, pool }),
        ]);
        assert.deepEqual(one, other);
      }),
      { numRuns: RUNS },
    );
    assert.ok(runs >= RUNS);
  });
});
