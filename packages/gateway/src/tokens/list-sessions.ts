import type { LoginDescription } from '@poolgate/provider';
import { invalidFieldError, mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import { formatIsoTime } from '../kernel/times.ts';
import type { Handler } from '../runtime/handler.ts';
import { readSessionPage } from '../sessions/session-operations.ts';
import { describeBrowser } from './describe-browser.ts';

/** The default size of a page. */
const DEFAULT_LIMIT = 20;

/** GET /user/sessions: a page of the caller's logins. */
export const listSessions: Handler<'sessionList'> = async (deps, { query, caller, call, acceptLanguage }) => {
  const findPlace = (address: string | null) =>
    address === null ? null : (deps.findPlace?.(address, acceptLanguage) ?? null);
  const list = deps.provider.extensions.list_logins;
  const { limit = DEFAULT_LIMIT, cursor } = query;
  const success = { status: 'success', message: 'The sessions.', data: {} } as const;
  if (list === undefined) {
    const page = await readSessionPage(deps, caller.accessToken, { limit: Number(limit), cursor }, call);
    const sessions = page.sessions.map((session) => ({ ...session, place: findPlace(session.source_address) }));
    return { status: 200, body: { ...success, ...page, sessions } };
  }
  const page = await mapProviderErrors(
    list(
      {
        AccessToken: caller.accessToken,
        Limit: Number(limit),
        ...(cursor === undefined ? {} : { NextToken: cursor }),
      },
      call,
    ),
    {
      ...TOKEN_ERRORS,
      InvalidParameterException: (error) =>
        invalidFieldError('cursor', 'refused', 'is not a cursor of this list', error),
    },
  );
  return {
    status: 200,
    body: {
      ...success,
      sessions: page.Logins.map((login) => ({
        ...presentSessionOfLogin(login),
        current: login.Id === caller.originJti,
        place: findPlace(login.SourceAddress ?? null),
      })),
      next_cursor: page.NextToken ?? null,
    },
  };
};

function presentSessionOfLogin(login: LoginDescription) {
  return {
    id: login.Id,
    session_id: login.SessionId,
    client_id: login.ClientId,
    started_at: formatIsoTime(login.StartedAt),
    refreshed_at: formatIsoTime(login.RefreshedAt) ?? null,
    expires_at: formatIsoTime(login.ExpiresAt),
    device_key: login.DeviceKey ?? null,
    source_address: login.SourceAddress ?? null,
    kind: login.IsApplication === true ? 'application' : 'session',
    ...describeBrowser(login.UserAgent),
  } as const;
}
