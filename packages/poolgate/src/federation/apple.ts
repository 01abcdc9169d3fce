import { createPrivateKey } from 'node:crypto';
import type { FederatedProvider } from '@poolgate/pool';
import { IdentityProviderError } from '@poolgate/pool';

const SECRET_LIFE = '5m';

/**
 * The client secret of Sign in with Apple: a token that the private key of the developer signs.
 * @see https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 */
export async function createAppleSecret({ details, secret }: FederatedProvider): Promise<string> {
  const { SignJWT } = await import('jose');
  const { team_id: team = '', key_id: keyId = '', client_id: clientId = '', oidc_issuer: audience = '' } = details;
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(team)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(SECRET_LIFE)
    .sign(parseAppleKey(secret));
}

/** Administrators paste the key with or without its first and last line. */
function parseAppleKey(text: string) {
  const body = text.replace(/-----[A-Z ]+-----/g, '').replace(/\s/g, '');
  try {
    return createPrivateKey({ key: Buffer.from(body, 'base64'), format: 'der', type: 'pkcs8' });
  } catch {
    throw new IdentityProviderError('invalid_response', 'private_key is not the PKCS #8 key that Apple issued.');
  }
}

/** The name that Apple sends at the first sign-in only, in addition to the ID token. Apple does not sign it, so it proves nothing. */
export function readAppleName(user: string | undefined): Readonly<Record<string, string>> {
  try {
    const { name = {} } = JSON.parse(user ?? '{}') as { name?: { firstName?: unknown; lastName?: unknown } };
    const [firstName, lastName] = [name.firstName, name.lastName].map((part) => (typeof part === 'string' ? part : ''));
    const full = [firstName, lastName].filter(Boolean).join(' ');
    return {
      ...(firstName && { firstName }),
      ...(lastName && { lastName }),
      ...(full && { name: full }),
    };
  } catch {
    return {};
  }
}
