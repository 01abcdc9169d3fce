import { mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import { recordLoginRevocation } from '../kernel/revocations.ts';
import type { Handler } from '../runtime/handler.ts';
import { revokeUserSession } from '../sessions/session-operations.ts';

/** DELETE /user/sessions/{id}. The provider is called first, because only it knows the login's user. */
export const revokeSession: Handler<'sessionEnd'> = async (deps, { params, caller, call }) => {
  const end = deps.provider.extensions.end_login_by_id;
  if (end === undefined) {
    await revokeUserSession(deps, caller.accessToken, params.id, call);
  } else {
    const ended = await mapProviderErrors(end({ AccessToken: caller.accessToken, LoginId: params.id }, call), {
      ...TOKEN_ERRORS,
      ResourceNotFoundException: 'session_not_found',
    });
    await recordLoginRevocation(deps, ended.Id);
  }
  return { status: 200, body: { status: 'success', message: 'The session has ended.', data: {} } };
};
