import type { Input, Output } from '@poolgate/provider';
import { mfaView } from '../../factors/mfa-settings.ts';
import type { OperationTable } from '../../operation-table.ts';
import type { PoolRuntime } from '../../runtime.ts';
import { requireAccessToken } from '../../tokens/access.ts';
import { attributeList, readableAttributes } from '../attributes.ts';

/** The operations of a user who is logged in. */
export const userOperations: OperationTable<'getUser'> = { getUser };

async function getUser(context: PoolRuntime, input: Input<'GetUser'>): Promise<Output<'GetUser'>> {
  const { client, user } = await requireAccessToken(context, input.AccessToken);
  const attributes = readableAttributes(client, user);
  return { Username: user.username, UserAttributes: attributeList({ sub: user.sub, attributes }), ...mfaView(user) };
}
