import { Buffer } from 'node:buffer';
import type { CallContext } from '@poolgate/provider';
import type { TokensBody } from '../challenges/present-login-step.ts';
import { authenticateUser } from '../guards/authenticate-user.ts';
import type { UserCaller } from '../kernel/caller.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { WebSessionRecord } from '../records/index.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { type FactorProof, mergeProofs } from '../web-sessions/factor-proofs.ts';
import { encryptContent, readTokenEndMs, type SessionContent } from '../web-sessions/session-content.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import type { Browser } from './browser.ts';
import { sessionEndedError } from './browser-guard.ts';
import { continueOAuthSession } from './continue-session.ts';
import { toDigestHex } from './digest-hex.ts';
import { endStoredSession, revokeReplacedLogin } from './end-session.ts';
import { createCsrfToken } from './pre-login.ts';

const ID_BYTES = 32;
const FAMILY_ID_BYTES = 18;

/** A finished login. */
export interface FinishedLogin {
  readonly tokens: TokensBody;
  readonly proofs: readonly FactorProof[];
  readonly staysSignedIn: boolean;
  /** The identity provider that signed the user in; absent for a login at the pool itself. */
  readonly identityProvider?: string;
  /** True if that provider does not report when the user signed in. */
  readonly hasUnknownAuthTime?: boolean;
}

/** Opens a session for a login, replacing the browser's current one. */
export async function openSession(
  runtime: GatewayRuntime,
  browser: Browser,
  login: FinishedLogin,
  call: CallContext,
): Promise<WebSession> {
  const caller = await authenticateUser(runtime, login.tokens.access_token, call);
  const nowMs = runtime.clock.now();
  const { idleSeconds, longestSeconds, staySeconds } = runtime.settings.browserSessions;
  const staysSignedIn = login.staysSignedIn && staySeconds > 0;
  const endsAtMs = nowMs + (staysSignedIn ? staySeconds : longestSeconds) * 1000;
  const expiresAtMs = staysSignedIn ? endsAtMs : Math.min(nowMs + idleSeconds * 1000, endsAtMs);
  const times = { staysSignedIn, createdAtMs: nowMs, seenAtMs: nowMs, endsAtMs, expiresAtMs };
  const familyId = Buffer.from(runtime.random(FAMILY_ID_BYTES)).toString('base64url');
  const made = createSession(runtime, caller, login, { ...times, familyId });
  await runtime.records.webSessions.insert(made.record);
  setBrowserSession(runtime, browser, made);
  const { storedSession: before } = browser;
  if (before !== undefined) {
    await continueOAuthSession(runtime, before, made.session, call);
    await endStoredSession(runtime, before, call);
  }
  return made.session;
}

/**
 * Replaces a session with one that has the tokens of another login of the same user: a new id and CSRF token, and the same end.
 * @throws {GatewayError} invalid_session: another user logged in; unauthenticated: the session has ended in the meantime
 */
export async function renewSession(
  runtime: GatewayRuntime,
  browser: Browser,
  before: WebSession,
  login: Omit<FinishedLogin, 'staysSignedIn'>,
  call: CallContext,
): Promise<WebSession> {
  const caller = await authenticateUser(runtime, login.tokens.access_token, call);
  const fresh = { caller, refreshToken: login.tokens.refresh_token };
  if (caller.sub !== before.caller.sub) {
    await revokeReplacedLogin(runtime, fresh, call);
    throw new GatewayError('invalid_session', 'A different user than the owner of the session logged in.');
  }
  const proofs = mergeProofs(before.content.proofs, login.proofs);
  const made = createSession(runtime, caller, { ...login, proofs }, before.record);
  const { idDigestHex } = before.record;
  if (!(await runtime.records.webSessions.replace(idDigestHex, made.record, runtime.clock.now()))) {
    await revokeReplacedLogin(runtime, fresh, call);
    browser.closeSession();
    throw sessionEndedError();
  }
  runtime.sessionContents.delete(idDigestHex);
  setBrowserSession(runtime, browser, made);
  await continueOAuthSession(runtime, before, made.session, call);
  await revokeReplacedLogin(runtime, { caller: before.caller, refreshToken: before.content.refreshToken }, call);
  return made.session;
}

interface NewSession {
  readonly id: string;
  readonly record: WebSessionRecord;
  readonly session: WebSession;
}

type SessionLifetime = Pick<
  WebSessionRecord,
  'familyId' | 'staysSignedIn' | 'createdAtMs' | 'seenAtMs' | 'endsAtMs' | 'expiresAtMs'
>;

function createSession(
  runtime: GatewayRuntime,
  caller: UserCaller,
  { tokens, proofs, identityProvider, hasUnknownAuthTime }: Omit<FinishedLogin, 'staysSignedIn'>,
  { familyId, staysSignedIn, createdAtMs, seenAtMs, endsAtMs, expiresAtMs }: SessionLifetime,
): NewSession {
  const id = Buffer.from(runtime.random(ID_BYTES)).toString('base64url');
  const idDigestHex = toDigestHex(id);
  const content: SessionContent = {
    accessToken: tokens.access_token,
    idToken: tokens.id_token,
    refreshToken: tokens.refresh_token,
    csrfToken: createCsrfToken(runtime),
    proofs,
    ...(identityProvider !== undefined && { identityProvider }),
    ...(hasUnknownAuthTime && { hasUnknownAuthTime }),
  };
  const record: WebSessionRecord = {
    idDigestHex,
    familyId,
    userPoolId: runtime.userPoolId,
    sub: caller.sub,
    originJti: caller.originJti ?? null,
    contentEncrypted: encryptContent(runtime, idDigestHex, content),
    tokensExpireAtMs: readTokenEndMs(tokens.access_token),
    refreshedAtMs: runtime.clock.now(),
    staysSignedIn,
    createdAtMs,
    seenAtMs,
    endsAtMs,
    expiresAtMs,
  };
  return { id, record, session: { record, content, caller } };
}

function setBrowserSession({ clock }: GatewayRuntime, browser: Browser, { id, session }: NewSession): void {
  const { staysSignedIn, endsAtMs } = session.record;
  browser.setSessionCookie(id, staysSignedIn ? Math.floor((endsAtMs - clock.now()) / 1000) : undefined);
}
