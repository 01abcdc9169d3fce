import { presentChallenge } from '../challenges/present-login-step.ts';
import { mapProviderErrors } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';

/** POST /login/step-up: the first challenge on the way to a level. Answers go to the login routes. */
export const startStepUp: Handler<'loginStepUp'> = async (deps, { body, caller, call }) => {
  const { username, accessToken } = caller;
  const { acr_values: values, max_age: age } = body;
  const AuthParameters = {
    USERNAME: username,
    ACCESS_TOKEN: accessToken,
    TARGET_ACR_VALUES: values,
    ...(age !== undefined && { MAX_AGE: String(age) }),
  };
  const asked = { AuthFlow: 'USER_AUTH', ClientId: deps.clientId, AuthParameters } as const;
  const step = await mapProviderErrors(deps.provider.operations.initiateAuth(asked, call), {
    NotAuthorizedException: 'invalid_parameter',
    PasswordResetRequiredException: 'invalid_credentials',
  });
  return { status: 200, body: presentChallenge(step, { username }) };
};
