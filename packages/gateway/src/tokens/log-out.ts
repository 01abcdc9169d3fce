import type { CallContext } from '@poolgate/provider';
import type { UserCaller } from '../kernel/caller.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { mapProviderErrors } from '../kernel/gateway-errors.ts';
import { recordLoginRevocation, recordUserRevocation } from '../kernel/revocations.ts';
import type { Handler } from '../runtime/handler.ts';
import { revokeAllLogins } from '../sessions/other-logins.ts';

/** POST and PUT /logout: revokes this login here immediately, then at the provider. */
export const logOut: Handler<'logout'> = async (deps, { body, caller, call }) => {
  await revokeOwnLogin(deps, caller, call);
  if (body.refresh_token !== undefined) {
    const { revokeToken } = deps.provider.operations;
    await mapProviderErrors(revokeToken({ ClientId: deps.clientId, Token: body.refresh_token }, call), {
      NotAuthorizedException: 'invalid_grant',
      InvalidParameterException: 'invalid_grant',
    });
  }
  return { status: 200, body: { status: 'success', message: 'The session has ended.', data: {} } };
};

async function revokeOwnLogin(deps: GatewayDeps, caller: UserCaller, call: CallContext): Promise<void> {
  const { originJti, sub, accessToken } = caller;
  const { end_login: end } = deps.provider.extensions;
  if (originJti === undefined) {
    // Without token revocation, a pool's tokens do not name their login, so all of the user's earlier ones end.
    return end === undefined ? recordUserRevocation(deps, sub) : revokeAllLogins(deps, caller, call);
  }
  await recordLoginRevocation(deps, originJti);
  if (end === undefined) return;
  await mapProviderErrors(end({ AccessToken: accessToken }, call), { NotAuthorizedException: 'unauthenticated' });
}
