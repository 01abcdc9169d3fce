import { Buffer } from 'node:buffer';
import type { CallContext } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { readUnverifiedClaims } from '../kernel/token-claims.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { refreshTokens } from '../tokens/refresh-tokens.ts';
import {
  decryptContent,
  encryptContent,
  readTokenEndMs,
  type SessionContent,
} from '../web-sessions/session-content.ts';
import type { StoredSession } from '../web-sessions/web-session.ts';
import { removeSession } from './remove-session.ts';

/** Tokens are refreshed this long before they expire. In the meantime, the old ones serve all other requests. */
const EARLY_MS = 60_000;
/** Younger tokens are not refreshed on request, because another tab has just done so. */
const YOUNG_MS = 10_000;
/** Longer than any refresh takes. A process that crashed delays the others no longer than this. */
const LEASE_MS = 20_000;
const LEASE_ID_BYTES = 16;
const LOOK_EVERY_MS = 25;
/** How often to check whether another request has refreshed, before the browser must try again: five seconds in total. */
const MOST_LOOKS = 200;

/**
 * Returns a session with tokens that are valid for a while. Of any number of requests on any number of replicas, only the one that acquires
 * the lease of the session's row refreshes. If the refresh is refused, the session has ended.
 *
 * @param isAsked true to refresh on request, so that changed claims become visible
 * @throws {GatewayError} unavailable, timeout, provider_error: no valid tokens are available
 */
export async function refreshTokensIfDue(
  runtime: GatewayRuntime,
  session: StoredSession,
  call: CallContext,
  isAsked = false,
): Promise<StoredSession | undefined> {
  if (!isRefreshDue(runtime, session, isAsked)) return session;
  const { idDigestHex } = session.record;
  const underWay = runtime.sessionRefreshes.get(idDigestHex);
  if (underWay !== undefined) return underWay;
  const refresh = refreshOrAwaitOther(runtime, session, call).finally(() =>
    runtime.sessionRefreshes.delete(idDigestHex),
  );
  runtime.sessionRefreshes.set(idDigestHex, refresh);
  return refresh;
}

/** Whether a session's tokens must be refreshed now. */
export function isRefreshDue({ clock }: GatewayRuntime, { record }: StoredSession, isAsked = false): boolean {
  const nowMs = clock.now();
  if (isAsked && Math.abs(nowMs - record.refreshedAtMs) >= YOUNG_MS) return true;
  return record.tokensExpireAtMs - nowMs <= EARLY_MS && record.refreshedAtMs < nowMs;
}

async function refreshOrAwaitOther(
  runtime: GatewayRuntime,
  session: StoredSession,
  call: CallContext,
): Promise<StoredSession | undefined> {
  const { records, clock, random } = runtime;
  const { idDigestHex, refreshedAtMs, tokensExpireAtMs } = session.record;
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const nowMs = clock.now();
    const lease = { id: Buffer.from(random(LEASE_ID_BYTES)).toString('hex'), untilMs: nowMs + LEASE_MS };
    if (await records.webSessions.lease(idDigestHex, refreshedAtMs, lease, nowMs)) {
      return refreshWithLease(runtime, session, lease.id, call);
    }
    const found = await rereadSession(runtime, idDigestHex);
    if (found === undefined || found.record.refreshedAtMs !== refreshedAtMs) return found;
    // Another request refreshes them, and the old tokens are still valid.
    if (tokensExpireAtMs > nowMs) return found;
    await new Promise<void>((resolve) => runtime.timer.after(LOOK_EVERY_MS, resolve));
  }
  throw new GatewayError('unavailable', undefined, { retryAfterSeconds: 1 });
}

async function rereadSession(runtime: GatewayRuntime, idDigestHex: string): Promise<StoredSession | undefined> {
  const record = await runtime.records.webSessions.find(idDigestHex, runtime.clock.now());
  if (record === undefined) return undefined;
  const content = decryptContent(runtime, idDigestHex, record.contentEncrypted);
  return content && { record, content };
}

async function refreshWithLease(
  runtime: GatewayRuntime,
  session: StoredSession,
  leaseId: string,
  call: CallContext,
): Promise<StoredSession | undefined> {
  const { records, clock } = runtime;
  const { record } = session;
  const { idDigestHex } = record;
  let content: SessionContent;
  try {
    content = await requestTokens(runtime, session.content, call);
  } catch (error) {
    return handleRefreshFailure(runtime, session, leaseId, error);
  }
  const written = {
    contentEncrypted: encryptContent(runtime, idDigestHex, content),
    tokensExpireAtMs: readTokenEndMs(content.accessToken),
    // Always a new value, whatever the clock does, because it distinguishes this refresh from the previous one.
    refreshedAtMs: Math.max(clock.now(), record.refreshedAtMs + 1),
  };
  const isWritten = await records.webSessions.renew(idDigestHex, leaseId, written);
  return isWritten ? { record: { ...record, ...written }, content } : undefined;
}

/** @throws the error of the refresh, if no valid tokens are available */
async function handleRefreshFailure(
  runtime: GatewayRuntime,
  session: StoredSession,
  leaseId: string,
  error: unknown,
): Promise<StoredSession | undefined> {
  const { records, clock } = runtime;
  const { idDigestHex, tokensExpireAtMs } = session.record;
  if (error instanceof GatewayError && error.code === 'invalid_grant') {
    await removeSession(runtime, idDigestHex);
    return undefined;
  }
  await records.webSessions.release(idDigestHex, leaseId);
  // Tokens that are still valid bridge a short outage of the provider.
  if (tokensExpireAtMs > clock.now()) return session;
  throw error;
}

async function requestTokens(
  runtime: GatewayRuntime,
  content: SessionContent,
  call: CallContext,
): Promise<SessionContent> {
  const device = readUnverifiedClaims(content.accessToken)?.device_key;
  const { body } = await refreshTokens(runtime, {
    params: undefined,
    query: undefined,
    body: { refresh_token: content.refreshToken, ...(typeof device === 'string' ? { device_key: device } : {}) },
    caller: { kind: 'public' },
    call,
    acceptLanguage: undefined,
  });
  return { ...content, accessToken: body.access_token, idToken: body.id_token, refreshToken: body.refresh_token };
}
