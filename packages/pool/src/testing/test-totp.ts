import assert from 'node:assert/strict';
import type { Output } from '@poolgate/provider';
import { Secret, TOTP } from 'otpauth';
import { type PoolHandle, TEST_CALL } from './test-pool.ts';

/** What an authenticator application shows for a secret, `steps` of 30 seconds from now. */
export function computeTestTotpCode({ clock }: Pick<PoolHandle, 'clock'>, secretCode: string, steps = 0): string {
  const timestamp = clock.now() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secretCode) }).generate({ timestamp });
}

/** A code that the secret does not show anywhere near now. */
export function computeWrongTotpCode(pool: Pick<PoolHandle, 'clock'>, secretCode: string, seed = 0): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => computeTestTotpCode(pool, secretCode, steps)));
  for (let code = seed; ; code++) {
    const text = String(code).padStart(6, '0');
    if (!near.has(text)) return text;
  }
}

/** Asks for a new secret; it waits until a code of it is shown. */
export async function associateTotp({ operations }: PoolHandle, accessToken: string): Promise<string> {
  const { SecretCode } = await operations.associateSoftwareToken({ AccessToken: accessToken }, TEST_CALL);
  assert.ok(SecretCode);
  return SecretCode;
}

/** Shows a code of the secret that waits. */
export function verifyTotp({ operations }: PoolHandle, accessToken: string, code: string, name?: string) {
  return operations.verifySoftwareToken(
    { AccessToken: accessToken, UserCode: code, ...(name === undefined ? {} : { FriendlyDeviceName: name }) },
    TEST_CALL,
  );
}

/** Enrols an authenticator and switches it on; gives its secret. The step of this moment is used up by it. */
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

/** Answers the code that a login waits for. */
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
