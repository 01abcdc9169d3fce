import { generateKeyPairSync, sign } from 'node:crypto';
import type { PublicKey } from '@poolgate/provider';
import { CLIENT_ID, POOL, START_MS } from './gateway-deps.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { n = '', e = '' } = publicKey.export({ format: 'jwk' });

/** The key that signs the tokens of {@link createAccessToken}, as a provider publishes it. */
export const TOKEN_KEY: PublicKey = { alg: 'RS256', kty: 'RSA', use: 'sig', kid: 'k', n, e };

/** An access token of the tests' pool. `more`: claims that differ. */
export function createAccessToken(
  sub: string,
  authTimeSeconds: number = START_MS / 1000,
  originJti?: string,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const claims = {
    sub,
    iss: POOL.issuer,
    client_id: CLIENT_ID,
    token_use: 'access',
    scope: 'aws.cognito.signin.user.admin',
    auth_time: authTimeSeconds,
    iat: START_MS / 1000,
    exp: START_MS / 1000 + 3600,
    username: sub,
    ...(originJti === undefined ? {} : { origin_jti: originJti }),
    ...more,
  };
  const input = [{ kid: TOKEN_KEY.kid, alg: 'RS256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${input}.${sign('RSA-SHA256', Buffer.from(input), privateKey).toString('base64url')}`;
}
