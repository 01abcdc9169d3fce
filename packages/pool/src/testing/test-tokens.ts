import assert from 'node:assert/strict';
import type { Output } from '@poolgate/provider';

/** The three tokens of a finished login. */
export interface Tokens {
  readonly access: string;
  readonly id: string;
  readonly refresh: string;
}

/** Returns the tokens of a response that must contain all three. */
export function requireTokens(output: Output<'InitiateAuth'>): Tokens {
  const { AccessToken, IdToken, RefreshToken } = output.AuthenticationResult ?? {};
  assert.ok(AccessToken && IdToken && RefreshToken, 'the login must end in three tokens');
  return { access: AccessToken, id: IdToken, refresh: RefreshToken };
}

/** A JSON part of a JWT, unverified. */
export function decodeTokenPart(token: string, part: 0 | 1): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString());
}

/** A JWT part from JSON. */
export function encodeTokenPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
