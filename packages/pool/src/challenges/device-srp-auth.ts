import { deviceNotFound, findDevice } from '../domain/devices.ts';
import { checkSrpA } from '../domain/srp-exchange.ts';
import type { Challenge } from './challenge.ts';

/** Asks for the `SRP_A` of a device that is to prove its secret. */
export const deviceSrpAuth: Challenge = {
  name: 'DEVICE_SRP_AUTH',
  wireName: 'DEVICE_SRP_AUTH',
  counter: undefined,
  spentBy: 'success',
  carrier: 'session',
  answersChoice: false,
  namesChoices: false,
  issue({ candidate }, { device }) {
    if (device === undefined) throw deviceNotFound();
    return { parameters: { USERNAME: candidate.userId, DEVICE_KEY: device.key }, state: Buffer.from(device.key) };
  },
  async answer({ context, pool, candidate, sent, state }) {
    checkSrpA(sent);
    const key = Buffer.from(state).toString();
    const device = await findDevice(context.store, pool, candidate.userId, key);
    if (device === undefined || sent.DEVICE_KEY !== key) throw deviceNotFound();
    return { outcome: 'leading', to: 'DEVICE_PASSWORD_VERIFIER' };
  },
};
