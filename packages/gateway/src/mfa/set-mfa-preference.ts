import type { MfaType } from '../kernel/deps.ts';
import { invalidFieldError, mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { applyEndOtherSessions } from '../sessions/end-other-sessions.ts';
import { requireMfaOffered, toMfaPreference } from '../users/mfa-methods.ts';

/** PUT /user/mfa/preference. */
export const setMfaPreference: Handler<'mfaPreference'> = async (deps, { body, caller, call }) => {
  const { methods, preferred } = body;
  if (preferred !== undefined && methods[preferred] === false) {
    throw invalidFieldError('preferred', 'mismatch', 'is turned off by the same request');
  }
  const named = new Map(Object.entries(methods) as [MfaType, boolean][]);
  if (preferred !== undefined) named.set(preferred, true);
  const on = [...named].filter(([, isOn]) => isOn).map(([method]) => method);
  if (on.length > 0) requireMfaOffered(deps, on);
  const preferences = [...named].map(([method, Enabled]) => [
    method,
    { Enabled, ...toFactorPreference(method, preferred) },
  ]);
  await mapProviderErrors(
    deps.provider.operations.setUserMFAPreference(
      { AccessToken: caller.accessToken, ...toMfaPreference(Object.fromEntries(preferences)) },
      call,
    ),
    {
      ...TOKEN_ERRORS,
      InvalidParameterException: on.length > 0 ? 'mfa_not_configured' : 'invalid_parameter',
    },
  );
  const ended = await applyEndOtherSessions(deps, caller, body.end_other_sessions, call);
  return { status: 200, body: { status: 'success', message: 'The preference is set.', data: {}, ...ended } };
};

function toFactorPreference(method: MfaType, preferred: MfaType | undefined): { readonly PreferredMfa?: boolean } {
  return preferred === undefined ? {} : { PreferredMfa: method === preferred };
}
