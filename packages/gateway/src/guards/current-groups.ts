import type { CallContext } from '@poolgate/provider';
import type { GatewayRuntime } from '../runtime/runtime.ts';

const GROUPS_PER_PAGE = 60;

/** Returns a user's current groups in the pool, whatever the user's tokens contain. */
export async function listCurrentGroups(
  { provider, userPoolId }: Pick<GatewayRuntime, 'provider' | 'userPoolId'>,
  username: string,
  call: CallContext,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let next: string | undefined;
  do {
    const input = { UserPoolId: userPoolId, Username: username, Limit: GROUPS_PER_PAGE };
    const page = await provider.operations.adminListGroupsForUser(
      next === undefined ? input : { ...input, NextToken: next },
      call,
    );
    for (const { GroupName } of page.Groups ?? []) if (GroupName !== undefined) names.add(GroupName);
    next = page.NextToken;
  } while (next !== undefined);
  return names;
}
