import type { Input, Output } from '@poolgate/provider';
import { mfaView } from '../../factors/mfa-settings.ts';
import type { OperationTable } from '../../operation-table.ts';
import { requireAccessToken } from '../../tokens/access.ts';
import type { AccessTokenPorts } from '../../tokens/token-ports.ts';
import { attributeList, readableAttributes } from '../attributes.ts';

/** The operations of a user who is logged in. */
export const userOperations: OperationTable<'getUser'> = { getUser };

async function getUser(ports: AccessTokenPorts, input: Input<'GetUser'>): Promise<Output<'GetUser'>> {
  const { client, user } = await requireAccessToken(ports, input.AccessToken);
  const attributes = readableAttributes(client, user);
  return { Username: user.username, UserAttributes: attributeList({ sub: user.sub, attributes }), ...mfaView(user) };
}
