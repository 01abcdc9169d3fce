import { sessionUser } from '../session-user.ts';
import type { WebSession } from '../web-session.ts';

/**
 * The headers that tell an application who is signed in. All of them are always there: a proxy that copies them overwrites what a client
 * sends under their names. Percent-encoded UTF-8, groups with commas between them.
 */
export function userHeaders(session: WebSession | undefined): Readonly<Record<string, string>> {
  const user = session && sessionUser(session);
  return {
    'x-poolgate-sub': encodeURIComponent(user?.sub ?? ''),
    'x-poolgate-username': encodeURIComponent(user?.username ?? ''),
    'x-poolgate-email': encodeURIComponent(user?.email ?? ''),
    'x-poolgate-groups': (user?.groups ?? []).map(encodeURIComponent).join(','),
  };
}
