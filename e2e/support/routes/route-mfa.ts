import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import { createBearerHeader } from '../requests/exchange.ts';
import { PASSWORD, requireTokens, type TestService } from '../services/test-service.ts';

/** Anything with a clock. */
interface Clocked {
  readonly clock: { now(): number };
}

/** Returns an authenticator's current code for a secret, or that of some steps of 30 seconds later. */
export function computeTotpCode({ clock }: Clocked, secretCode: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secretCode) }).generate({ timestamp: clock.now() + steps * 30_000 });
}

/** Returns a code of no nearby step. */
export function computeWrongTotpCode(service: Clocked, secretCode: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => computeTotpCode(service, secretCode, steps)));
  return ['000000', '000001', '000002', '000003', '000004', '000005'].find((code) => !near.has(code)) ?? '';
}

/** POST /user/mfa/activate; returns the secret. */
export async function activateAuthenticator(service: TestService, access: string): Promise<string> {
  const answer = await service.post('/user/mfa/activate', {}, createBearerHeader(access));
  assert.equal(answer.status, 200, answer.text);
  return String(answer.body.SecretCode);
}

/** POST /user/mfa/verify. */
export const verifyAuthenticator = (service: TestService, access: string, code: string) =>
  service.post('/user/mfa/verify', { code }, createBearerHeader(access));

/** A fresh login of a user without MFA. */
export async function logInForAccessToken(service: TestService, username: string): Promise<string> {
  return requireTokens(await service.post('/login', { username, password: PASSWORD })).access;
}

/** Sets up and verifies an authenticator of a user without one; returns its secret. The current step is used up; other logins continue. */
export async function createActiveAuthenticator(service: TestService, username: string): Promise<string> {
  const access = await logInForAccessToken(service, username);
  const secretCode = await activateAuthenticator(service, access);
  const sent = { code: computeTotpCode(service, secretCode), end_other_sessions: false };
  const verified = await service.post('/user/mfa/verify', sent, createBearerHeader(access));
  assert.equal(verified.status, 200, verified.text);
  return secretCode;
}
