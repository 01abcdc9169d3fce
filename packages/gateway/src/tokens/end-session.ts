import { refusing, TOKEN_REFUSALS } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { endLogin } from './endings.ts';
import { revokeSession } from './session-operations.ts';

/** DELETE /user/sessions/{id}. The provider is asked first: it alone knows whose login that is. */
export const endSession: Handler<'sessionEnd'> = async (deps, { params, caller, context }) => {
  const end = deps.provider.extensions.end_login_by_id;
  if (end === undefined) {
    await revokeSession(deps, caller.accessToken, params.id, context);
  } else {
    const ended = await refusing(end({ AccessToken: caller.accessToken, LoginId: params.id }, context), {
      ...TOKEN_REFUSALS,
      ResourceNotFoundException: 'session_not_found',
    });
    await endLogin(deps, ended.Id);
  }
  return { status: 200, body: { status: 'success', message: 'The session has ended.', data: {} } };
};
