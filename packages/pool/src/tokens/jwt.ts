import type { KeyObject } from 'node:crypto';
import type { Claims } from './claims.ts';
import type { SignTexts } from './sign-texts.ts';

/** A private key with the header that names it. */
export interface Signer {
  /** The JWT's header, encoded. */
  readonly header: string;
  readonly key: KeyObject;
}

/** Makes a signer. The header is Cognito's: exactly `kid` and `alg`. */
export function createSigner(kid: string, key: KeyObject): Signer {
  return { header: encode({ kid, alg: 'RS256' }), key };
}

/** What a JWT says, and whose key signs it. */
export interface UnsignedToken {
  readonly signer: Signer;
  readonly claims: Claims;
}

/** JWTs in compact form, RS256 (RFC 7515, RFC 7519), in the same order. Signed together, so that they cost one way to another thread. */
export async function signTokensWith(
  signTexts: SignTexts,
  tokens: readonly UnsignedToken[],
): Promise<readonly string[]> {
  const texts = tokens.map(({ signer: { header, key }, claims }) => ({ text: `${header}.${encode(claims)}`, key }));
  const signatures = await signTexts(texts);
  return texts.map(({ text }, index) => `${text}.${signatures[index]}`);
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
