import { type LoginDescription, ProviderError, type ProviderExtensions } from '@poolgate/provider';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, MacPorts, StoreReads, StoreWrites } from '../kernel/ports.ts';
import { parseSessionId, toSessionId } from '../sessions/session-ids.ts';
import { readPage } from '../settings/page-tokens.ts';
import type { LoginRecord } from '../store/records.ts';
import { lockAuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import { loginNotFoundError, revokeActiveLogin, revokeLogin } from '../tokens/revoke-login.ts';
import { revokeOtherLogins } from '../tokens/revoke-other-logins.ts';
import type { AccessTokenPorts, TokenSignaturePorts } from '../tokens/token-ports.ts';
import { verifyAccessToken } from '../tokens/verify-access-token.ts';
import type { ExtensionTable } from './operation-table.ts';

type LoginExtension = 'end_login' | 'end_login_by_id' | 'end_other_logins' | 'list_logins';
type ListLoginsInput = Parameters<ProviderExtensions['list_logins']>[0];

/** What users can do with their own logins, beyond the Cognito API. */
export const loginExtensions: ExtensionTable<LoginExtension> = {
  end_login: (ports, input) => revokeOwnLogin(ports, input.AccessToken),
  end_login_by_id: (ports, input) => revokeOwnLoginById(ports, input.AccessToken, input.LoginId),
  end_other_logins: (ports, input) => revokeOwnOtherLogins(ports, input.AccessToken),
  list_logins: listLogins,
};

/** Disabled users may log out too, and ending a login twice is not an error. */
async function revokeOwnLogin(
  ports: TokenSignaturePorts & EventPorts & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  accessToken: string,
): Promise<void> {
  const { pool, client, loginId, username } = await verifyAccessToken(ports, accessToken);
  if (loginId === undefined) {
    throw new ProviderError('UnsupportedOperationException', 'Token revocation is not enabled for this client.');
  }
  const login = { id: loginId, clientId: client.id, username };
  await ports.store.write((transaction) => revokeLogin(ports, transaction, pool, login));
}

async function revokeOwnOtherLogins(
  ports: AccessTokenPorts & EventPorts & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  accessToken: string,
): Promise<Awaited<ReturnType<ProviderExtensions['end_other_logins']>>> {
  const access = await requireAccessToken(ports, accessToken);
  const { pool, client, user, loginId } = access;
  const ended = await ports.store.write(async (transaction) => {
    await lockAuthorizedUser(transaction, access);
    const ids = await revokeOtherLogins(transaction, { user, loginId, nowMs: ports.clock.now() });
    if (ids?.length === 0) return ids;
    const details = loginId === undefined ? {} : { details: { kept: loginId } };
    await recordEvent(ports, transaction, { type: 'login.all_ended', pool, clientId: client.id, user, ...details });
    return ids;
  });
  return { Ended: ended ?? [], OwnEnded: ended === undefined };
}

const LOGIN_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function revokeOwnLoginById(
  ports: AccessTokenPorts & EventPorts & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  accessToken: string,
  id: string,
): Promise<Pick<LoginDescription, 'Id'>> {
  const owner = await requireAccessToken(ports, accessToken);
  const loginId = parseSessionId(id) ?? id;
  if (!LOGIN_ID.test(loginId)) throw loginNotFoundError();
  await revokeActiveLogin(ports, owner, loginId);
  return { Id: loginId };
}

async function listLogins(
  ports: AccessTokenPorts & MacPorts & StoreReads<'logins'>,
  { AccessToken, Limit, NextToken }: ListLoginsInput,
): Promise<Awaited<ReturnType<ProviderExtensions['list_logins']>>> {
  const { pool, user } = await requireAccessToken(ports, AccessToken);
  const query = `logins\n${user.username}`;
  const page = { limit: Limit, token: NextToken };
  const nowMs = ports.clock.now();
  const { rows, nextToken } = await readPage(ports, pool, query, page, (limit, cursor) =>
    ports.store.logins.listActive(pool.id, user.username, nowMs, limit, cursor),
  );
  return { Logins: rows.map(toLoginDescription), ...(nextToken === undefined ? {} : { NextToken: nextToken }) };
}

function toLoginDescription(login: LoginRecord): LoginDescription {
  const { id, clientId, createdAtMs, rotatedAtMs, refreshExpiresAtMs, deviceKey, sourceAddress, userAgent, scope } =
    login;
  return {
    Id: id,
    SessionId: toSessionId(id),
    ClientId: clientId,
    StartedAt: createdAtMs / 1000,
    ...(rotatedAtMs === null ? {} : { RefreshedAt: rotatedAtMs / 1000 }),
    ExpiresAt: refreshExpiresAtMs / 1000,
    ...(deviceKey === null ? {} : { DeviceKey: deviceKey }),
    ...(sourceAddress === null ? {} : { SourceAddress: sourceAddress }),
    ...(userAgent === null ? {} : { UserAgent: userAgent }),
    ...(scope === null ? {} : { IsApplication: true }),
  };
}
