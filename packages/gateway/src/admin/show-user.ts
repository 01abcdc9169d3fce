import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { mapProviderErrors } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { NO_LOCAL_FLAGS, presentUser, type UserBody } from '../users/present-user.ts';
import { type FoundUser, NAMED_USER_ERRORS, requireUser } from './require-user.ts';

/** GET /admin/users/{username}. */
export const showUser: Handler<'adminUserGet'> = async (deps, { params, call }) => {
  const found = await requireUser(deps, params.username, call);
  const user = await presentFoundUser(deps, found, call);
  return { status: 200, body: { status: 'success', message: 'The user.', data: {}, user } };
};

/** A user with its groups and the local data. */
export async function presentFoundUser(deps: GatewayDeps, found: FoundUser, call: CallContext): Promise<UserBody> {
  const [local, groups] = await Promise.all([
    deps.records.localUsers.find(deps.userPoolId, found.sub),
    listGroupNames(deps, found, call),
  ]);
  return { ...presentUser(found.user, local ?? NO_LOCAL_FLAGS), groups };
}

const PAGE = 60;

async function listGroupNames(
  deps: GatewayDeps,
  { identifiers }: FoundUser,
  call: CallContext,
): Promise<readonly string[]> {
  const names: string[] = [];
  let token: string | undefined;
  do {
    const page = await mapProviderErrors(
      deps.provider.operations.adminListGroupsForUser(
        { ...identifiers, Limit: PAGE, ...(token === undefined ? {} : { NextToken: token }) },
        call,
      ),
      NAMED_USER_ERRORS,
    );
    names.push(...(page.Groups ?? []).flatMap(({ GroupName }) => GroupName ?? []));
    token = page.NextToken;
  } while (token !== undefined);
  return names;
}
