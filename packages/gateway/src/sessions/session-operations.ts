/** Listing and ending the sessions of a user, for the families that do either. */
import type { CallContext, Output } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError, invalidFieldError, mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import { formatIsoTime } from '../kernel/times.ts';

type Session = NonNullable<Output<'ListUserSessions'>['Sessions']>[number];

/** A page of sessions in the route's form. */
export interface SessionPage {
  readonly sessions: readonly ReturnType<typeof presentSession>[];
  readonly next_cursor: string | null;
}

/** In Cognito, a user has at most 100 sessions, which fit in one page. */
const MAX_PAGES = 5;

/** The sessions of a user at a provider with only Cognito's operations: all of them are read and returned page by page. */
export async function readSessionPage(
  { provider }: Pick<GatewayDeps, 'provider'>,
  AccessToken: string,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
  call: CallContext,
): Promise<SessionPage> {
  const after = cursor === undefined ? START : parseCursor(cursor);
  const sessions = await listAllSessions({ provider }, AccessToken, call);
  const left = sessions.toSorted(compareByAge).filter((session) => isAfter(toSessionPosition(session), after));
  const shown = left.slice(0, limit);
  const last = shown.at(-1);
  const isMore = last !== undefined && left.length > limit;
  return { sessions: shown.map(presentSession), next_cursor: isMore ? formatCursor(toSessionPosition(last)) : null };
}

/**
 * Every session of a user from the provider's operation.
 * @throws {GatewayError} `feature_disabled`: the pool does not track them
 */
export async function listAllSessions(
  { provider }: Pick<GatewayDeps, 'provider'>,
  AccessToken: string,
  call: CallContext,
): Promise<readonly Session[]> {
  const sessions: Session[] = [];
  let NextToken: string | undefined;
  for (let page = 0; page === 0 || (NextToken !== undefined && page < MAX_PAGES); page += 1) {
    const input = { AccessToken, ...(NextToken === undefined ? {} : { NextToken }) };
    // With a valid token and no page token, only the pool's settings can be wrong.
    const answer: Output<'ListUserSessions'> = await mapProviderErrors(
      provider.operations.listUserSessions(input, call),
      {
        ...TOKEN_ERRORS,
        InvalidParameterException: 'feature_disabled',
      },
    );
    sessions.push(...(answer.Sessions ?? []));
    NextToken = answer.NextToken;
  }
  return sessions;
}

/** The position of a session in the list: newest first, then by id. */
interface SessionPosition {
  readonly createdAt: number;
  readonly id: string;
}

const START: SessionPosition = { createdAt: Number.POSITIVE_INFINITY, id: '' };

function toSessionPosition({ CreateDate = 0, SessionId = '' }: Session): SessionPosition {
  return { createdAt: CreateDate, id: SessionId };
}

const compareByAge = (one: Session, other: Session) =>
  isAfter(toSessionPosition(one), toSessionPosition(other)) ? 1 : -1;

function isAfter(one: SessionPosition, other: SessionPosition): boolean {
  return one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id > other.id);
}

function formatCursor({ createdAt, id }: SessionPosition): string {
  return `${createdAt}:${id}`;
}

function parseCursor(cursor: string): SessionPosition {
  const { createdAt, id } = /^(?<createdAt>\d{1,12}(?:\.\d{1,6})?):(?<id>[a-z0-9]{1,64})$/.exec(cursor)?.groups ?? {};
  if (createdAt === undefined || id === undefined)
    throw invalidFieldError('cursor', 'refused', 'is not a cursor of this list');
  return { createdAt: Number(createdAt), id };
}

function presentSession(session: Session) {
  const { SessionId = '', CreateDate = 0, LastActiveDate = CreateDate } = session;
  return {
    id: SessionId,
    session_id: SessionId,
    client_id: session.ClientId ?? '',
    current: session.IsCurrentSession ?? false,
    started_at: formatIsoTime(CreateDate),
    refreshed_at: LastActiveDate === CreateDate ? null : formatIsoTime(LastActiveDate),
    expires_at: null,
    device_key: null,
    source_address: session.LastIPAddress ?? null,
    kind: 'session',
    browser: null,
    system: null,
  } as const;
}

/**
 * Ends one session of a user at such a provider. The caller's own session cannot be ended this way.
 * @throws {GatewayError} `session_not_found`, `invalid_parameter`: the caller's own session
 */
export async function revokeUserSession(
  { provider }: Pick<GatewayDeps, 'provider'>,
  AccessToken: string,
  SessionId: string,
  call: CallContext,
): Promise<void> {
  if (!SESSION_ID.test(SessionId)) throw new GatewayError('session_not_found');
  await mapProviderErrors(provider.operations.revokeUserSession({ AccessToken, SessionId }, call), {
    ...TOKEN_ERRORS,
    ResourceNotFoundException: 'session_not_found',
    InvalidParameterException: 'invalid_parameter',
  });
}

const SESSION_ID = /^(?:tkn|sso)[0-9a-z]{25}$/;
