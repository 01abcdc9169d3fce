import type { ROUTES, Static } from '@poolgate/contract';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { NO_LOCAL_FLAGS, presentUser, requireSub } from '../users/present-user.ts';
import type { ListedUser } from './user-search.ts';

type ListedBody = Static<(typeof ROUTES)['adminUserList']['responses'][200]['schema']>['users'][number];

/** Presents users of a list with the local data about each. */
export async function presentUserList(
  { records, userPoolId }: GatewayDeps,
  users: readonly ListedUser[],
): Promise<readonly ListedBody[]> {
  return Promise.all(
    users.map(async ({ Username, Attributes, ...rest }) => {
      if (Username === undefined) throw new GatewayError('provider_error');
      const user = { ...rest, Username, UserAttributes: Attributes };
      const local = await records.localUsers.find(userPoolId, requireSub(user));
      // A list contains no second factors, and an empty list would look like none exist.
      const { mfa: _untold, ...shown } = presentUser(user, local ?? NO_LOCAL_FLAGS);
      return shown;
    }),
  );
}
