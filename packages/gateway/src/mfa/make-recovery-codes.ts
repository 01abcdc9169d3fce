import { GatewayError, mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { applyEndOtherSessions } from '../sessions/end-other-sessions.ts';

/** POST /user/mfa/recovery-codes: creates ten new ones, shown only once. */
export const makeRecoveryCodes: Handler<'mfaRecoveryCodes'> = async (deps, { body, caller, call }) => {
  const { create_recovery_codes: create } = deps.provider.extensions;
  if (create === undefined || deps.settings.mfaSetup === 'OFF') throw new GatewayError('feature_disabled');
  const { Codes } = await mapProviderErrors(create({ AccessToken: caller.accessToken }, call), TOKEN_ERRORS);
  const ended = await applyEndOtherSessions(deps, caller, body.end_other_sessions, call);
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'Store these codes in a safe place. Each code works only once, and earlier codes no longer work.',
      data: {},
      recovery_codes: Codes,
      ...ended,
    },
  };
};
