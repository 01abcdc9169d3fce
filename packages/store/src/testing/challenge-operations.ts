import type { DeviceRecord, UserRecord } from '@poolgate/pool/store';
import fc from 'fast-check';
import { ask, id, type Operation, owned, owner, time, write } from './operations.ts';
import { sampleDevice, sampleLocalDevice, sampleLogin, sampleMessage, sampleTotp } from './sample-records.ts';

const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 5 }), { nil: null });

const deviceChange: fc.Arbitrary<Partial<DeviceRecord>> = fc.record(
  { name: text, remembered: fc.boolean(), lastIp: text, lastAuthenticatedAtMs: time },
  { requiredKeys: [] },
);

const mfaMethod = fc.constantFrom('SMS_MFA' as const, 'SOFTWARE_TOKEN_MFA' as const, 'EMAIL_OTP' as const);

const mfaChange: fc.Arbitrary<Partial<UserRecord>> = fc.record(
  { mfaMethods: fc.uniqueArray(mfaMethod), preferredMfa: fc.option(mfaMethod, { nil: null }) },
  { requiredKeys: [] },
);

const changed = fc.record({ username: owner, id, time, device: deviceChange, user: mfaChange });

const stateOf = (generation: number) => (generation === 0 ? ('pending' as const) : ('active' as const));

const deviceOperations: readonly fc.Arbitrary<Operation>[] = [
  owned.map(
    write(
      'insertDevice',
      (drawn) => (transaction, pool) =>
        transaction.insertDevice({
          ...sampleDevice(pool, drawn.username, drawn.id),
          createdAtMs: drawn.time,
          remembered: drawn.generation > 0,
        }),
    ),
  ),
  changed.map(
    write(
      'updateDevice',
      (drawn) => (transaction, pool) =>
        transaction.updateDevice(pool, drawn.username, drawn.id, { ...drawn.device, modifiedAtMs: drawn.time }),
    ),
  ),
  owned.map(
    write('deleteDevice', (drawn) => (transaction, pool) => transaction.deleteDevice(pool, drawn.username, drawn.id)),
  ),
  owned.map(
    write('distrustDevices', (drawn) => async (transaction, pool) => [
      await transaction.countDevices(pool, drawn.username),
      await transaction.distrustDevices(pool, drawn.username, drawn.time),
    ]),
  ),
  owned.map(
    ask(
      'devices',
      (drawn) =>
        ({ store, pool }) =>
          store.poolStore.devices(pool, drawn.username, 1 + drawn.generation, `${drawn.time}:${drawn.id}`),
    ),
  ),
  owned.map(
    write('loginOfDevice', (drawn) => async (transaction, pool) => {
      const login = sampleLogin(pool, drawn.username, pool + drawn.id);
      await transaction.insertLogin({ ...login, deviceKey: drawn.generation === 0 ? null : drawn.id });
    }),
  ),
  owned.map(
    write(
      'revokeLoginsOfDevice',
      (drawn) => (transaction, pool) => transaction.revokeLoginsOfDevice(pool, drawn.username, drawn.id, drawn.time),
    ),
  ),
  owned.map(write('partLogin', (drawn) => (transaction, pool) => transaction.partLogin(pool + drawn.id, drawn.time))),
  owned.map(
    ask(
      'putLocalDevice',
      (drawn) =>
        ({ store, pool }) =>
          store.records.putLocalDevice({
            ...sampleLocalDevice(pool, drawn.username, drawn.id),
            remembered: [null, true, false][drawn.generation] ?? null,
            updatedAtMs: drawn.time,
          }),
    ),
  ),
  owned.map(
    ask(
      'deleteLocalDevice',
      (drawn) =>
        ({ store, pool }) =>
          store.records.deleteLocalDevice(pool, drawn.username, drawn.id),
    ),
  ),
];

const factorOperations: readonly fc.Arbitrary<Operation>[] = [
  changed.map(
    write(
      'updateUser’s factors',
      (drawn) => (transaction, pool) =>
        transaction.updateUser(pool, drawn.username, { ...drawn.user, modifiedAtMs: drawn.time }),
    ),
  ),
  owned.map(
    write(
      'putTotp',
      (drawn) => (transaction, pool) =>
        transaction.putTotp({
          ...sampleTotp(pool, drawn.username, stateOf(drawn.generation)),
          name: drawn.id,
          lastStep: drawn.time,
        }),
    ),
  ),
  owned.map(
    write(
      'takeTotp',
      (drawn) => (transaction, pool) => transaction.takeTotp(pool, drawn.username, stateOf(drawn.generation)),
    ),
  ),
  owned.map(
    write('useTotpStep', (drawn) => (transaction, pool) => transaction.useTotpStep(pool, drawn.username, drawn.time)),
  ),
  owned.map(
    write(
      'putRecoveryCodes',
      (drawn) => (transaction, pool) =>
        transaction.putRecoveryCodes(pool, drawn.username, [drawn.id, 'i1'].slice(drawn.generation), drawn.time),
    ),
  ),
  owned.map(
    write(
      'useRecoveryCode',
      (drawn) => (transaction, pool) => transaction.useRecoveryCode(pool, drawn.username, drawn.id),
    ),
  ),
];

const messageOperations: readonly fc.Arbitrary<Operation>[] = [
  owned.map(
    write(
      'enqueueMessage',
      (drawn) => (transaction, pool) =>
        transaction.enqueueMessage({
          ...sampleMessage(pool, pool + drawn.id),
          nextTryAtMs: drawn.time,
          createdAtMs: drawn.generation,
        }),
    ),
  ),
  owned.map(
    write(
      'leaseMessages',
      (drawn) => (transaction) =>
        transaction.leaseMessages(drawn.time, drawn.time + 5 * drawn.generation, 1 + drawn.generation),
    ),
  ),
  owned.map(
    write('lease and hand over', (drawn) => async (transaction, pool) => {
      const leased = await transaction.leaseMessages(drawn.time, drawn.time + 7, 3);
      return [leased, await transaction.handOverMessage(pool + drawn.id, drawn.time + 7)];
    }),
  ),
  owned.map(
    write(
      'postponeMessage',
      (drawn) => (transaction, pool) => transaction.postponeMessage(pool + drawn.id, drawn.time, 'refused'),
    ),
  ),
  owned.map(
    write(
      'buryMessage',
      (drawn) => (transaction, pool) => transaction.buryMessage(pool + drawn.id, drawn.time, 'expired'),
    ),
  ),
  owned.map(write('deleteMessage', (drawn) => (transaction, pool) => transaction.deleteMessage(pool + drawn.id))),
];

/** Steps on devices, second factors and queued messages. */
export const challengeOperations = [...deviceOperations, ...factorOperations, ...messageOperations];
