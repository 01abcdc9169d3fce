import { type Input, type Output, ProviderError, type ProviderOperations } from '@poolgate/provider';
import { readPage } from '../domain/page-tokens.ts';
import { poolOf } from '../domain/pools.ts';
import { loginIdOf, sessionIdOf } from '../domain/session-ids.ts';
import { requireUser } from '../domain/users.ts';
import { duringCall, type PoolRuntime } from '../runtime.ts';
import type { LoginRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { requireAccess } from '../tokens/access.ts';
import { endLoginOf, noSuchLogin } from '../tokens/ending.ts';
import { requireTracking } from './session-settings.ts';

type SessionOperation = 'adminListUserSessions' | 'adminRevokeUserSession' | 'listUserSessions' | 'revokeUserSession';
type Sessions = Output<'ListUserSessions'>;

/** Cognito gives all sessions of a user in one page of up to so many. */
const PAGE = { name: 'limit', most: 125 } as const;

/** The operations on the logins of a user one by one. Administrators were checked at the door. */
export function sessionOperations(runtime: PoolRuntime): Pick<ProviderOperations, SessionOperation> {
  return {
    adminListUserSessions: (input) => listOf(runtime, input),
    adminRevokeUserSession: (input, call) => revokeOf(duringCall(runtime, call), input),
    listUserSessions: (input) => listOwn(runtime, input),
    revokeUserSession: (input, call) => revokeOwn(duringCall(runtime, call), input),
  };
}

/** Whose sessions are asked for, and by which of them. */
interface Owner {
  readonly pool: PoolRecord;
  readonly user: UserRecord;
  readonly loginId?: string | undefined;
}

async function listOwn(context: PoolRuntime, input: Input<'ListUserSessions'>): Promise<Sessions> {
  return list(context, await ownOwner(context, input.AccessToken), input.NextToken);
}

async function listOf(context: PoolRuntime, input: Input<'AdminListUserSessions'>): Promise<Sessions> {
  return list(context, await namedOwner(context, input), input.NextToken);
}

async function ownOwner(context: PoolRuntime, accessToken: string): Promise<Owner> {
  const owner = await requireAccess(context, accessToken);
  requireTracking(owner.pool);
  return owner;
}

async function namedOwner(
  context: PoolRuntime,
  { UserPoolId, Username }: Pick<Input<'AdminListUserSessions'>, 'UserPoolId' | 'Username'>,
): Promise<Owner> {
  const pool = await poolOf(context, UserPoolId);
  const { user } = await requireUser(context, pool, Username);
  requireTracking(pool);
  return { pool, user };
}

async function list(
  context: PoolRuntime,
  { pool, user, loginId }: Owner,
  token: string | undefined,
): Promise<Sessions> {
  const nowMs = context.clock.now();
  const read = (limit: number, cursor: string | undefined) =>
    context.store.livingLogins(pool.id, user.username, nowMs, limit, cursor);
  const page = { limit: undefined, token };
  const { rows, nextToken } = await readPage(context, pool, `sessions\n${user.username}`, page, read, PAGE);
  const Sessions = rows.map((login) => ({ ...sessionView(login), IsCurrentSession: login.id === loginId }));
  return { Sessions, ...(nextToken === undefined ? {} : { NextToken: nextToken }) };
}

/** What is not kept here (the device as its browser names itself, the place) is said to be unknown, or left out. */
function sessionView({ id, clientId, createdAtMs, rotatedAtMs, sourceAddress }: LoginRecord) {
  return {
    SessionId: sessionIdOf(id),
    SessionType: 'TOKEN',
    ClientId: clientId,
    CreateDate: createdAtMs / 1_000,
    LastActiveDate: (rotatedAtMs ?? createdAtMs) / 1_000,
    DeviceType: 'unknown',
    ...(sourceAddress === null ? {} : { LastIPAddress: sourceAddress }),
  } as const;
}

async function revokeOwn(
  context: PoolRuntime,
  { AccessToken, SessionId }: Input<'RevokeUserSession'>,
): Promise<Output<'RevokeUserSession'>> {
  const owner = await ownOwner(context, AccessToken);
  const loginId = loginIdOf(SessionId);
  if (loginId !== undefined && loginId === owner.loginId) {
    throw new ProviderError('InvalidParameterException', 'The current session cannot be revoked.');
  }
  return revoke(context, owner, loginId);
}

async function revokeOf(
  context: PoolRuntime,
  input: Input<'AdminRevokeUserSession'>,
): Promise<Output<'AdminRevokeUserSession'>> {
  return revoke(context, await namedOwner(context, input), loginIdOf(input.SessionId));
}

/** `RevokeAssociatedSessions` has nothing to go on to: no session here came through another one. */
async function revoke(context: PoolRuntime, owner: Owner, loginId: string | undefined): Promise<Record<never, never>> {
  if (loginId === undefined) throw noSuchLogin();
  await endLoginOf(context, owner, loginId);
  return {};
}
