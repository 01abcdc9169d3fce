import type { GatewayDeps } from '../deps.ts';
import { mapProviderErrors } from '../errors.ts';
import type { UserCaller } from '../guards/caller.ts';
import type { Handler } from '../handler.ts';

const DAY_MS = 86_400_000;
/** The longest life that Cognito allows an access token. */
const ACCESS_TOKEN_MS = DAY_MS;
/** The longest life that Cognito allows a refresh token. */
const REFRESH_TOKEN_MS = 3650 * DAY_MS;

/** POST and PUT /logout: revokes this login here at once, then at the provider. */
export const logOut: Handler<'logout'> = async (deps, { body, caller, context }) => {
  const { operations, extensions } = deps.provider;
  await deps.records.recordRevocation(logoutRevocation(deps, caller));
  if (extensions.end_login) {
    await mapProviderErrors(extensions.end_login({ AccessToken: caller.accessToken }, context), {
      NotAuthorizedException: 'unauthenticated',
    });
  }
  if (body.refresh_token !== undefined) {
    await mapProviderErrors(operations.revokeToken({ ClientId: deps.clientId, Token: body.refresh_token }, context), {
      NotAuthorizedException: 'invalid_grant',
      InvalidParameterException: 'invalid_grant',
    });
  }
  return { status: 200, body: { status: 'success', message: 'The login has ended.', data: {} } };
};

/** A provider that ends the login itself leaves only access tokens to refuse; else its refresh token lives on. */
function logoutRevocation({ userPoolId, clock, provider }: GatewayDeps, { originJti, sub }: UserCaller) {
  const endedAtMs = clock.now();
  const lifeMs = provider.extensions.end_login ? ACCESS_TOKEN_MS : REFRESH_TOKEN_MS;
  // Tokens of a pool without revocation do not tell their login: then all of the user's earlier ones end.
  const subject = originJti === undefined ? `user:${sub}` : `login:${originJti}`;
  return { userPoolId, subject, endedAtMs, expiresAtMs: endedAtMs + lifeMs };
}
