import type { Input, Output, ProviderOperations } from '@poolgate/provider';
import { attributeList, readableAttributes } from '../domain/attributes.ts';
import { mfaFacts } from '../domain/mfa-settings.ts';
import type { PoolRuntime } from '../runtime.ts';
import { requireAccess } from '../tokens/access.ts';

/** The operations of a user who is logged in. */
export function userOperations(context: PoolRuntime): Pick<ProviderOperations, 'getUser'> {
  return { getUser: (input) => getUser(context, input) };
}

async function getUser(context: PoolRuntime, input: Input<'GetUser'>): Promise<Output<'GetUser'>> {
  const { client, user } = await requireAccess(context, input.AccessToken);
  const attributes = readableAttributes(client, user);
  return { Username: user.username, UserAttributes: attributeList({ sub: user.sub, attributes }), ...mfaFacts(user) };
}
