import { ProviderError } from '@poolgate/provider';
import type { PoolRuntime } from '../runtime.ts';
import { canonicalName } from './names.ts';
import type { PoolAndClient } from './pools.ts';
import { registeredUntilMs } from './registrations.ts';

const PURPOSE = 'registration-session';

/** Which registration somebody made, as a session says it. */
export interface OwnRegistration {
  /** Its user name. */
  readonly username: string;
  /** The canonical name that was signed up with. */
  readonly name: string;
}

type Content = readonly [username: string, name: string, expiresAtMs: number];

/** The session that only whoever registered has (`Session` of Cognito's `SignUp`). It is good through this client. */
export function sealRegistration(
  context: PoolRuntime,
  owner: PoolAndClient,
  username: string,
  typedName: string,
): string {
  const content: Content = [username, canonicalName(owner.pool.settings, typedName), registeredUntilMs(context)];
  return context.keyRing.seal(PURPOSE, Buffer.from(JSON.stringify(content)), boundTo(owner));
}

/**
 * The registration that a session stands for.
 * @param typedName the name that was signed up with, or the user name that came of it
 * @throws {ProviderError} `NotAuthorizedException`: no session, one of another name, pool or client, or too old a one
 */
export function openRegistration(
  context: PoolRuntime,
  owner: PoolAndClient,
  typedName: string,
  sealed: string,
): OwnRegistration {
  const opened = context.keyRing.open(PURPOSE, sealed, boundTo(owner));
  if (opened === undefined) throw foreignRegistration();
  const [username, name, expiresAtMs] = JSON.parse(Buffer.from(opened).toString()) as Content;
  const typed = canonicalName(owner.pool.settings, typedName);
  if (context.clock.now() >= expiresAtMs || (typed !== name && typed !== username)) throw foreignRegistration();
  return { username, name };
}

function boundTo({ pool, client }: PoolAndClient): string {
  return `${pool.id}/${client.id}`;
}

function foreignRegistration(): ProviderError {
  return new ProviderError('NotAuthorizedException', 'Invalid session for the user.', { reason: 'invalid_session' });
}
