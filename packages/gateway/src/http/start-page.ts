import type { IncomingHttpHeaders } from 'node:http';
import { readCookie, SESSION_COOKIE } from '../web/cookies.ts';

/** The pages of a service, and their prefix. */
export interface ServedPages {
  readonly webPrefix: string;
  /** Whether the page exists under the prefix. */
  has(name: string): boolean;
}

/**
 * Selects the redirect for `/`: the account page for a browser with a session, otherwise the sign-in page. Nothing is looked up, because
 * the account page redirects a browser whose session has ended. Undefined if the page does not exist.
 */
export function selectStartPage({ webPrefix, has }: ServedPages, { cookie }: IncomingHttpHeaders): string | undefined {
  const isSignedIn = readCookie(cookie, SESSION_COOKIE) !== undefined;
  const name = (isSignedIn ? ['account', 'login'] : ['login']).find(has);
  return name === undefined ? undefined : `${webPrefix}/${name}`;
}
