import assert from 'node:assert/strict';
import type { PasswordVerifier, PasswordVerifierOperations } from '@poolgate/provider';
import { computeVerifier, hashPassword, hexFromInteger, integerFromBytes } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import type { TestPool } from './test-pool.ts';

/** The operations that set passwords which never reach the pool. */
export function getVerifierPasswords({ embedded }: Pick<TestPool, 'embedded'>): PasswordVerifierOperations {
  const { verifier_passwords } = embedded.extensions;
  assert.ok(verifier_passwords);
  return verifier_passwords;
}

/** A verifier that the client computed, so that the password stays there. */
export function createVerifier(
  { userPoolId }: Pick<TestPool, 'userPoolId'>,
  userIdForSrp: string,
  SaltHex: string,
  password: string,
): PasswordVerifier {
  const identity = { poolName: userPoolId.split('_')[1] ?? '', userIdForSrp };
  const hash = hashPassword(engine, identity, password);
  const verifier = computeVerifier({ engine, saltHex: SaltHex, passwordHash: hash });
  return { SaltHex, VerifierHex: hexFromInteger(integerFromBytes(verifier)) };
}
