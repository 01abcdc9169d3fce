import { machineTokenRevocation, OAuthError } from '@poolgate/provider';
import type { EventPorts, MacPorts, StoreReads, StoreWrites } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { readSignedClaims } from '../tokens/read-signed-claims.ts';
import { verifyRefreshToken } from '../tokens/refresh-token.ts';
import { revokeLogin } from '../tokens/revoke-login.ts';
import type { PublishedKeyPorts } from '../tokens/token-ports.ts';

/**
 * Ends the login of a refresh or access token, or only the access token if a machine has it. For an unknown, expired or revoked token
 * nothing is left to do.
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
  const { loginId, jti }: RevocableToken =
    verifyRefreshToken(ports, pool, token) ?? (await readAccessToken(ports, { pool, client }, token)) ?? {};
  if (jti !== undefined) {
    const revocation = machineTokenRevocation(pool.id, jti, ports.clock.now());
    return ports.store.write(({ revocations }) => revocations.record(revocation));
  }
  const login = loginId === undefined ? undefined : await ports.store.logins.byId(loginId);
  if (login === undefined) return;
  if (login.clientId !== client.id) throw foreignTokenError();
  await ports.store.write((transaction) => revokeLogin(ports, transaction, pool, login));
}

/** What ends with a token: a login, or the token of a machine by itself. */
interface RevocableToken {
  readonly loginId?: string;
  readonly jti?: string;
}

async function readAccessToken(
  ports: PublishedKeyPorts,
  { pool, client }: PoolAndClient,
  token: string,
): Promise<RevocableToken | undefined> {
  const claims = await readSignedClaims(ports, pool, 'access', token);
  if (claims === undefined || (claims.exp ?? 0) * 1000 <= ports.clock.now()) return undefined;
  if (claims.client_id !== client.id) throw foreignTokenError();
  const { username, origin_jti: origin, event_id: event, jti } = claims;
  if (username === undefined) return { jti: String(jti) };
  // Where the client kept no track of logins when it was signed, the event names the login.
  return { loginId: String(origin ?? event) };
}

function foreignTokenError(): OAuthError {
  return new OAuthError('invalid_grant', 'The client is not authorized to revoke this token.');
}
