import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { openStore, type Store } from './open-store.ts';
import { accountSteps, GROUP_NAMES, SEARCHED } from './testing/account-steps.ts';
import { challengeSteps } from './testing/challenge-steps.ts';
import { foundationSteps } from './testing/foundation-steps.ts';
import { CHALLENGE_DIGESTS, passkeySteps } from './testing/passkey-steps.ts';
import { createTestDatabase, type TestDatabase } from './testing/postgres.ts';
import { IDS, type Step, type StepTarget } from './testing/property-steps.ts';
import { insertSamplePool } from './testing/sample-records.ts';

const RUNS = 100;

const operation = fc.oneof(...foundationSteps, ...challengeSteps, ...passkeySteps, ...accountSteps);

/** Everything that reads return about a pool. */
async function everything({ store: { poolStore, records }, pool }: StepTarget): Promise<unknown> {
  const { rows } = await poolStore.users.list(pool, 50, undefined);
  return {
    firstPage: await poolStore.users.list(pool, 2, undefined),
    rows,
    codes: await Promise.all(rows.map((user) => poolStore.codes.byPurpose(pool, user.username, 'sign_up'))),
    lockouts: await Promise.all(rows.map((user) => poolStore.lockouts.bySubject(pool, user.username))),
    byName: await Promise.all(rows.map((user) => poolStore.users.byName(pool, user.username))),
    logins: await Promise.all(IDS.map((one) => poolStore.logins.byId(pool + one))),
    clients: await poolStore.clients.listOf(pool),
    keys: await poolStore.signingKeys.listOf(pool),
    revocations: await records.revocations.listBySubjects(pool, IDS, 10),
    pending: await Promise.all(IDS.map((one) => records.pendingSrp.find(pool + one, 0))),
    local: await Promise.all(rows.map((user) => records.localUsers.find(pool, user.username))),
  };
}

/** The same for devices, factors and messages. Waiting messages are removed from the queue, which all runs share. */
async function everythingOfChallenges({ store: { poolStore, records }, pool }: StepTarget): Promise<unknown> {
  const { rows } = await poolStore.users.list(pool, 50, undefined);
  const ofUsers = rows.map(async ({ username }) => ({
    devices: await poolStore.devices.listOf(pool, username, 50, undefined),
    firstPage: await poolStore.devices.listOf(pool, username, 1, undefined),
    single: await Promise.all(IDS.map((one) => poolStore.devices.byKey(pool, username, one))),
    totp: [
      await poolStore.authenticators.byState(pool, username, 'pending'),
      await poolStore.authenticators.byState(pool, username, 'active'),
    ],
    recoveryCodes: await poolStore.recoveryCodes.count(pool, username),
    local: await records.localDevices.listByKeys(pool, username, IDS),
  }));
  const waiting = await poolStore.write(async (transaction) => {
    const messages = await transaction.messages.lease(1_000, 2_000, 1_000);
    for (const { id } of messages) await transaction.messages.delete(id);
    return messages;
  });
  return { ofUsers: await Promise.all(ofUsers), waiting, dead: await poolStore.messages.listDead(pool, 50) };
}

/** The same for passkeys. Pending registrations are removed. */
async function everythingOfPasskeys({ store: { poolStore, records }, pool }: StepTarget): Promise<unknown> {
  const { rows } = await poolStore.users.list(pool, 50, undefined);
  const ofUsers = rows.map(async ({ username }) => ({
    passkeys: await poolStore.passkeys.listOf(pool, username),
    local: await records.localPasskeys.list(pool, username),
    ceremonies: await poolStore.write(async (transaction) => {
      const taken: unknown[] = [];
      for (const digest of CHALLENGE_DIGESTS) {
        taken.push(await transaction.passkeyCeremonies.take(pool, username, digest, 0));
      }
      return taken;
    }),
  }));
  return {
    ofUsers: await Promise.all(ofUsers),
    single: await Promise.all(IDS.map((one) => poolStore.passkeys.byCredentialId(pool, one))),
  };
}

/** The same for groups, the search, the audit log and webhooks. The webhooks, which all runs share, are removed. */
async function everythingOfAccounts({ store: { poolStore, records }, pool }: StepTarget): Promise<unknown> {
  const found = SEARCHED.flatMap((value) =>
    (['email', 'name', 'status'] as const).map((attribute) =>
      poolStore.users.search(pool, { attribute, match: 'prefix', value }, 50, undefined),
    ),
  );
  const hooks = await records.webhooks.list();
  const dead = await Promise.all(hooks.map(({ id }) => records.deliveries.listDead(id, 50)));
  const waiting = await records.deliveries.lease(1_000, 2_000, 1_000);
  for (const { id } of hooks) await records.webhooks.delete(id);
  return {
    groups: await poolStore.groups.list(pool, 50, undefined),
    members: await Promise.all(GROUP_NAMES.map((name) => poolStore.groups.listMembers(pool, name, 50, undefined))),
    found: await Promise.all(found),
    events: await records.events.page({ userPoolId: pool }, 100, undefined),
    hooks,
    dead,
    waiting,
  };
}

/** The outcome of an operation, including its error. */
async function outcome(step: Step, target: StepTarget): Promise<unknown> {
  try {
    return { step: step.name, result: await step.run(target) };
  } catch (error) {
    assert.ok(error instanceof Error);
    const { name } = error;
    return { step: step.name, name, key: 'key' in error && error.key, reason: 'reason' in error && error.reason };
  }
}

async function runSteps(steps: readonly Step[], target: StepTarget): Promise<unknown> {
  await insertSamplePool(target.store.poolStore, target.pool, 'a', 'é');
  const outcomes: unknown[] = [];
  for (const step of steps) outcomes.push(await outcome(step, target));
  return {
    outcomes,
    end: await everything(target),
    challenges: await everythingOfChallenges(target),
    passkeys: await everythingOfPasskeys(target),
    accounts: await everythingOfAccounts(target),
  };
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

  it(`agree on every result, error and row after any sequence of operations, ${RUNS} sequences`, async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40 }), async (steps) => {
        runs += 1;
        const pool = `run${runs}`;
        const [one, other] = await Promise.all([
          runSteps(steps, { store: sqlite, pool }),
          runSteps(steps, { store: postgres, pool }),
        ]);
        assert.deepEqual(one, other);
      }),
      { numRuns: RUNS },
    );
    assert.ok(runs >= RUNS);
  });
});
