import { deviceIdentity } from '@poolgate/srp';
import { deviceNotFound, findDevice, openDeviceVerifier } from '../domain/devices.ts';
import { PASSWORD_GUESSES } from '../domain/lockout.ts';
import { incorrectPassword } from '../domain/refusals.ts';
import {
  afterExchange,
  beginExchange,
  isRightClaim,
  requireFreshTimestamp,
  type VerifierMark,
} from '../domain/srp-exchange.ts';
import type { DeviceRecord } from '../store/records.ts';
import type { AnswerStep, Challenge, Claim, Effect } from './challenge.ts';

/**
 * The secret of a device by SRP-6a, with the device's names in place of pool and user.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-device-tracking.html
 */
export const devicePasswordVerifier: Challenge = {
  name: 'DEVICE_PASSWORD_VERIFIER',
  wireName: 'DEVICE_PASSWORD_VERIFIER',
  counter: PASSWORD_GUESSES,
  spentBy: 'failure',
  carrier: 'secretBlockAndSession',
  answersChoice: false,
  namesChoices: false,
  issue({ context, candidate, sent }, { device }) {
    if (device === undefined) throw deviceNotFound();
    const verifier = openDeviceVerifier(context, device);
    const { srpBHex, state } = beginExchange(context, { verifier, ...markOf(device) }, sent);
    return {
      parameters: { SALT: device.saltHex, SRP_B: srpBHex, USERNAME: candidate.userId, DEVICE_KEY: device.key },
      state: Buffer.concat([state, Buffer.from(device.key)]),
    };
  },
  async answer(step) {
    const { context, pool, candidate, sent, state, nowMs } = step;
    requireFreshTimestamp(sent, nowMs);
    const key = Buffer.from(afterExchange(state)).toString();
    const device = await findDevice(context.store, pool, candidate.userId, key);
    if (device === undefined || sent.DEVICE_KEY !== key) throw deviceNotFound();
    const isRight = isRightClaim({
      engine: context.engine,
      ...markOf(device),
      identity: deviceIdentity({ deviceGroupKey: device.groupKey, deviceKey: device.key }),
      state,
      sent,
    });
    if (!isRight) return { outcome: 'disproven', error: incorrectPassword() };
    return { outcome: 'proven', claim: isStillThere(device), effect: noteUse(step, device) };
  },
};

/** The verifier of a device is set when it is registered, and never again. */
function markOf({ saltHex, createdAtMs }: DeviceRecord): VerifierMark {
  return { saltHex, setAtMs: createdAtMs };
}

/** A device that was forgotten and registered anew meanwhile has another secret. */
function isStillThere({ key, saltHex }: DeviceRecord): Claim {
  return async (_, { holdings: { device } }) =>
    device?.key === key && device.saltHex === saltHex ? undefined : incorrectPassword();
}

function noteUse({ nowMs, sourceAddress }: AnswerStep, { poolId, username, key, modifiedAtMs }: DeviceRecord): Effect {
  return async (transaction, user) => {
    const change = { lastAuthenticatedAtMs: nowMs, lastIp: sourceAddress, modifiedAtMs };
    await transaction.updateDevice(poolId, username, key, change);
    return user;
  };
}
