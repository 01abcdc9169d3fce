import { refusing, TOKEN_REFUSALS } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { endOthers } from '../tokens/end-others.ts';
import { allOff } from './methods.ts';

/** POST /user/mfa/deactivate: every second factor of the caller. */
export const deactivateMfa: Handler<'mfaDeactivate'> = async (deps, { body, caller, context }) => {
  await refusing(
    deps.provider.operations.setUserMFAPreference({ AccessToken: caller.accessToken, ...allOff() }, context),
    TOKEN_REFUSALS,
  );
  const ended = await endOthers(deps, caller, body.end_other_sessions, context);
  return { status: 200, body: { status: 'success', message: 'MFA is off.', data: {}, ...ended } };
};
