import { type LoginDescription, ProviderError, type ProviderExtensions } from '@poolgate/provider';
import { recordEvent } from '../../events.ts';
import type { ExtensionTable } from '../../operation-table.ts';
import type { PoolRuntime } from '../../runtime.ts';
import { readPage } from '../../shared/page-tokens.ts';
import type { LoginRecord } from '../../store/records.ts';
import { claimAccess, requireAccessToken, verifyAccessToken } from '../../tokens/access.ts';
import { noSuchLogin, revokeActiveLogin, revokeLogin } from '../../tokens/revoke-login.ts';
import { revokeOtherLogins } from '../logins.ts';
import { loginIdOf, sessionIdOf } from '../session-ids.ts';

type LoginExtension = 'end_login' | 'end_login_by_id' | 'end_other_logins' | 'list_logins';
type Listing = Parameters<ProviderExtensions['list_logins']>[0];

/** What users do with the own logins, beyond the Cognito API. */
export const loginExtensions: ExtensionTable<LoginExtension> = {
  end_login: (context, input) => revokeOwnLogin(context, input.AccessToken),
  end_login_by_id: (context, input) => revokeLoginById(context, input.AccessToken, input.LoginId),
  end_other_logins: (context, input) => revokeOwnOtherLogins(context, input.AccessToken),
  list_logins: listLogins,
};

/** Disabled users may log out too, and nobody minds a login that is ended twice. */
async function revokeOwnLogin(context: PoolRuntime, accessToken: string): Promise<void> {
  const { pool, client, loginId, username } = await verifyAccessToken(context, accessToken);
  if (loginId === undefined) {
    throw new ProviderError('UnsupportedOperationException', 'Token revocation is not enabled for this client.');
  }
  const login = { id: loginId, clientId: client.id, username };
  await context.store.write((transaction) => revokeLogin(context, transaction, pool, login));
}

async function revokeOwnOtherLogins(
  context: PoolRuntime,
  accessToken: string,
): Promise<Awaited<ReturnType<ProviderExtensions['end_other_logins']>>> {
  const access = await requireAccessToken(context, accessToken);
  const { pool, client, user, loginId } = access;
  const ended = await context.store.write(async (transaction) => {
    await claimAccess(transaction, access);
    const ids = await revokeOtherLogins(transaction, { user, loginId, nowMs: context.clock.now() });
    if (ids?.length === 0) return ids;
    const details = loginId === undefined ? {} : { details: { kept: loginId } };
    await recordEvent(context, transaction, { type: 'login.all_ended', pool, clientId: client.id, user, ...details });
    return ids;
  });
  return { Ended: ended ?? [], OwnEnded: ended === undefined };
}

const LOGIN_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function revokeLoginById(
  context: PoolRuntime,
  accessToken: string,
  id: string,
): Promise<Pick<LoginDescription, 'Id'>> {
  const owner = await requireAccessToken(context, accessToken);
  const loginId = loginIdOf(id) ?? id;
  if (!LOGIN_ID.test(loginId)) throw noSuchLogin();
  await revokeActiveLogin(context, owner, loginId);
  return { Id: loginId };
}

async function listLogins(
  context: PoolRuntime,
  { AccessToken, Limit, NextToken }: Listing,
): Promise<Awaited<ReturnType<ProviderExtensions['list_logins']>>> {
  const { pool, user } = await requireAccessToken(context, AccessToken);
  const query = `logins\n${user.username}`;
  const page = { limit: Limit, token: NextToken };
  const nowMs = context.clock.now();
  const { rows, nextToken } = await readPage(context, pool, query, page, (limit, cursor) =>
    context.store.logins.listActive(pool.id, user.username, nowMs, limit, cursor),
  );
  return { Logins: rows.map(loginView), ...(nextToken === undefined ? {} : { NextToken: nextToken }) };
}

function loginView(login: LoginRecord): LoginDescription {
  const { id, clientId, createdAtMs, rotatedAtMs, refreshExpiresAtMs, deviceKey, sourceAddress } = login;
  return {
    Id: id,
    SessionId: sessionIdOf(id),
    ClientId: clientId,
    StartedAt: createdAtMs / 1000,
    ...(rotatedAtMs === null ? {} : { RefreshedAt: rotatedAtMs / 1000 }),
    ExpiresAt: refreshExpiresAtMs / 1000,
    ...(deviceKey === null ? {} : { DeviceKey: deviceKey }),
    ...(sourceAddress === null ? {} : { SourceAddress: sourceAddress }),
  };
}
