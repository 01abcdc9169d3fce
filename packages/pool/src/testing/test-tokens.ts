import assert from 'node:assert/strict';
import type { Output } from '@poolgate/provider';

/** The three tokens of a finished login. */
export interface Tokens {
  readonly access: string;
  readonly id: string;
  readonly refresh: string;
}

/** The tokens of an answer that must have all three. */
export function requireTokens(output: Output<'InitiateAuth'>): Tokens {
  const { AccessToken, IdToken, RefreshToken } = output.AuthenticationResult ?? {};
  assert.ok(AccessToken && IdToken && RefreshToken, 'the login must end in three tokens');
  return { access: AccessToken, id: IdToken, refresh: RefreshToken };
}

/** One of the parts of a JWT that hold JSON, unverified. */
export function decodeTokenPart(token: string, part: 0 | 1): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString());
}

/** A JWT part from JSON. */
export function encodeTokenPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
