import type { Input, Output } from '@poolgate/provider';
import { filterReadableAttributes, toAttributeList } from '../identity/attributes.ts';
import { toCognitoMfaFields } from '../settings/second-factors.ts';
import { requireAccessToken } from '../tokens/access-tokens.ts';
import type { AccessTokenPorts } from '../tokens/token-ports.ts';
import type { OperationTable } from './operation-table.ts';

/** Operations of a signed-in user. */
export const getUserOperations: OperationTable<'getUser'> = { getUser };

async function getUser(ports: AccessTokenPorts, input: Input<'GetUser'>): Promise<Output<'GetUser'>> {
  const { client, user } = await requireAccessToken(ports, input.AccessToken);
  const attributes = filterReadableAttributes(client, user);
  return {
    Username: user.username,
    UserAttributes: toAttributeList({ sub: user.sub, attributes }),
    ...toCognitoMfaFields(user),
  };
}
