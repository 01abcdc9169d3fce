/**
 * Handlers of the signed-in user's second factors: authenticator apps, preferences and recovery codes.
 */
import { mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';

/** GET /user/factors. */
export const showFactors: Handler<'userFactors'> = async ({ provider }, { caller, call }) => {
  const token = { AccessToken: caller.accessToken };
  const { operations, extensions } = provider;
  const [factors, codes] = await Promise.all([
    mapProviderErrors(operations.getUserAuthFactors(token, call), TOKEN_ERRORS),
    extensions.count_recovery_codes && mapProviderErrors(extensions.count_recovery_codes(token, call), TOKEN_ERRORS),
  ]);
  const methods = factors.UserMFASettingList ?? [];
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'The factors.',
      data: {},
      factors: factors.ConfiguredUserAuthFactors ?? [],
      mfa: { enabled: methods.length > 0, preferred: factors.PreferredMfaSetting ?? null, methods },
      recovery_codes_left: codes?.Left ?? null,
    },
  };
};
