import { sessionUser } from '../session-user.ts';
import type { WebSession } from '../web-session.ts';

/**
 * The headers that tell an application who is signed in. All of them are always there: a proxy that copies them overwrites what a client
 * sends under their names. Percent-encoded UTF-8, groups with commas between them.
 */
export function userHeaders(session: WebSession | undefined): Readonly<Record<string, string>> {
  const user = session && sessionUser(session);
  if (user === undefined) return NOBODY;
  const known = made.get(user);
  if (known !== undefined) return known;
  const headers = headersOf(user);
  made.set(user, headers);
  return headers;
}

type SessionUser = ReturnType<typeof sessionUser>;

// A session's user is the same object as long as its tokens are.
const made = new WeakMap<SessionUser, Readonly<Record<string, string>>>();

function headersOf(user: SessionUser | undefined): Readonly<Record<string, string>> {
  return {
    'x-poolgate-sub': encodeURIComponent(user?.sub ?? ''),
    'x-poolgate-username': encodeURIComponent(user?.username ?? ''),
    'x-poolgate-email': encodeURIComponent(user?.email ?? ''),
    'x-poolgate-groups': (user?.groups ?? []).map(encodeURIComponent).join(','),
  };
}

const NOBODY = headersOf(undefined);
