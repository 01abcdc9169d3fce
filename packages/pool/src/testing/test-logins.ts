import assert from 'node:assert/strict';
import type { CallContext, Input, Output } from '@poolgate/provider';
import {
  type ClientStart,
  deviceIdentity,
  formatTimestamp,
  hashPassword,
  secureRandom,
  signPasswordClaim,
  startClient,
} from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
import type { TestDevice } from './test-devices.ts';
import { createCallFromNewAddress, PASSWORD, type PoolHandle, TEST_CALL, type TestPool } from './test-pool.ts';

/** The response of a login step. */
export type LoginOutput = Output<'InitiateAuth'>;

type Texts = Readonly<Record<string, string>>;

/** Logs in with the plain-text password and additional parameters. */
export function startPasswordLogin(pool: PoolHandle, username: string, more: Texts = {}): Promise<LoginOutput> {
  const AuthParameters = { USERNAME: username, PASSWORD, ...more };
  return pool.operations.initiateAuth(
    { ClientId: pool.clientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters },
    TEST_CALL,
  );
}

/** A choice-based login. */
export function startChoiceLogin(
  pool: PoolHandle,
  username: string,
  more: Texts = {},
  session?: string,
): Promise<LoginOutput> {
  const AuthParameters = { USERNAME: username, ...more };
  const Session = session === undefined ? {} : { Session: session };
  return pool.operations.initiateAuth(
    { ClientId: pool.clientId, AuthFlow: 'USER_AUTH', AuthParameters, ...Session },
    createCallFromNewAddress(),
  );
}

type Name = Input<'RespondToAuthChallenge'>['ChallengeName'];

/** Answers the pending challenge, or another one with its session. */
export function respondToChallenge(
  pool: PoolHandle,
  before: LoginOutput,
  username: string,
  answer: Texts,
  name?: Name,
  call: CallContext = TEST_CALL,
): Promise<LoginOutput> {
  const ChallengeName = name ?? before.ChallengeName;
  assert.ok(ChallengeName, 'a challenge must be pending');
  return pool.operations.respondToAuthChallenge(
    {
      ClientId: pool.clientId,
      ChallengeName,
      ...(before.Session === undefined ? {} : { Session: before.Session }),
      ChallengeResponses: { USERNAME: username, ...answer },
    },
    call,
  );
}

/** The key of each challenge's code. */
const CODE_KEYS: Readonly<Record<string, string>> = {
  EMAIL_OTP: 'EMAIL_OTP_CODE',
  SMS_MFA: 'SMS_MFA_CODE',
  SMS_OTP: 'SMS_OTP_CODE',
  SOFTWARE_TOKEN_MFA: 'SOFTWARE_TOKEN_MFA_CODE',
};

/** Answers a challenge with a code. */
export function enterCode(
  pool: PoolHandle,
  before: LoginOutput,
  username: string,
  code: string,
  more: Texts = {},
  call: CallContext = TEST_CALL,
): Promise<LoginOutput> {
  const key = CODE_KEYS[before.ChallengeName ?? ''];
  assert.ok(key, `${before.ChallengeName} must ask for a code`);
  return respondToChallenge(pool, before, username, { [key]: code, ...more }, undefined, call);
}

/** The last code that was sent to an address. */
export function sentCode({ sent }: Pick<TestPool, 'sent'>, to: string): string {
  const code = sent.findLast((message) => message.to === to)?.code;
  assert.ok(code, `a code must have been sent to ${to}`);
  return code;
}

/** A different code of the same length. */
export function createOtherCode(code: string, by = 1): string {
  return String((Number(code) + by) % 10 ** code.length).padStart(code.length, '0');
}

/** A device login after its first half. */
export interface StartedDeviceLogin {
  readonly start: ClientStart;
  readonly step: LoginOutput;
}

/** Sends `SRP_A` for a device. */
export async function startDeviceLogin(
  pool: PoolHandle,
  before: LoginOutput,
  username: string,
  { key }: Pick<TestDevice, 'key'>,
): Promise<StartedDeviceLogin> {
  assert.equal(before.ChallengeName, 'DEVICE_SRP_AUTH');
  const start = startClient({ engine: openSslEngine, random: secureRandom });
  return { start, step: await respondToChallenge(pool, before, username, { DEVICE_KEY: key, SRP_A: start.srpAHex }) };
}

/** The final response of a device that knows its secret. */
export function computeDeviceProof(
  { clock }: Pick<PoolHandle, 'clock'>,
  { start, step }: StartedDeviceLogin,
  { key, groupKey, secret }: Pick<TestDevice, 'key' | 'groupKey' | 'secret'>,
): Texts {
  assert.equal(step.ChallengeName, 'DEVICE_PASSWORD_VERIFIER');
  const { SALT = '', SRP_B = '', SECRET_BLOCK = '' } = step.ChallengeParameters ?? {};
  const identity = deviceIdentity({ deviceGroupKey: groupKey, deviceKey: key });
  const timestamp = formatTimestamp(clock.now());
  const claim = {
    ...{ engine: openSslEngine, ...start, srpBHex: SRP_B, saltHex: SALT },
    ...{ passwordHash: hashPassword(openSslEngine, identity, secret.devicePassword), identity },
    ...{ secretBlockB64: SECRET_BLOCK, timestamp },
  };
  return {
    DEVICE_KEY: key,
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    TIMESTAMP: timestamp,
    PASSWORD_CLAIM_SIGNATURE: signPasswordClaim(claim),
  };
}

/** Both halves of a device login. */
export async function proveDevice(
  pool: PoolHandle,
  before: LoginOutput,
  username: string,
  device: TestDevice,
): Promise<LoginOutput> {
  const begun = await startDeviceLogin(pool, before, username, device);
  return respondToChallenge(pool, begun.step, username, computeDeviceProof(pool, begun, device));
}

/** Counts calls by their result. */
export function countOutcomes(outcomes: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const one of outcomes) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}
