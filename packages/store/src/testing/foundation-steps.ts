import type fc from 'fast-check';
import {
  sampleClient,
  sampleCode,
  sampleCredential,
  sampleLogin,
  sampleSigningKey,
  sampleUser,
} from './sample-records.ts';
import { identified, named, readStep, type Step, time, writeStep } from './steps.ts';

/** Steps on users, logins, keys and the gateway's records. */
export const foundationSteps: readonly fc.Arbitrary<Step>[] = [
  named.map(
    writeStep(
      'insertUser',
      (drawn) => (transaction, pool) =>
        transaction.users.insert(
          { ...sampleUser(pool, drawn.username), attributes: drawn.attributes, enabled: drawn.flag },
          [drawn.username, drawn.other],
        ),
    ),
  ),
  named.map(
    writeStep(
      'updateUser',
      (drawn) => (transaction, pool) =>
        transaction.users.update(pool, drawn.username, {
          ...(drawn.flag ? { enabled: false, attributes: drawn.attributes } : { status: 'RESET_REQUIRED' as const }),
          modifiedAtMs: drawn.time,
        }),
    ),
  ),
  named.map(
    writeStep(
      'setNames',
      (drawn) => (transaction, pool) => transaction.users.replaceNames(pool, drawn.username, [drawn.other]),
    ),
  ),
  named.map(
    writeStep(
      'putCredential',
      (drawn) => (transaction, pool) =>
        transaction.credentials.put({
          ...sampleCredential(pool, drawn.username),
          temporaryUntilMs: drawn.flag ? drawn.time : null,
        }),
    ),
  ),
  identified.map(
    writeStep(
      'putCode',
      (drawn) => (transaction, pool) =>
        transaction.codes.put({ ...sampleCode(pool, drawn.username), digestHex: drawn.id, expiresAtMs: drawn.time }),
    ),
  ),
  identified.map(
    writeStep(
      'consumeCode',
      (drawn) => (transaction, pool) => transaction.codes.consume(pool, drawn.username, 'sign_up', drawn.id),
    ),
  ),
  identified.map(
    writeStep('session', (drawn) => async (transaction, pool) => [
      await transaction.challengeSessions.reserve(pool + drawn.id, drawn.time),
      drawn.generation === 2 && (await transaction.challengeSessions.spend(pool + drawn.id)),
    ]),
  ),
  identified.map(
    writeStep('takeSession', (drawn) => async (transaction, pool) => {
      const tries = await transaction.challengeSessions.reserveAndSpend(pool + drawn.id, drawn.time);
      const isGivenBack = tries !== undefined && drawn.generation === 1;
      if (isGivenBack) await transaction.challengeSessions.unspend(pool + drawn.id);
      return [tries, isGivenBack];
    }),
  ),
  identified.map(
    writeStep(
      'insertLogin',
      (drawn) => (transaction, pool) =>
        transaction.logins.insert({
          ...sampleLogin(pool, drawn.username, pool + drawn.id),
          refreshExpiresAtMs: drawn.time,
          generation: drawn.generation,
        }),
    ),
  ),
  identified.map(
    writeStep(
      'rotateLogin',
      (drawn) => (transaction, pool) => transaction.logins.rotate(pool + drawn.id, drawn.generation, drawn.time),
    ),
  ),
  identified.map(
    writeStep('revokeLogin', (drawn) => (transaction, pool) => transaction.logins.revoke(pool + drawn.id, drawn.time)),
  ),
  identified.map(
    writeStep(
      'revokeLoginsOf',
      (drawn) => (transaction, pool) => transaction.logins.revokeAllOf(pool, drawn.username, drawn.time),
    ),
  ),
  identified.map(
    writeStep('revokeLoginsBeyond', (drawn) => async (transaction, pool) => {
      const ended = await transaction.logins.revokeExcess(pool, drawn.username, drawn.generation, drawn.time);
      return ended.map(({ id }) => id).toSorted();
    }),
  ),
  identified.map(
    writeStep(
      'insertSigningKey',
      (drawn) => (transaction, pool) =>
        transaction.signingKeys.insert({ ...sampleSigningKey(pool, drawn.id), createdAtMs: drawn.time }),
    ),
  ),
  identified.map(
    writeStep(
      'retireSigningKeys',
      (drawn) => (transaction, pool) => transaction.signingKeys.retireExcept(pool, [drawn.id], drawn.time),
    ),
  ),
  named.map(
    writeStep('countFailure', (drawn) => async (transaction, pool) => {
      const failures = await transaction.lockouts.countFailure(pool, drawn.username, drawn.time, drawn.time - 10);
      if (failures !== undefined && failures > 2)
        await transaction.lockouts.lockOut(pool, drawn.username, drawn.time + 5);
      return failures;
    }),
  ),
  named.map(
    writeStep('take', (drawn) => async (transaction, pool) => {
      const taken = await transaction.allowances.take(pool, `${drawn.username} window`, drawn.time + 5);
      return [taken, await transaction.allowances.bySubject(pool, `${drawn.username} window`)];
    }),
  ),
  named.map(
    writeStep('takeFromBucket', (drawn) => async (transaction, pool) => {
      const size = { most: 2, everyMs: 4 };
      const taken = await transaction.allowances.takeFromBucket(pool, `${drawn.username} bucket`, drawn.time, size);
      return [taken, await transaction.allowances.bySubject(pool, `${drawn.username} bucket`)];
    }),
  ),
  named.map(
    writeStep(
      'clearFailures',
      (drawn) => (transaction, pool) => transaction.lockouts.clearFailures(pool, drawn.username, drawn.time),
    ),
  ),
  named.map(
    writeStep('releaseSubject', (drawn) => (transaction, pool) => transaction.lockouts.unlock(pool, drawn.username)),
  ),
  identified.map(
    writeStep('two changes, undone', (drawn) => async (transaction, pool) => {
      await transaction.clients.insert(sampleClient(pool, pool + drawn.id));
      await transaction.logins.revokeAllOf(pool, drawn.username, drawn.time);
      throw new RangeError('undone');
    }),
  ),
  named.map(
    readStep(
      'localUsers.upsert',
      (drawn) =>
        ({ store, pool }) =>
          store.records.localUsers.upsert({ userPoolId: pool, sub: drawn.other, username: drawn.username }, drawn.time),
    ),
  ),
  identified.map(
    readStep(
      'end',
      (drawn) =>
        ({ store, pool }) =>
          store.records.revocations.record({
            userPoolId: pool,
            subject: drawn.id,
            endedAtMs: drawn.time,
            expiresAtMs: drawn.time + drawn.generation,
          }),
    ),
  ),
  identified.map(
    readStep(
      'pendingSrp.put',
      (drawn) =>
        ({ store, pool }) =>
          store.records.pendingSrp.put({
            digestHex: pool + drawn.id,
            startEncrypted: drawn.username,
            expiresAtMs: drawn.time,
          }),
    ),
  ),
  identified.map(
    readStep(
      'pendingSrp.consume',
      (drawn) =>
        ({ store, pool }) =>
          store.records.pendingSrp.consume(pool + drawn.id, drawn.time),
    ),
  ),
  time.map(
    readStep('sweep', (drawn) => async ({ store }) => {
      await store.poolStore.sweep(drawn);
      await store.records.sweep(drawn);
    }),
  ),
  named.map(
    readStep(
      'userByName',
      (drawn) =>
        ({ store, pool }) =>
          store.poolStore.users.byName(pool, drawn.other),
    ),
  ),
];
