import type { ConsoleRouteName } from '@poolgate/contract';
import type { Actor, CallContext } from '@poolgate/provider';
import { recordGatewayEvent } from '../events/record-gateway-event.ts';
import { authenticateAdminKey } from '../guards/admin-key.ts';
import { unauthenticatedError } from '../kernel/gateway-errors.ts';
import { formatIsoTimeFromMs } from '../kernel/times.ts';
import type { HandlerResponse, RouteRequest } from '../runtime/handler.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { ConsoleBrowser } from './console-browser.ts';
import { type ConsoleSession, endConsoleSession, openConsoleSession } from './console-session.ts';

/** The implementation of a route of the console's sign-in. It sets cookies through the browser. */
export type ConsoleHandler<Name extends ConsoleRouteName> = (
  runtime: GatewayRuntime,
  request: RouteRequest<Name> & { readonly browser: ConsoleBrowser },
) => Promise<HandlerResponse<Name>>;

const toActor = (id: string): Actor => ({ kind: 'admin', id });

/** GET /cognito/console/session: the session, if any, and the CSRF token for later requests. */
export const showConsoleSession: ConsoleHandler<'consoleSession'> = async (_runtime, { browser }) => {
  const { session } = browser;
  if (session !== undefined) return { status: 200, body: presentSession(session) };
  browser.close();
  return { status: 200, body: { status: 'success', session: null, csrf_token: browser.ensureLoginToken() } };
};

/** POST /cognito/console/login. An earlier session of the browser ends. */
export const logInToConsole: ConsoleHandler<'consoleLogin'> = async (runtime, { browser, body, call }) => {
  const caller = await authenticateAdminKey(runtime, body.admin_key, call);
  const opened = await openConsoleSession(runtime, caller, call);
  if (opened === undefined) throw unauthenticatedError('no_admin_key');
  if (browser.sessionId !== undefined) await closeSession(runtime, browser.sessionId, call);
  await recordGatewayEvent(runtime, call, { type: 'console.opened', actor: toActor(caller.keyId) });
  browser.open(opened.id, opened.session);
  return { status: 200, body: presentSession(opened.session) };
};

/** POST /cognito/console/logout: ends the session of the cookie, from any network. */
export const logOutOfConsole: ConsoleHandler<'consoleLogout'> = async (runtime, { browser, call }) => {
  const { sessionId } = browser;
  browser.close();
  if (sessionId !== undefined) await closeSession(runtime, sessionId, call);
  return { status: 200, body: { status: 'success', message: 'The console session has ended.', data: {} } };
};

/** Ends an active session and records it. */
async function closeSession(runtime: GatewayRuntime, sessionId: string, call: CallContext): Promise<void> {
  const ended = await endConsoleSession(runtime, sessionId);
  if (ended !== undefined)
    await recordGatewayEvent(runtime, call, { type: 'console.closed', actor: toActor(ended.keyId) });
}

function presentSession({ record, label, scopes, csrfToken }: ConsoleSession) {
  return {
    status: 'success',
    session: {
      admin_key_id: record.keyId,
      label,
      scopes: [...scopes],
      expires_at: formatIsoTimeFromMs(record.expiresAtMs),
      ends_at: formatIsoTimeFromMs(record.endsAtMs),
    },
    csrf_token: csrfToken,
  } as const;
}
