import type fc from 'fast-check';
import {
  createReadStep,
  createWriteStep,
  identifiedStepInput,
  type Step,
  timeArbitrary,
  userStepInput,
} from './property-steps.ts';
import {
  sampleClient,
  sampleCode,
  sampleCredential,
  sampleLogin,
  sampleSigningKey,
  sampleUser,
} from './sample-records.ts';

/** Steps on users, logins, keys and the gateway's records. */
export const foundationSteps: readonly fc.Arbitrary<Step>[] = [
  userStepInput.map(
    createWriteStep(
      'insertUser',
      (drawn) => (transaction, pool) =>
        transaction.users.insert(
          { ...sampleUser(pool, drawn.username), attributes: drawn.attributes, enabled: drawn.flag },
          [drawn.username, drawn.other],
        ),
    ),
  ),
  userStepInput.map(
    createWriteStep(
      'updateUser',
      (drawn) => (transaction, pool) =>
        transaction.users.update(pool, drawn.username, {
          ...(drawn.flag ? { enabled: false, attributes: drawn.attributes } : { status: 'RESET_REQUIRED' as const }),
          modifiedAtMs: drawn.time,
        }),
    ),
  ),
  userStepInput.map(
    createWriteStep(
      'setNames',
      (drawn) => (transaction, pool) => transaction.users.replaceNames(pool, drawn.username, [drawn.other]),
    ),
  ),
  userStepInput.map(
    createWriteStep(
      'putCredential',
      (drawn) => (transaction, pool) =>
        transaction.credentials.put({
          ...sampleCredential(pool, drawn.username),
          temporaryUntilMs: drawn.flag ? drawn.time : null,
        }),
    ),
  ),
  identifiedStepInput.map(
    createWriteStep(
      'putCode',
      (drawn) => (transaction, pool) =>
        transaction.codes.put({ ...sampleCode(pool, drawn.username), digestHex: drawn.id, expiresAtMs: drawn.time }),
    ),
  ),
  identifiedStepInput.map(
    createWriteStep(
      'consumeCode',
      (drawn) => (transaction, pool) => transaction.codes.consume(pool, drawn.username, 'sign_up', drawn.id),
    ),
  ),
  identifiedStepInput.map(
    createWriteStep('session', (drawn) => async (transaction, pool) => [
      await transaction.challengeSessions.reserve(pool + drawn.id, drawn.time),
      drawn.generation === 2 && (await transaction.challengeSessions.spend(pool + drawn.id)),
    ]),
  ),
  identifiedStepInput.map(
    createWriteStep('takeSession', (drawn) => async (transaction, pool) => {
      const tries = await transaction.challengeSessions.reserveAndSpend(pool + drawn.id, drawn.time);
      const isGivenBack = tries !== undefined && drawn.generation === 1;
      if (isGivenBack) await transaction.challengeSessions.unspend(pool + drawn.id);
      return [tries, isGivenBack];
    }),
  ),
  identifiedStepInput.map(
    createWriteStep(
      'insertLogin',
      (drawn) => (transaction, pool) =>
        transaction.logins.insert({
          ...sampleLogin(pool, drawn.username, pool + drawn.id),
          refreshExpiresAtMs: drawn.time,
          generation: drawn.generation,
        }),
    ),
  ),
  identifiedStepInput.map(
    createWriteStep(
      'rotateLogin',
      (drawn) => (transaction, pool) => transaction.logins.rotate(pool + drawn.id, drawn.generation, drawn.time),
    ),
  ),
  identifiedStepInput.map(
    createWriteStep(
      'revokeLogin',
      (drawn) => (transaction, pool) => transaction.logins.revoke(pool + drawn.id, drawn.time),
    ),
  ),
  identifiedStepInput.map(
    createWriteStep(
      'revokeLoginsOf',
      (drawn) => (transaction, pool) => transaction.logins.revokeAllOf(pool, drawn.username, drawn.time),
    ),
  ),
  identifiedStepInput.map(
    createWriteStep('revokeLoginsBeyond', (drawn) => async (transaction, pool) => {
      const ended = await transaction.logins.revokeExcess(pool, drawn.username, drawn.generation, drawn.time);
      return ended.map(({ id }) => id).toSorted();
    }),
  ),
  identifiedStepInput.map(
    createWriteStep(
      'insertSigningKey',
      (drawn) => (transaction, pool) =>
        transaction.signingKeys.insert({ ...sampleSigningKey(pool, drawn.id), createdAtMs: drawn.time }),
    ),
  ),
  identifiedStepInput.map(
    createWriteStep(
      'retireSigningKeys',
      (drawn) => (transaction, pool) => transaction.signingKeys.retireExcept(pool, [drawn.id], drawn.time),
    ),
  ),
  userStepInput.map(
    createWriteStep('countFailure', (drawn) => async (transaction, pool) => {
      const failures = await transaction.lockouts.countFailure(pool, drawn.username, drawn.time, drawn.time - 10);
      if (failures !== undefined && failures > 2)
        await transaction.lockouts.lockOut(pool, drawn.username, drawn.time + 5);
      return failures;
    }),
  ),
  userStepInput.map(
    createWriteStep('countSharedFailure', (drawn) => (transaction, pool) => {
      const { lockouts } = transaction;
      const [nowMs, forgetBeforeMs] = [drawn.time, drawn.time - 10];
      return Promise.all([
        lockouts.countFailure(pool, drawn.username, nowMs, forgetBeforeMs),
        lockouts.countSharedFailure(pool, 'shared', drawn.username, nowMs, forgetBeforeMs),
      ]);
    }),
  ),
  userStepInput.map(
    createWriteStep('take', (drawn) => async (transaction, pool) => {
      const taken = await transaction.allowances.take(pool, `${drawn.username} window`, drawn.time + 5);
      return [taken, await transaction.allowances.bySubject(pool, `${drawn.username} window`)];
    }),
  ),
  userStepInput.map(
    createWriteStep('takeFromBucket', (drawn) => async (transaction, pool) => {
      const size = { most: 2, everyMs: 4 };
      const taken = await transaction.allowances.takeFromBucket(pool, `${drawn.username} bucket`, drawn.time, size);
      return [taken, await transaction.allowances.bySubject(pool, `${drawn.username} bucket`)];
    }),
  ),
  userStepInput.map(
    createWriteStep(
      'clearFailures',
      (drawn) => (transaction, pool) => transaction.lockouts.clearFailures(pool, drawn.username, drawn.time),
    ),
  ),
  userStepInput.map(
    createWriteStep(
      'holdLocks',
      (drawn) => (transaction, pool) => transaction.lockouts.holdLocks(pool, drawn.username, 'shared'),
    ),
  ),
  userStepInput.map(
    createWriteStep(
      'releaseSubject',
      (drawn) => (transaction, pool) => transaction.lockouts.unlock(pool, drawn.username),
    ),
  ),
  identifiedStepInput.map(
    createWriteStep('two changes, undone', (drawn) => async (transaction, pool) => {
      await transaction.clients.insert(sampleClient(pool, pool + drawn.id));
      await transaction.logins.revokeAllOf(pool, drawn.username, drawn.time);
      throw new RangeError('undone');
    }),
  ),
  userStepInput.map(
    createReadStep(
      'localUsers.upsert',
      (drawn) =>
        ({ store, pool }) =>
          store.records.localUsers.upsert({ userPoolId: pool, sub: drawn.other, username: drawn.username }, drawn.time),
    ),
  ),
  identifiedStepInput.map(
    createReadStep(
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
  identifiedStepInput.map(
    createReadStep(
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
  identifiedStepInput.map(
    createReadStep(
      'pendingSrp.consume',
      (drawn) =>
        ({ store, pool }) =>
          store.records.pendingSrp.consume(pool + drawn.id, drawn.time),
    ),
  ),
  timeArbitrary.map(
    createReadStep('sweep', (drawn) => async ({ store }) => {
      await store.poolStore.sweep(drawn);
      await store.records.sweep(drawn);
    }),
  ),
  userStepInput.map(
    createReadStep(
      'userByName',
      (drawn) =>
        ({ store, pool }) =>
          store.poolStore.users.byName(pool, drawn.other),
    ),
  ),
];
