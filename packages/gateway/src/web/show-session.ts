import { formatIsoTimeFromMs } from '../kernel/times.ts';
import type { HandlerResponse } from '../runtime/handler.ts';
import type { SessionContent } from '../web-sessions/session-content.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import { findWebSession } from './find-session.ts';
import { parseReturnTarget } from './return-to.ts';
import { presentSessionUser } from './session-user.ts';
import type { WebHandler } from './web-handler.ts';

/** GET /cognito/session: the signed-in user, if any, and the CSRF token for later requests. */
export const showSession: WebHandler<'webSession'> = async (runtime, { browser, query, call }) => {
  const session = await findWebSession(runtime, browser.sessionId, call);
  const returnTo = parseReturnTarget(runtime.settings, query.return_to);
  if (session === undefined) {
    browser.clearSessionCookie();
    const { csrfToken } = browser.ensurePreLogin();
    const nobody = { user: null, expires_at: null, authenticated_at: null, proofs: [] };
    return { status: 200, body: { ...SHARED, ...nobody, csrf_token: csrfToken, return_to: returnTo ?? null } };
  }
  const body = toSessionBody(session);
  return { status: 200, body: returnTo === undefined ? body : { ...body, return_to: returnTo } };
};

const SHARED = { status: 'success', return_to: null } as const;

type Body = HandlerResponse<'webSession'>['body'];

/** The same object while its content is the same, so that it is serialized once. */
function toSessionBody(session: WebSession): Body {
  const { content, record, caller } = session;
  const known = shown.get(content);
  if (known?.expiresAtMs === record.expiresAtMs) return known.body;
  const body: Body = {
    ...SHARED,
    user: presentSessionUser(session),
    csrf_token: content.csrfToken,
    expires_at: formatIsoTimeFromMs(record.expiresAtMs),
    authenticated_at: formatIsoTimeFromMs(caller.authTimeSeconds * 1000),
    proofs: content.proofs.map(({ factor, atMs }) => ({ factor, at: formatIsoTimeFromMs(atMs) })),
  };
  shown.set(content, { expiresAtMs: record.expiresAtMs, body });
  return body;
}

// The tokens and proofs of a content never change, but using a session moves its expiry.
const shown = new WeakMap<SessionContent, { readonly expiresAtMs: number; readonly body: Body }>();
