import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import type { Handler } from '../runtime/handler.ts';
import { hideUserExistence } from './hide-user-existence.ts';
import { readRequestedUsername } from './requested-username.ts';

/** POST /password/forgot. */
export const forgotPassword: Handler<'passwordForgot'> = async (deps, { body, call }) => {
  const sent = await hideUserExistence(sendResetCode(deps, readRequestedUsername(body), body.session, call));
  return {
    status: 200,
    body: {
      status: 'success',
      message: "If that account exists, we've sent a recovery code.",
      data: {},
      ...(sent?.Session === undefined ? {} : { session: sent.Session }),
    },
  };
};

/** Amazon Cognito has no sessions for reset codes. There, only the newest code works. */
function sendResetCode(
  { clientId, provider }: GatewayDeps,
  Username: string,
  earlierSession: string | undefined,
  call: CallContext,
): Promise<{ readonly Session?: string }> {
  const request = { ClientId: clientId, Username };
  const { reset_sessions: sessions } = provider.extensions;
  if (sessions !== undefined) {
    const shown = earlierSession === undefined ? {} : { Session: earlierSession };
    return sessions.forgotPassword({ ...request, ...shown }, call);
  }
  return provider.operations.forgotPassword(request, call).then(() => ({}));
}
