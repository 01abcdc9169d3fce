import assert from 'node:assert/strict';
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { TestEnvironment } from '../../../packages/pool/src/testing/test-environment.ts';
import { encodeTokenPart } from '../../../packages/pool/src/testing/test-tokens.ts';

/** A signing key of a pool, decrypted: with it a test signs what the pool would never sign. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** Returns the pool's key for one kind of token. */
export async function readSigningKey(
  { options: context }: TestEnvironment,
  userPoolId: string,
  purpose: 'access' | 'id',
): Promise<SigningKey> {
  const record = (await context.store.signingKeys.listOf(userPoolId)).find((key) => key.purpose === purpose);
  assert.ok(record);
  const pkcs8 = context.keyRing.decrypt('signing-key', record.privateEncrypted, `${userPoolId}/${record.kid}`);
  assert.ok(pkcs8);
  return { kid: record.kid, privateKey: createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' }) };
}

/** Creates a JWT from a header and claims, as objects or as texts. */
export function signJwt(key: SigningKey, header: object | string, claims: object | string): string {
  const part = (value: object | string): string =>
    typeof value === 'string' ? Buffer.from(value).toString('base64url') : encodeTokenPart(value);
  const input = `${part(header)}.${part(claims)}`;
  return `${input}.${sign('RSA-SHA256', Buffer.from(input), key.privateKey).toString('base64url')}`;
}
