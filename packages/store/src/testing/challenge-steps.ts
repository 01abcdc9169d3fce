import type { DeviceRecord, UserRecord } from '@poolgate/pool/store';
import fc from 'fast-check';
import {
  createReadStep,
  createWriteStep,
  idArbitrary,
  ownedStepInput,
  ownerArbitrary,
  type Step,
  timeArbitrary,
} from './property-steps.ts';
import { sampleDevice, sampleLocalDevice, sampleLogin, sampleMessage, sampleTotp } from './sample-records.ts';

const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 5 }), { nil: null });

const deviceChange: fc.Arbitrary<Partial<DeviceRecord>> = fc.record(
  { name: text, remembered: fc.boolean(), lastIp: text, lastAuthenticatedAtMs: timeArbitrary },
  { requiredKeys: [] },
);

const mfaMethod = fc.constantFrom('SMS_MFA' as const, 'SOFTWARE_TOKEN_MFA' as const, 'EMAIL_OTP' as const);

const mfaChange: fc.Arbitrary<Partial<UserRecord>> = fc.record(
  { mfaMethods: fc.uniqueArray(mfaMethod), preferredMfa: fc.option(mfaMethod, { nil: null }) },
  { requiredKeys: [] },
);

const changed = fc.record({
  username: ownerArbitrary,
  id: idArbitrary,
  time: timeArbitrary,
  device: deviceChange,
  user: mfaChange,
});

const toTotpState = (generation: number) => (generation === 0 ? ('pending' as const) : ('active' as const));

const deviceSteps: readonly fc.Arbitrary<Step>[] = [
  ownedStepInput.map(
    createWriteStep(
      'insertDevice',
      (drawn) => (transaction, pool) =>
        transaction.devices.insert({
          ...sampleDevice(pool, drawn.username, drawn.id),
          createdAtMs: drawn.time,
          remembered: drawn.generation > 0,
        }),
    ),
  ),
  changed.map(
    createWriteStep(
      'updateDevice',
      (drawn) => (transaction, pool) =>
        transaction.devices.update(pool, drawn.username, drawn.id, { ...drawn.device, modifiedAtMs: drawn.time }),
    ),
  ),
  ownedStepInput.map(
    createWriteStep('useDevice', (drawn) => async (transaction, pool) => {
      const device = await transaction.devices.byKey(pool, drawn.username, drawn.id);
      if (device === undefined) return false;
      const use = { createdAtMs: device.createdAtMs, lastAuthenticatedAtMs: drawn.time, lastIp: null };
      await transaction.devices.recordUse(pool, drawn.username, drawn.id, use);
      return true;
    }),
  ),
  ownedStepInput.map(
    createWriteStep(
      'deleteDevice',
      (drawn) => (transaction, pool) => transaction.devices.delete(pool, drawn.username, drawn.id),
    ),
  ),
  ownedStepInput.map(
    createWriteStep('distrustDevices', (drawn) => async (transaction, pool) => [
      await transaction.devices.lockAndCount(pool, drawn.username),
      await transaction.devices.forgetTrust(pool, drawn.username, drawn.time),
    ]),
  ),
  ownedStepInput.map(
    createReadStep(
      'devices',
      (drawn) =>
        ({ store, pool }) =>
          store.poolStore.devices.listOf(pool, drawn.username, 1 + drawn.generation, `${drawn.time}:${drawn.id}`),
    ),
  ),
  ownedStepInput.map(
    createWriteStep('loginOfDevice', (drawn) => async (transaction, pool) => {
      const login = sampleLogin(pool, drawn.username, pool + drawn.id);
      await transaction.logins.insert({ ...login, deviceKey: drawn.generation === 0 ? null : drawn.id });
    }),
  ),
  ownedStepInput.map(
    createWriteStep(
      'revokeLoginsOfDevice',
      (drawn) => (transaction, pool) =>
        transaction.logins.revokeAllOfDevice(pool, drawn.username, drawn.id, drawn.time),
    ),
  ),
  ownedStepInput.map(
    createWriteStep(
      'detachDevice',
      (drawn) => (transaction, pool) => transaction.logins.detachDevice(pool + drawn.id, drawn.time),
    ),
  ),
  ownedStepInput.map(
    createReadStep(
      'localDevices.put',
      (drawn) =>
        ({ store, pool }) =>
          store.records.localDevices.put({
            ...sampleLocalDevice(pool, drawn.username, drawn.id),
            remembered: [null, true, false][drawn.generation] ?? null,
            updatedAtMs: drawn.time,
          }),
    ),
  ),
  ownedStepInput.map(
    createReadStep(
      'localDevices.delete',
      (drawn) =>
        ({ store, pool }) =>
          store.records.localDevices.delete(pool, drawn.username, drawn.id),
    ),
  ),
];

const factorSteps: readonly fc.Arbitrary<Step>[] = [
  changed.map(
    createWriteStep(
      'updateUser’s factors',
      (drawn) => (transaction, pool) =>
        transaction.users.update(pool, drawn.username, { ...drawn.user, modifiedAtMs: drawn.time }),
    ),
  ),
  ownedStepInput.map(
    createWriteStep(
      'putTotp',
      (drawn) => (transaction, pool) =>
        transaction.authenticators.put({
          ...sampleTotp(pool, drawn.username, toTotpState(drawn.generation)),
          name: drawn.id,
          lastStep: drawn.time,
        }),
    ),
  ),
  ownedStepInput.map(
    createWriteStep(
      'takeTotp',
      (drawn) => (transaction, pool) =>
        transaction.authenticators.take(pool, drawn.username, toTotpState(drawn.generation)),
    ),
  ),
  ownedStepInput.map(
    createWriteStep('useTotpStep', (drawn) => async (transaction, pool) => {
      const totp = await transaction.authenticators.byState(pool, drawn.username, 'active');
      if (totp === undefined || totp.lastStep >= drawn.time) return false;
      await transaction.authenticators.useStep(pool, drawn.username, drawn.time);
      return true;
    }),
  ),
  ownedStepInput.map(
    createWriteStep(
      'putRecoveryCodes',
      (drawn) => (transaction, pool) =>
        transaction.recoveryCodes.replace(pool, drawn.username, [drawn.id, 'i1'].slice(drawn.generation), drawn.time),
    ),
  ),
  ownedStepInput.map(
    createWriteStep(
      'useRecoveryCode',
      (drawn) => (transaction, pool) => transaction.recoveryCodes.use(pool, drawn.username, drawn.id),
    ),
  ),
];

const messageSteps: readonly fc.Arbitrary<Step>[] = [
  ownedStepInput.map(
    createWriteStep(
      'enqueueMessage',
      (drawn) => (transaction, pool) =>
        transaction.messages.enqueue({
          ...sampleMessage(pool, pool + drawn.id),
          nextTryAtMs: drawn.time,
          createdAtMs: drawn.generation,
        }),
    ),
  ),
  ownedStepInput.map(
    createWriteStep(
      'leaseMessages',
      (drawn) => (transaction) =>
        transaction.messages.lease(drawn.time, drawn.time + 5 * drawn.generation, 1 + drawn.generation),
    ),
  ),
  ownedStepInput.map(
    createWriteStep('lease and hand over', (drawn) => async (transaction, pool) => {
      const leased = await transaction.messages.lease(drawn.time, drawn.time + 7, 3);
      return [leased, await transaction.messages.handOver(pool + drawn.id, drawn.time + 7)];
    }),
  ),
  ownedStepInput.map(
    createWriteStep(
      'postponeMessage',
      (drawn) => (transaction, pool) => transaction.messages.postpone(pool + drawn.id, drawn.time, 'refused'),
    ),
  ),
  ownedStepInput.map(
    createWriteStep(
      'deadLetterMessage',
      (drawn) => (transaction, pool) => transaction.messages.deadLetter(pool + drawn.id, drawn.time, 'expired'),
    ),
  ),
  ownedStepInput.map(
    createWriteStep('deleteMessage', (drawn) => (transaction, pool) => transaction.messages.delete(pool + drawn.id)),
  ),
];

/** Steps on devices, second factors and queued messages. */
export const challengeSteps = [...deviceSteps, ...factorSteps, ...messageSteps];
