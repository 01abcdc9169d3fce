import type { KeyRingPort } from '../kernel/ports.ts';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';

const PURPOSE = 'confirm-link';

/** The content of a confirmation link: one registration, and the code that was sent with it. */
export interface ConfirmLink {
  /** The client of the registration. */
  readonly clientId: string;
  /** The username of the registration. */
  readonly username: string;
  readonly code: string;
}

type Content = readonly [clientId: string, username: string, code: string];

/** Whether a pool's settings require links instead of codes in sign-up emails (Cognito `CONFIRM_WITH_LINK`). */
function asksForConfirmLinks({ kept }: PoolSettings): boolean {
  return kept?.VerificationMessageTemplate?.DefaultEmailOption === 'CONFIRM_WITH_LINK';
}

/** Whether a pool sends confirmation links. */
export function hasConfirmLinks(settings: PoolSettings): boolean {
  return asksForConfirmLinks(settings) && Boolean(settings.confirmUrl);
}

/** Whether a pool should send confirmation links, but this service has no confirmation page. */
export function lacksConfirmPage(settings: PoolSettings): boolean {
  return asksForConfirmLinks(settings) && !settings.confirmUrl;
}

/**
 * Creates the link to the confirmation page. Its token is in the fragment, which no server sees until the reader presses the button there.
 */
export function createConfirmLink(
  { keyRing }: KeyRingPort,
  { confirmUrl }: Pick<PoolSettings, 'confirmUrl'>,
  { clientId, username, code }: ConfirmLink,
): string {
  const content: Content = [clientId, username, code];
  const encrypted = keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(content)), '');
  // Encoded again, because a key id ends with a character that ends links in some emails.
  return `${confirmUrl}#${Buffer.from(encrypted).toString('base64url')}`;
}

/** Decrypts a token; undefined unless one of this service's keys created it. */
export function decryptConfirmLink({ keyRing }: KeyRingPort, token: string): ConfirmLink | undefined {
  const text = keyRing.decrypt(PURPOSE, Buffer.from(token, 'base64url').toString('utf8'), '');
  if (text === undefined) return undefined;
  const [clientId, username, code] = JSON.parse(Buffer.from(text).toString('utf8')) as Content;
  return { clientId, username, code };
}
