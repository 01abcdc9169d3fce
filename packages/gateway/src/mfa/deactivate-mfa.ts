import { mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { applyEndOtherSessions } from '../sessions/end-other-sessions.ts';
import { createDisabledPreference } from '../users/mfa-methods.ts';

/** POST /user/mfa/deactivate: every second factor of the caller. */
export const deactivateMfa: Handler<'mfaDeactivate'> = async (deps, { body, caller, call }) => {
  await mapProviderErrors(
    deps.provider.operations.setUserMFAPreference(
      { AccessToken: caller.accessToken, ...createDisabledPreference() },
      call,
    ),
    TOKEN_ERRORS,
  );
  const ended = await applyEndOtherSessions(deps, caller, body.end_other_sessions, call);
  return { status: 200, body: { status: 'success', message: 'MFA is off.', data: {}, ...ended } };
};
