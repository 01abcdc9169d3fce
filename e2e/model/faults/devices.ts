import type { Parts } from '../assembly.ts';
import { type Fault, misreading, miswriting, replaced } from './plant.ts';
import { answer, enrolled, logIn, registered, wait } from './scripts.ts';

/** A store that finds a device by its key for any user. */
function ownerless(): Partial<Parts> {
  const owners = new Map<string, string>();
  const noting = miswriting((real) => ({
    devices: {
      insert: (device) => {
        owners.set(device.key, device.username);
        return real.devices.insert(device);
      },
    },
  }));
  const confusing = misreading((real) => ({
    devices: { byKey: (poolId, username, key) => real.devices.byKey(poolId, owners.get(key) ?? username, key) },
  }));
  return { store: (store) => confusing.store?.(noting.store?.(store) ?? store) ?? store };
}

/** Mistakes in what a device allows. */
export const DEVICE_FAULTS: readonly Fault[] = [
  {
    name: "another user's device is as good as one's own",
    parts: ownerless(),
    script: [...registered(true, 1), ...enrolled, wait(31), logIn({ device: 'foreign' })],
  },
  {
    name: 'a device that the user declined to remember is trusted',
    parts: misreading((real) => ({
      devices: {
        byKey: async (...about) => {
          const device = await real.devices.byKey(...about);
          return device && { ...device, remembered: true };
        },
      },
    })),
    script: [...registered(false), logIn({ device: 'own' })],
  },
  {
    name: 'the proof of a device is not verified',
    plant: replaced('DEVICE_PASSWORD_VERIFIER', () => ({ verifyAnswer: () => ({ outcome: 'proven' }) })),
    script: [...registered(true), logIn({ device: 'own' }), answer('right'), answer('wrong')],
  },
  {
    name: 'devices are still trusted after the password was changed',
    parts: miswriting(() => ({ devices: { forgetTrust: async () => undefined } })),
    script: [...registered(true), ['setPassword', { who: 0, isPermanent: true }], logIn({ device: 'own' })],
  },
  {
    name: 'devices are still trusted after a factor was removed',
    parts: miswriting(() => ({ devices: { forgetTrust: async () => undefined } })),
    script: [
      ...enrolled,
      ['registerDevice', { at: 0, isRemembered: true }],
      ['deactivateMfa', { at: 0, isByAdmin: false }],
      logIn({ device: 'own' }),
    ],
  },
  {
    name: 'a forgotten device is still known',
    parts: miswriting(() => ({ devices: { delete: async () => true } })),
    script: [
      ...registered(true),
      logIn(),
      ['changeDevice', { at: 1, of: 0, isOwn: true, trigger: 'DELETE' }],
      logIn({ device: 'own' }),
    ],
  },
  {
    name: 'the secret of a registered device can be replaced',
    parts: miswriting((real) => ({
      devices: {
        insert: async (device) => {
          await real.devices.delete(device.poolId, device.username, device.key);
          return real.devices.insert(device);
        },
      },
    })),
    script: [...registered(true), ['registerDevice', { at: 0, isRemembered: true }]],
  },
  {
    name: 'a refresh token works without the device of its login',
    parts: misreading((real) => ({
      logins: {
        byIdWithUser: async (id) => {
          const found = await real.logins.byIdWithUser(id);
          return found && { ...found, login: { ...found.login, deviceKey: null } };
        },
      },
    })),
    script: [...registered(true), ['refresh', { at: 0, isNamed: false }]],
  },
  {
    name: 'logins of a forgotten device continue',
    parts: miswriting(() => ({ logins: { revokeAllOfDevice: async () => [] } })),
    script: [...registered(true), logIn(), ['changeDevice', { at: 1, of: 0, isOwn: true, trigger: 'DELETE' }]],
  },
];
