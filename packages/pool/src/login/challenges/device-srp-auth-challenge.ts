import { deviceNotFoundError, findDevice } from '../../proofs/devices/device-registration.ts';
import { checkSrpA } from '../../proofs/passwords/srp-exchange.ts';
import type { Challenge } from './challenge.ts';

/** Requests the `SRP_A` of a device that must prove its secret. */
export const deviceSrpAuthChallenge: Challenge = {
  name: 'DEVICE_SRP_AUTH',
  cognitoName: 'DEVICE_SRP_AUTH',
  counter: undefined,
  spentBy: 'success',
  carrier: 'session',
  answersChoice: false,
  namesChoices: false,
  issue({ candidate }, { device }) {
    if (device === undefined) throw deviceNotFoundError();
    return { parameters: { USERNAME: candidate.userId, DEVICE_KEY: device.key }, state: Buffer.from(device.key) };
  },
  async verifyAnswer({ ports, pool, candidate, sent, state }) {
    checkSrpA(sent);
    const key = Buffer.from(state).toString();
    const device = await findDevice(ports.store, pool, candidate.userId, key);
    if (device === undefined || sent.DEVICE_KEY !== key) throw deviceNotFoundError();
    return { outcome: 'continues', to: 'DEVICE_PASSWORD_VERIFIER' };
  },
};
