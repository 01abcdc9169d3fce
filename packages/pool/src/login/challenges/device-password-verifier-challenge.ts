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
import type { AnswerStep, Challenge, ProofEffect } from './challenge.ts';

const SALT_END = 16;

/**
 * A device's secret by SRP-6a, with the names of device and group instead of username and pool.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-device-tracking.html
 */
export const devicePasswordVerifierChallenge: Challenge = {
  name: 'DEVICE_PASSWORD_VERIFIER',
  cognitoName: 'DEVICE_PASSWORD_VERIFIER',
  counter: PASSWORD_GUESS_COUNTER,
  spentBy: 'failure',
  verifiesInWrite: true,
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
  readKeys: async (reads, { pool, userId, state }) => ({
    device: await findDevice(reads, pool, userId, readDeviceKey(state)),
  }),
  verifyAnswer(step) {
    const {
      ports,
      sent,
      state,
      keys: { device },
      nowMs,
    } = step;
    requireFreshTimestamp(sent, nowMs);
    if (device === undefined || sent.DEVICE_KEY !== device.key) throw deviceNotFoundError();
    const isRight = verifySrpExchangeClaim({
      engine: ports.engine,
      version: formatDeviceVersion(device),
      identity: deviceIdentity({ deviceGroupKey: device.groupKey, deviceKey: device.key }),
      state,
      sent,
    });
    if (!isRight) return { outcome: 'disproven', error: incorrectPasswordError() };
    return { outcome: 'proven', effect: createDeviceUseEffect(step, device) };
  },
};

function readDeviceKey(state: Uint8Array): string {
  return Buffer.from(readStateAfterExchange(state)).toString();
}

/** A device's verifier is set at its registration and never changes. The state also names the device. */
function formatDeviceVersion({ saltHex, createdAtMs }: DeviceRecord): string {
  return `${saltHex.slice(-SALT_END)}.${createdAtMs}`;
}

/** If the device was forgotten in the meantime, or registered again with another secret, the answer is verified again. */
function createDeviceUseEffect(
  { ports, nowMs }: AnswerStep,
  { poolId, username, key, createdAtMs }: DeviceRecord,
): ProofEffect {
  return async (transaction, user) => {
    const use = { createdAtMs, lastAuthenticatedAtMs: nowMs, lastIp: ports.call.sourceAddress };
    await transaction.devices.recordUse(poolId, username, key, use);
    return user;
  };
}
