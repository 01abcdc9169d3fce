import { OAuthError } from '@poolgate/provider';
import type { EventPorts, MacPorts, StoreReads, StoreWrites } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { readSignedClaims } from '../tokens/read-signed-claims.ts';
import { verifyRefreshToken } from '../tokens/refresh-token.ts';
import { revokeLogin } from '../tokens/revoke-login.ts';
import type { PublishedKeyPorts } from '../tokens/token-ports.ts';

/**
 * Ends the login of a refresh or access token. A token that is unknown, has expired or was revoked before is as revoked as it can be.
 * @throws {OAuthError} `invalid_grant`: it is another client's; `invalid_request`: this client's tokens cannot be revoked;
 *   `unsupported_token_type`: no login is behind it, because a machine has it
 * @see https://www.rfc-editor.org/rfc/rfc7009#section-2
 */
export async function revokeOAuthToken(
  ports: EventPorts &
    MacPorts &
    PublishedKeyPorts &
    StoreReads<'logins'> &
    StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  { pool, client }: PoolAndClient,
  token: string,
): Promise<void> {
  if (!client.settings.tokenRevocation) {
    throw new OAuthError('invalid_request', 'Token revocation is not enabled for this client.');
  }
  const { loginId } =
    verifyRefreshToken(ports, pool, token) ?? (await readAccessToken(ports, { pool, client }, token)) ?? {};
  const login = loginId === undefined ? undefined : await ports.store.logins.byId(loginId);
  if (login === undefined) return;
  if (login.clientId !== client.id) throw foreignTokenError();
  await ports.store.write((transaction) => revokeLogin(ports, transaction, pool, login));
}

async function readAccessToken(
  ports: PublishedKeyPorts,
  { pool, client }: PoolAndClient,
  token: string,
): Promise<{ readonly loginId: string } | undefined> {
  const claims = await readSignedClaims(ports, pool, 'access', token);
  if (claims === undefined || (claims.exp ?? 0) * 1000 <= ports.clock.now()) return undefined;
  if (claims.client_id !== client.id) throw foreignTokenError();
  const { username, origin_jti: origin, event_id: event } = claims;
  if (username === undefined) {
    throw new OAuthError('unsupported_token_type', 'The access token of a machine cannot be revoked.');
  }
  // Where the client kept no track of logins when it was signed, the event names the login.
  return { loginId: String(origin ?? event) };
}

function foreignTokenError(): OAuthError {
  return new OAuthError('invalid_grant', 'The client is not authorized to revoke this token.');
}
