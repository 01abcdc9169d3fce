/** Handlers of refresh, logout and sessions, and the wrappers that do the same for the Cognito-compatible API. */
import type { CallContext } from '@poolgate/provider';
import { presentTokens } from '../challenges/present-login-step.ts';
import { authenticateUser, requireUserScope } from '../guards/authenticate-user.ts';
import { GatewayError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import { readUnverifiedClaims } from '../kernel/token-claims.ts';
import type { Handler } from '../runtime/handler.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';

/** POST /token/refresh and /token/revalidate. */
export const refreshTokens: Handler<'tokenRefresh'> = async (runtime, { body, call }) => {
  const { AuthenticationResult: result } = await mapProviderErrors(
    runtime.provider.operations.getTokensFromRefreshToken(
      {
        ClientId: runtime.clientId,
        RefreshToken: body.refresh_token,
        ...(body.device_key === undefined ? {} : { DeviceKey: body.device_key }),
      },
      call,
    ),
    {
      NotAuthorizedException: 'invalid_grant',
      UserNotFoundException: 'invalid_grant',
      ResourceNotFoundException: 'invalid_grant',
      InvalidParameterException: 'invalid_grant',
    },
  );
  // Without rotation, the sent token stays valid.
  const tokens = presentTokens({ RefreshToken: body.refresh_token, ...result });
  if (runtime.provider.recordsRevocations) requireUserScope(readUnverifiedClaims(tokens.access_token));
  else await refuseRevokedLogin(runtime, tokens.access_token, call);
  return { status: 200, body: tokens };
};

/** A provider without revocation records may still refresh a login that ended here, so it is refused. */
async function refuseRevokedLogin(runtime: GatewayRuntime, accessToken: string, call: CallContext): Promise<void> {
  try {
    await authenticateUser(runtime, accessToken, call);
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'unauthenticated') {
      throw new GatewayError('invalid_grant', undefined, { cause: error });
    }
    throw error;
  }
}
