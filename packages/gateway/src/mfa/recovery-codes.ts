import { GatewayError, refusing, TOKEN_REFUSALS } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { endOthers } from '../tokens/end-others.ts';

/** POST /user/mfa/recovery-codes: ten new ones, shown this once. */
export const makeRecoveryCodes: Handler<'mfaRecoveryCodes'> = async (deps, { body, caller, context }) => {
  const { create_recovery_codes: create } = deps.provider.extensions;
  if (create === undefined || deps.settings.mfaSetup === 'OFF') throw new GatewayError('feature_disabled');
  const { Codes } = await refusing(create({ AccessToken: caller.accessToken }, context), TOKEN_REFUSALS);
  const ended = await endOthers(deps, caller, body.end_other_sessions, context);
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'Keep these codes safe. Each one works once, and earlier ones work no longer.',
      data: {},
      recovery_codes: Codes,
      ...ended,
    },
  };
};
