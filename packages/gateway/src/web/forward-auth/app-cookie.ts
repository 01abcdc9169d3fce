import { Buffer } from 'node:buffer';
import type { GatewayDeps } from '../../kernel/deps.ts';

/**
 * The cookie that identifies a browser to an application on another host. It is valid for forward authentication there, and for nothing
 * else.
 */
export const APP_COOKIE = '__Host-poolgate-app';
/** The cookie of such a host while the browser visits the sign-in page. */
export const RETURN_COOKIE = '__Host-poolgate-return';

const PURPOSE = 'web-app';

/** Only a holder of `POOLGATE_SECRET` can create one, for one session and one application. */
export function encryptAppCookie({ keyRing }: Pick<GatewayDeps, 'keyRing'>, familyId: string, origin: string): string {
  return keyRing.encrypt(PURPOSE, Buffer.from(familyId, 'utf8'), origin);
}

/** Returns the session family of an application's cookie; undefined if it is invalid or belongs to another application. */
export function decryptAppCookie(
  { keyRing }: Pick<GatewayDeps, 'keyRing'>,
  value: string | undefined,
  origin: string,
): string | undefined {
  const bytes = value === undefined ? undefined : keyRing.decrypt(PURPOSE, value, origin);
  return bytes && Buffer.from(bytes).toString('utf8');
}
