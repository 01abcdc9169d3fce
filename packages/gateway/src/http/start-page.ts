import type { IncomingHttpHeaders } from 'node:http';
import { readCookie, SESSION_COOKIE } from '../web/cookies.ts';

/** Which pages a service has, and where. */
export interface ServedPages {
  readonly webPrefix: string;
  /** Whether there is a page of this name below the prefix. */
  has(name: string): boolean;
}

/**
 * Where a browser is sent that asks for `/`: to the account where it has a session, else to the sign-in. Nothing is looked up, since the page of
 * the account sends on whose session has ended. Undefined where there is no such page.
 */
export function selectStartPage({ webPrefix, has }: ServedPages, { cookie }: IncomingHttpHeaders): string | undefined {
  const isSignedIn = readCookie(cookie, SESSION_COOKIE) !== undefined;
  const name = (isSignedIn ? ['account', 'login'] : ['login']).find(has);
  return name === undefined ? undefined : `${webPrefix}/${name}`;
}
