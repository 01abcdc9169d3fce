import { deviceIdentity } from '@poolgate/srp';
import { incorrectPasswordError } from '../../identity/login-errors.ts';
import { decryptDeviceVerifier, deviceNotFoundError, findDevice } from '../../proofs/devices/device-registration.ts';
import { PASSWORD_GUESS_COUNTER } from '../../proofs/lockouts/lockout.ts';
import {
  readStateAfterExchange,
  requireFreshTimestamp,
  startSrpExchange,
  verifySrpExchangeClaim,
} from '../../proofs/passwords/srp-exchange.ts';
import type { DeviceRecord } from '../../store/records.ts';
import type { AnswerStep, Challenge, FinalCheck, ProofEffect } from './challenge.ts';

const SALT_END = 16;

/**
 * The secret of a device by SRP-6a, with the device's names in place of pool and user.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-device-tracking.html
 */
export const devicePasswordVerifierChallenge: Challenge = {
  name: 'DEVICE_PASSWORD_VERIFIER',
  cognitoName: 'DEVICE_PASSWORD_VERIFIER',
  counter: PASSWORD_GUESS_COUNTER,
  spentBy: 'failure',
  carrier: 'secretBlockAndSession',
  answersChoice: false,
  namesChoices: false,
  async issue({ ports, candidate, sent }, { device }) {
    if (device === undefined) throw deviceNotFoundError();
    const verifier = decryptDeviceVerifier(ports, device);
    const { srpBHex, state } = await startSrpExchange(ports, { verifier, version: formatDeviceVersion(device) }, sent);
    return {
      parameters: { SALT: device.saltHex, SRP_B: srpBHex, USERNAME: candidate.userId, DEVICE_KEY: device.key },
      state: Buffer.concat([state, Buffer.from(device.key)]),
    };
  },
  async verifyAnswer(step) {
    const { ports, pool, candidate, sent, state, nowMs } = step;
    requireFreshTimestamp(sent, nowMs);
    const key = Buffer.from(readStateAfterExchange(state)).toString();
    const device = await findDevice(ports.store, pool, candidate.userId, key);
    if (device === undefined || sent.DEVICE_KEY !== key) throw deviceNotFoundError();
    const isRight = verifySrpExchangeClaim({
      engine: ports.engine,
      version: formatDeviceVersion(device),
      identity: deviceIdentity({ deviceGroupKey: device.groupKey, deviceKey: device.key }),
      state,
      sent,
    });
    if (!isRight) return { outcome: 'disproven', error: incorrectPasswordError() };
    return {
      outcome: 'proven',
      finalCheck: createSameDeviceCheck(device),
      effect: createDeviceUseEffect(step, device),
    };
  },
};

/** The verifier of a device is set when it is registered, and never again; the state names the device too. */
function formatDeviceVersion({ saltHex, createdAtMs }: DeviceRecord): string {
  return `${saltHex.slice(-SALT_END)}.${createdAtMs}`;
}

/** A device that was forgotten and registered anew meanwhile has another secret. */
function createSameDeviceCheck(verifiedDevice: DeviceRecord): FinalCheck {
  return async (_, { userFactors: { device } }) =>
    device?.key === verifiedDevice.key && formatDeviceVersion(device) === formatDeviceVersion(verifiedDevice)
      ? undefined
      : incorrectPasswordError();
}

function createDeviceUseEffect(
  { ports, nowMs }: AnswerStep,
  { poolId, username, key, modifiedAtMs }: DeviceRecord,
): ProofEffect {
  return async (transaction, user) => {
    const change = { lastAuthenticatedAtMs: nowMs, lastIp: ports.call.sourceAddress, modifiedAtMs };
    await transaction.devices.update(poolId, username, key, change);
    return user;
  };
}
