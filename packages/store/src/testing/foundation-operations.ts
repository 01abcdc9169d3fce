import type fc from 'fast-check';
import { ask, identified, named, type Operation, time, write } from './operations.ts';
import {
  sampleClient,
  sampleCode,
  sampleCredential,
  sampleLogin,
  sampleSigningKey,
  sampleUser,
} from './sample-records.ts';

/** Steps on users, logins, keys and the gateway's records. */
export const foundationOperations: readonly fc.Arbitrary<Operation>[] = [
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
    write('takeSession', (drawn) => async (transaction, pool) => {
      const tries = await transaction.takeSession(pool + drawn.id, drawn.time);
      const isGivenBack = tries !== undefined && drawn.generation === 1;
      if (isGivenBack) await transaction.giveBackSession(pool + drawn.id);
      return [tries, isGivenBack];
    }),
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
    write('revokeLoginsBeyond', (drawn) => async (transaction, pool) => {
      const ended = await transaction.revokeLoginsBeyond(pool, drawn.username, drawn.generation, drawn.time);
      return ended.map(({ id }) => id).toSorted();
    }),
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
    write('takeFromBucket', (drawn) => async (transaction, pool) => {
      const size = { most: 2, everyMs: 4 };
      const taken = await transaction.takeFromBucket(pool, `${drawn.username} bucket`, drawn.time, size);
      return [taken, await transaction.lockout(pool, `${drawn.username} bucket`)];
    }),
  ),
  named.map(
    write(
      'clearFailures',
      (drawn) => (transaction, pool) => transaction.clearFailures(pool, drawn.username, drawn.time),
    ),
  ),
  named.map(
    write('releaseSubject', (drawn) => (transaction, pool) => transaction.releaseSubject(pool, drawn.username)),
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
];
