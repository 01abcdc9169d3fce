import { ProviderError } from '@poolgate/provider';
import type { PoolAndClient } from '../pools/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import { canonicalName } from '../users/sign-in-names.ts';
import { registrationExpiryMs } from './registrations.ts';

const PURPOSE = 'registration-session';

/** Which registration somebody made, as a session says it. */
export interface SignedUpRegistration {
  /** Its user name. */
  readonly username: string;
  /** The canonical name that was signed up with. */
  readonly name: string;
}

type Content = readonly [username: string, name: string, expiresAtMs: number];

/** The session that only whoever registered has (`Session` of Cognito's `SignUp`). It is good through this client. */
export function encryptRegistration(
  context: PoolRuntime,
  owner: PoolAndClient,
  username: string,
  typedName: string,
): string {
  const content: Content = [username, canonicalName(owner.pool.settings, typedName), registrationExpiryMs(context)];
  return context.keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(content)), registrationAssociatedData(owner));
}

/**
 * The registration that a session stands for.
 * @param typedName the name that was signed up with, or the user name that came of it
 * @throws {ProviderError} `NotAuthorizedException`: no session, one of another name, pool or client, or too old a one
 */
export function decryptRegistration(
  context: PoolRuntime,
  owner: PoolAndClient,
  typedName: string,
  encrypted: string,
): SignedUpRegistration {
  const opened = context.keyRing.decrypt(PURPOSE, encrypted, registrationAssociatedData(owner));
  if (opened === undefined) throw invalidRegistration();
  const [username, name, expiresAtMs] = JSON.parse(Buffer.from(opened).toString()) as Content;
  const typed = canonicalName(owner.pool.settings, typedName);
  if (context.clock.now() >= expiresAtMs || (typed !== name && typed !== username)) throw invalidRegistration();
  return { username, name };
}

function registrationAssociatedData({ pool, client }: PoolAndClient): string {
  return `${pool.id}/${client.id}`;
}

function invalidRegistration(): ProviderError {
  return new ProviderError('NotAuthorizedException', 'Invalid session for the user.', { reason: 'invalid_session' });
}
