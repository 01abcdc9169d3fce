/**
 * Browser sessions use the same handlers, with a cookie instead of tokens, and a CSRF token for changes. One statement reads a session with
 * its revocations (docs/decisions/0062-browser-session-reads.md). When several requests find an expired token, only the one that acquires
 * the lease refreshes it.
 */
import { type CallContext, revocationSubjects } from '@poolgate/provider';
import { authenticateUser } from '../guards/authenticate-user.ts';
import type { UserCaller } from '../kernel/caller.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { ActiveRevocations } from '../kernel/revocations.ts';
import type { WebSessionRecord, WebSessionState } from '../records/index.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { type CachedSessionContent, decryptContent, type SessionContent } from '../web-sessions/session-content.ts';
import type { StoredSession, WebSession } from '../web-sessions/web-session.ts';
import { toDigestHex } from './digest-hex.ts';
import { isRefreshDue, refreshTokensIfDue } from './refresh-session-tokens.ts';
import { removeSession } from './remove-session.ts';

/** 256 bits, base64url. */
const SESSION_ID = /^[\w-]{43}$/;
/** The use of a session is recorded at most this often. */
const SEEN_EVERY_MS = 60_000;

type SessionReadDeps = Pick<GatewayRuntime, 'records' | 'clock' | 'keyRing' | 'userPoolId' | 'sessionContents'>;

/** Finds the stored session of a cookie with one read, without checking its tokens. Another pool's session does not count. */
export async function findStoredSession(
  deps: SessionReadDeps,
  sessionId: string | undefined,
): Promise<SessionWithRevocations | undefined> {
  const [id] = SESSION_ID.exec(sessionId ?? '') ?? [];
  if (id === undefined) return undefined;
  const idDigestHex = toDigestHex(id);
  const known = deps.sessionContents.get(idDigestHex);
  const isOfPool = known?.known.userPoolId === deps.userPoolId;
  return isOfPool ? rereadCachedSession(deps, known) : readStoredSession(deps, idDigestHex);
}

/** A session with its revocations, if they were read with it. */
interface SessionWithRevocations extends StoredSession {
  readonly revocations?: ActiveRevocations;
}

async function readStoredSession(
  deps: SessionReadDeps,
  idDigestHex: string,
): Promise<SessionWithRevocations | undefined> {
  return decryptSession(deps, await deps.records.webSessions.find(idDigestHex, deps.clock.now()));
}

async function rereadCachedSession(
  deps: SessionReadDeps,
  { known, content }: CachedSessionContent,
): Promise<SessionWithRevocations | undefined> {
  const found = await deps.records.webSessions.findKnown(known, deps.clock.now());
  if (found === undefined) {
    // It ended elsewhere or expired, so the cached content is deleted.
    deps.sessionContents.delete(known.idDigestHex);
    return undefined;
  }
  const { state, contentEncrypted, revocations } = found;
  // It was refreshed elsewhere, so its revocations depend on its new tokens.
  if (contentEncrypted !== null) return decryptSession(deps, { ...state, contentEncrypted });
  return { record: state, content, revocations };
}

function decryptSession(deps: SessionReadDeps, record: WebSessionRecord | undefined): StoredSession | undefined {
  if (record === undefined || record.userPoolId !== deps.userPoolId) return undefined;
  const { idDigestHex, refreshedAtMs, contentEncrypted, userPoolId, sub } = record;
  const held = deps.sessionContents.get(idDigestHex);
  if (held?.known.refreshedAtMs === refreshedAtMs) return { record, content: held.content };
  const content = decryptContent(deps, idDigestHex, contentEncrypted);
  if (content === undefined) return undefined;
  const subjects = revocationSubjects({ sub, originJti: record.originJti ?? undefined });
  deps.sessionContents.set(idDigestHex, { known: { idDigestHex, refreshedAtMs, userPoolId, subjects }, content });
  return { record, content };
}

/**
 * Finds the session of a cookie with its user, for every guard and for single sign-on to several applications. It is verified like an
 * access token, so every replica detects a revocation at once. Expiring tokens are refreshed, and a session with invalid tokens is deleted.
 * @throws {GatewayError} unavailable, timeout: the tokens cannot be refreshed now
 */
export async function findWebSession(
  runtime: GatewayRuntime,
  sessionId: string | undefined,
  call: CallContext,
): Promise<WebSession | undefined> {
  return verifySession(runtime, await findStoredSession(runtime, sessionId), call);
}

/** The same for a session that is identified by its family. */
export async function findWebSessionByFamily(
  runtime: GatewayRuntime,
  familyId: string,
  call: CallContext,
): Promise<WebSession | undefined> {
  const record = await runtime.records.webSessions.findByFamily(familyId, runtime.clock.now());
  return verifySession(runtime, decryptSession(runtime, record), call);
}

async function verifySession(
  runtime: GatewayRuntime,
  stored: SessionWithRevocations | undefined,
  call: CallContext,
): Promise<WebSession | undefined> {
  if (stored === undefined) return undefined;
  const isRefreshed = isRefreshDue(runtime, stored);
  const fresh = isRefreshed ? await refreshTokensIfDue(runtime, stored, call) : stored;
  if (fresh === undefined) return undefined;
  // A refresh takes time, and an earlier request may have started it, so revocations are read again.
  const caller = await findCaller(runtime, fresh.content, isRefreshed ? undefined : stored.revocations, call);
  if (caller === undefined) {
    await removeSession(runtime, fresh.record.idDigestHex);
    return undefined;
  }
  const { record, content } = fresh;
  return { record: isLastUseStale(runtime, record) ? await recordLastUse(runtime, record) : record, content, caller };
}

async function findCaller(
  runtime: GatewayRuntime,
  content: SessionContent,
  revocations: ActiveRevocations | undefined,
  call: CallContext,
): Promise<UserCaller | undefined> {
  try {
    return await authenticateUser(runtime, content, call, { revocations });
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'unauthenticated') return undefined;
    throw error;
  }
}

function isLastUseStale({ clock, settings }: GatewayRuntime, { seenAtMs }: WebSessionState): boolean {
  const idleMs = settings.browserSessions.idleSeconds * 1000;
  return clock.now() - seenAtMs >= Math.min(SEEN_EVERY_MS, idleMs / 4);
}

async function recordLastUse(
  { records, clock, settings }: GatewayRuntime,
  record: WebSessionState,
): Promise<WebSessionState> {
  const nowMs = clock.now();
  const idleMs = settings.browserSessions.idleSeconds * 1000;
  const expiresAtMs = record.staysSignedIn ? record.endsAtMs : Math.min(nowMs + idleMs, record.endsAtMs);
  await records.webSessions.touch(record.idDigestHex, nowMs, expiresAtMs);
  return { ...record, seenAtMs: nowMs, expiresAtMs };
}
