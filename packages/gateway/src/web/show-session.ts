import { isoTimeOfMs } from '../times.ts';
import { provenSession } from './find-session.ts';
import type { Proof } from './proofs.ts';
import { returnTarget } from './return-to.ts';
import type { SessionContent } from './session-content.ts';
import { sessionUser } from './session-user.ts';
import type { WebHandler } from './web-handler.ts';
import type { WebSession } from './web-session.ts';

/** GET /cognito/session: who is signed in, or nobody; and in both cases the CSRF token of what comes next. */
export const showSession: WebHandler<'webSession'> = async (runtime, { browser, query, context }) => {
  const session = await provenSession(runtime, browser.sessionId, context);
  const shared = { status: 'success', return_to: returnTarget(runtime.settings, query.return_to) ?? null } as const;
  if (session === undefined) {
    browser.forgetSession();
    const { csrfToken } = browser.ensurePreLogin();
    const nobody = { user: null, expires_at: null, authenticated_at: null, proofs: [] };
    return { status: 200, body: { ...shared, ...nobody, csrf_token: csrfToken } };
  }
  const { content, record } = session;
  return {
    status: 200,
    body: {
      ...shared,
      user: sessionUser(session),
      csrf_token: content.csrfToken,
      expires_at: isoTimeOfMs(record.expiresAtMs),
      ...whatWasProven(session),
    },
  };
};

interface Proven {
  readonly authenticated_at: string;
  readonly proofs: { factor: Proof['factor']; at: string }[];
}

function whatWasProven({ content, caller }: WebSession): Proven {
  const known = proven.get(content);
  if (known !== undefined) return known;
  const shown = {
    authenticated_at: isoTimeOfMs(caller.authTimeSeconds * 1000),
    proofs: content.proofs.map(({ factor, atMs }) => ({ factor, at: isoTimeOfMs(atMs) })),
  };
  proven.set(content, shown);
  return shown;
}

// The tokens and proofs of one content always say the same.
const proven = new WeakMap<SessionContent, Proven>();
