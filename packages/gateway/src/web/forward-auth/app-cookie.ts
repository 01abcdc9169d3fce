import { Buffer } from 'node:buffer';
import type { GatewayDeps } from '../../kernel/deps.ts';

/** The cookie by which a browser is known at an application of another host. It opens forward authentication there, and nothing else. */
export const APP_COOKIE = '__Host-poolgate-app';
/** The cookie of such a host while the browser is on its way to the sign-in page and back. */
export const RETURN_COOKIE = '__Host-poolgate-return';

const PURPOSE = 'web-app';

/** Only who has `POOLGATE_SECRET` makes one, for one session and one application. */
export function encryptAppCookie({ keyRing }: Pick<GatewayDeps, 'keyRing'>, familyId: string, origin: string): string {
  return keyRing.encrypt(PURPOSE, Buffer.from(familyId, 'utf8'), origin);
}

/** The family of the session that a cookie of an application belongs to; undefined where it is not ours, or of another application. */
export function decryptAppCookie(
  { keyRing }: Pick<GatewayDeps, 'keyRing'>,
  value: string | undefined,
  origin: string,
): string | undefined {
  const bytes = value === undefined ? undefined : keyRing.decrypt(PURPOSE, value, origin);
  return bytes && Buffer.from(bytes).toString('utf8');
}
