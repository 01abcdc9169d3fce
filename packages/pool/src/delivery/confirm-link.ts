import type { KeyRingPort } from '../kernel/ports.ts';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';

const PURPOSE = 'confirm-link';

/** What a link confirms: one registration, by the code that was sent with it. */
export interface ConfirmLink {
  /** The client that the registration came through. */
  readonly clientId: string;
  /** The user name of the registration. */
  readonly username: string;
  readonly code: string;
}

type Content = readonly [clientId: string, username: string, code: string];

/** Whether the settings of a pool ask for links instead of codes in the mail of a sign-up (Cognito `CONFIRM_WITH_LINK`). */
function asksForConfirmLinks({ kept }: PoolSettings): boolean {
  return kept?.VerificationMessageTemplate?.DefaultEmailOption === 'CONFIRM_WITH_LINK';
}

/** Whether a pool sends such links. */
export function hasConfirmLinks(settings: PoolSettings): boolean {
  return asksForConfirmLinks(settings) && Boolean(settings.confirmUrl);
}

/** Whether a pool should send such links, and this service has no page that they could lead to. */
export function lacksConfirmPage(settings: PoolSettings): boolean {
  return asksForConfirmLinks(settings) && !settings.confirmUrl;
}

/** The link to a page that confirms. Its token is the fragment, which no server sees before the reader presses the button there. */
export function createConfirmLink(
  { keyRing }: KeyRingPort,
  { confirmUrl }: Pick<PoolSettings, 'confirmUrl'>,
  { clientId, username, code }: ConfirmLink,
): string {
  const content: Content = [clientId, username, code];
  const encrypted = keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(content)), '');
  // A second time, since a key id ends with a sign that ends links in some mails.
  return `${confirmUrl}#${Buffer.from(encrypted).toString('base64url')}`;
}

/** What a token stands for; undefined where none of this service's keys made it. */
export function decryptConfirmLink({ keyRing }: KeyRingPort, token: string): ConfirmLink | undefined {
  const text = keyRing.decrypt(PURPOSE, Buffer.from(token, 'base64url').toString('utf8'), '');
  if (text === undefined) return undefined;
  const [clientId, username, code] = JSON.parse(Buffer.from(text).toString('utf8')) as Content;
  return { clientId, username, code };
}
