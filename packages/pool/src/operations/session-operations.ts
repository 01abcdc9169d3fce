import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { requireUser } from '../identity/user-records.ts';
import type { ClockPort, EventPorts, MacPorts, StoreReads, StoreWrites } from '../kernel/ports.ts';
import { parseSessionId, toSessionId } from '../sessions/session-ids.ts';
import { readPage } from '../settings/page-tokens.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import { requireSessionTracking } from '../settings/session-tracking.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import type { LoginRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { requireAccessToken } from '../tokens/access-tokens.ts';
import { loginNotFoundError, revokeActiveLogin } from '../tokens/revoke-login.ts';
import type { AccessTokenPorts } from '../tokens/token-ports.ts';
import type { OperationTable } from './operation-table.ts';

type SessionOperation = 'adminListUserSessions' | 'adminRevokeUserSession' | 'listUserSessions' | 'revokeUserSession';
type Sessions = Output<'ListUserSessions'>;

/** Cognito returns all sessions of a user in one page of at most this size. */
const PAGE = { name: 'limit', most: 125 } as const;

/** Operations on individual logins of a user. Administrators were already authorized. */
export const sessionOperations: OperationTable<SessionOperation> = {
  adminListUserSessions: listSessionsOfUser,
  adminRevokeUserSession: revokeSessionOfUser,
  listUserSessions: listOwnSessions,
  revokeUserSession: revokeOwnSession,
};

/** The user whose sessions are requested, and the requester's own login. */
interface SessionsOwner {
  readonly pool: PoolRecord;
  readonly user: UserRecord;
  readonly loginId?: string | undefined;
}

async function listOwnSessions(
  ports: AccessTokenPorts & MacPorts & StoreReads<'logins'>,
  input: Input<'ListUserSessions'>,
): Promise<Sessions> {
  return listSessionPage(ports, await requireOwnSessionsOwner(ports, input.AccessToken), input.NextToken);
}

async function listSessionsOfUser(
  ports: MacPorts & ClockPort & SettingsCachePort & StoreReads<'logins' | 'pools' | 'users'>,
  input: Input<'AdminListUserSessions'>,
): Promise<Sessions> {
  return listSessionPage(ports, await requireUserSessionsOwner(ports, input), input.NextToken);
}

async function requireOwnSessionsOwner(ports: AccessTokenPorts, accessToken: string): Promise<SessionsOwner> {
  const owner = await requireAccessToken(ports, accessToken);
  requireSessionTracking(owner.pool);
  return owner;
}

async function requireUserSessionsOwner(
  ports: SettingsCachePort & StoreReads<'pools' | 'users'>,
  { UserPoolId, Username }: Pick<Input<'AdminListUserSessions'>, 'UserPoolId' | 'Username'>,
): Promise<SessionsOwner> {
  const pool = await requirePool(ports, UserPoolId);
  const { user } = await requireUser(ports, pool, Username);
  requireSessionTracking(pool);
  return { pool, user };
}

async function listSessionPage(
  ports: MacPorts & ClockPort & StoreReads<'logins'>,
  { pool, user, loginId }: SessionsOwner,
  token: string | undefined,
): Promise<Sessions> {
  const nowMs = ports.clock.now();
  const read = (limit: number, cursor: string | undefined) =>
    ports.store.logins.listActive(pool.id, user.username, nowMs, limit, cursor);
  const page = { limit: undefined, token };
  const { rows, nextToken } = await readPage(ports, pool, `sessions\n${user.username}`, page, read, PAGE);
  const Sessions = rows.map((login) => ({ ...toSessionDescription(login), IsCurrentSession: login.id === loginId }));
  return { Sessions, ...(nextToken === undefined ? {} : { NextToken: nextToken }) };
}

/** What is not stored here (the browser's name for the device, the location) is unknown or omitted. */
function toSessionDescription({ id, clientId, createdAtMs, rotatedAtMs, sourceAddress }: LoginRecord) {
  return {
    SessionId: toSessionId(id),
    SessionType: 'TOKEN',
    ClientId: clientId,
    CreateDate: createdAtMs / 1_000,
    LastActiveDate: (rotatedAtMs ?? createdAtMs) / 1_000,
    DeviceType: 'unknown',
    ...(sourceAddress === null ? {} : { LastIPAddress: sourceAddress }),
  } as const;
}

async function revokeOwnSession(
  ports: AccessTokenPorts & EventPorts & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  { AccessToken, SessionId }: Input<'RevokeUserSession'>,
): Promise<Output<'RevokeUserSession'>> {
  const owner = await requireOwnSessionsOwner(ports, AccessToken);
  const loginId = requireLoginId(SessionId);
  if (loginId === owner.loginId) {
    throw new ProviderError('InvalidParameterException', 'The current session cannot be revoked.');
  }
  return revokeOneSession(ports, owner, loginId);
}

async function revokeSessionOfUser(
  ports: EventPorts &
    SettingsCachePort &
    StoreReads<'pools' | 'users'> &
    StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  input: Input<'AdminRevokeUserSession'>,
): Promise<Output<'AdminRevokeUserSession'>> {
  const owner = await requireUserSessionsOwner(ports, input);
  return revokeOneSession(ports, owner, requireLoginId(input.SessionId));
}

function requireLoginId(sessionId: string): string {
  const loginId = parseSessionId(sessionId);
  if (loginId === undefined) throw loginNotFoundError();
  return loginId;
}

/** `RevokeAssociatedSessions` has no effect, because no session here came from another one. */
async function revokeOneSession(
  ports: EventPorts & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  owner: SessionsOwner,
  loginId: string,
): Promise<Record<never, never>> {
  await revokeActiveLogin(ports, owner, loginId);
  return {};
}
