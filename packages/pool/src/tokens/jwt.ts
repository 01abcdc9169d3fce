import type { KeyObject } from 'node:crypto';
import type { SignTexts } from './sign-texts.ts';
import { findKeyAlgorithm } from './signing-algorithms.ts';
import type { Claims } from './token-claims.ts';

/** A private key with the header that names it. */
export interface JwtSigner {
  /** The JWT's header, encoded. */
  readonly header: string;
  readonly key: KeyObject;
}

/** Makes a signer. The header has Cognito's members: exactly `kid` and `alg`. */
export function createJwtSigner(kid: string, key: KeyObject): JwtSigner {
  return { header: encodeBase64UrlJson({ kid, alg: findKeyAlgorithm(key) }), key };
}

/** What a JWT says, and whose key signs it. */
export interface UnsignedJwt {
  readonly signer: JwtSigner;
  readonly claims: Claims;
}

/** JWTs in compact form (RFC 7515, RFC 7519), in the same order. Signed together, so that they cost one way to another thread. */
export async function signJwts(signTexts: SignTexts, tokens: readonly UnsignedJwt[]): Promise<readonly string[]> {
  const texts = tokens.map(({ signer: { header, key }, claims }) => ({
    text: `${header}.${encodeBase64UrlJson(claims)}`,
    key,
  }));
  const signatures = await signTexts(texts);
  return texts.map(({ text }, index) => `${text}.${signatures[index]}`);
}

function encodeBase64UrlJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
