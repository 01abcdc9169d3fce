import {
  type Input,
  type Output,
  ProviderError,
  type ProviderExtensions,
  type ProviderOperations,
} from '@poolgate/provider';
import { attributeList, readableAttributes } from '../domain/attributes.ts';
import { mfaFacts } from '../domain/mfa-settings.ts';
import type { PoolRuntime } from '../runtime.ts';
import { openAccessToken, requireAccess } from '../tokens/access.ts';

/** The operations of a user who is logged in. */
export function userOperations(context: PoolRuntime): Pick<ProviderOperations, 'getUser'> {
  return { getUser: (input) => getUser(context, input) };
}

async function getUser(context: PoolRuntime, input: Input<'GetUser'>): Promise<Output<'GetUser'>> {
  const { client, user } = await requireAccess(context, input.AccessToken);
  const attributes = readableAttributes(client, user);
  return { Username: user.username, UserAttributes: attributeList({ sub: user.sub, attributes }), ...mfaFacts(user) };
}

/** What a user can do here beyond the Cognito API. */
export function userExtensions(context: PoolRuntime): Pick<ProviderExtensions, 'end_login'> {
  return { end_login: (input) => endLogin(context, input.AccessToken) };
}

/** Disabled users may log out too, and nobody minds a login that is ended twice. */
async function endLogin(context: PoolRuntime, accessToken: string): Promise<void> {
  const { loginId } = await openAccessToken(context, accessToken);
  if (loginId === undefined) {
    throw new ProviderError('UnsupportedOperationException', 'Token revocation is not enabled for this client.');
  }
  await context.store.write((transaction) => transaction.revokeLogin(loginId, context.clock.now()));
}
