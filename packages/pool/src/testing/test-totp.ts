import assert from 'node:assert/strict';
import type { Output } from '@poolgate/provider';
import { Secret, TOTP } from 'otpauth';
import { type PoolHandle, TEST_CALL } from './test-pool.ts';

/** The code that an authenticator app shows for a secret, `steps` of 30 seconds from now. */
export function computeTestTotpCode({ clock }: Pick<PoolHandle, 'clock'>, secretCode: string, steps = 0): string {
  const timestamp = clock.now() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secretCode) }).generate({ timestamp });
}

/** A code that the secret does not produce anywhere near now. */
export function computeWrongTotpCode(pool: Pick<PoolHandle, 'clock'>, secretCode: string, seed = 0): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => computeTestTotpCode(pool, secretCode, steps)));
  for (let code = seed; ; code++) {
    const text = String(code).padStart(6, '0');
    if (!near.has(text)) return text;
  }
}

/** Requests a new secret, which waits for its first code. */
export async function associateTotp({ operations }: PoolHandle, accessToken: string): Promise<string> {
  const { SecretCode } = await operations.associateSoftwareToken({ AccessToken: accessToken }, TEST_CALL);
  assert.ok(SecretCode);
  return SecretCode;
}

/** Verifies the pending secret with a code. */
export function verifyTotp({ operations }: PoolHandle, accessToken: string, code: string, name?: string) {
  return operations.verifySoftwareToken(
    { AccessToken: accessToken, UserCode: code, ...(name === undefined ? {} : { FriendlyDeviceName: name }) },
    TEST_CALL,
  );
}

/** Enrolls and enables an authenticator, and returns its secret. This consumes the current time step. */
export async function enrolTotp(pool: PoolHandle, accessToken: string): Promise<string> {
  const secretCode = await associateTotp(pool, accessToken);
  await verifyTotp(pool, accessToken, computeTestTotpCode(pool, secretCode));
  const settings = { Enabled: true, PreferredMfa: true };
  await pool.operations.setUserMFAPreference(
    { AccessToken: accessToken, SoftwareTokenMfaSettings: settings },
    TEST_CALL,
  );
  return secretCode;
}

/** Answers a login's challenge with a code. */
export function answerTotp(
  { operations, clientId }: PoolHandle,
  challenged: Output<'InitiateAuth'>,
  username: string,
  code: string,
): Promise<Output<'RespondToAuthChallenge'>> {
  assert.equal(challenged.ChallengeName, 'SOFTWARE_TOKEN_MFA');
  return operations.respondToAuthChallenge(
    {
      ClientId: clientId,
      ChallengeName: 'SOFTWARE_TOKEN_MFA',
      Session: challenged.Session ?? '',
      ChallengeResponses: { USERNAME: username, SOFTWARE_TOKEN_MFA_CODE: code },
    },
    TEST_CALL,
  );
}
