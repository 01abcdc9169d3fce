import type { KeyObject } from 'node:crypto';
import type { ClientRecord } from '../store/records.ts';
import type { SignTexts } from './sign-texts.ts';
import { findKeyAlgorithm } from './signing-algorithms.ts';
import type { Claims } from './token-claims.ts';

/** The type of an access token (RFC 9068). */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

/** A private key with its JWT header. */
export interface JwtSigner {
  readonly kid: string;
  /** The encoded JWT header. */
  readonly header: string;
  readonly key: KeyObject;
}

/**
 * Creates a signer. The header has exactly Cognito's members: `kid` and `alg`.
 * @param typ the type of tokens that must not be confused with others (RFC 8725 §3.11)
 */
export function createJwtSigner(kid: string, key: KeyObject, typ?: string): JwtSigner {
  return { kid, header: encodeBase64UrlJson({ kid, alg: findKeyAlgorithm(key), ...(typ && { typ }) }), key };
}

/** Selects the signer of a client's access tokens. Their header has a type if a setting of the client requires it (RFC 9068 §2.1). */
export function selectAccessTokenSigner(
  signer: JwtSigner,
  { settings: { extensions = {} } }: Pick<ClientRecord, 'settings'>,
): JwtSigner {
  const { accessTokenType: typ } = extensions;
  return typ === undefined ? signer : createJwtSigner(signer.kid, signer.key, typ);
}

/** The claims of a JWT, and the key to sign it. */
export interface UnsignedJwt {
  readonly signer: JwtSigner;
  readonly claims: Claims;
}

/**
 * Signs JWTs in compact form (RFC 7515, RFC 7519), in the same order. They are signed together, which takes only one message to another
 * thread.
 */
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
