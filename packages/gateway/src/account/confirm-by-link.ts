import { GatewayError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { decryptAnyRegistrationSession } from '../users/registration-session.ts';
import { CONFIRMED_RESPONSE, toCodeLogin } from './confirm-registration.ts';
import { CLAIM_ERRORS, readRegistrationClaim, requireCompleteConfirmation } from './registration-claim.ts';

/** POST /register/verify-link: the button of the page that an emailed link opens. */
export const confirmByLink: Handler<'registerVerifyLink'> = async (deps, { body, call }) => {
  const { confirm_by_link } = deps.provider.extensions;
  if (confirm_by_link === undefined) throw new GatewayError('feature_disabled');
  const own = body.session === undefined ? undefined : decryptAnyRegistrationSession(deps, body.session);
  const claim = readRegistrationClaim(body, own?.providerSession);
  const confirmation = await mapProviderErrors(confirm_by_link({ Token: body.token, ...claim }, call), {
    ...CLAIM_ERRORS,
    CodeMismatchException: 'invalid_session',
    NotAuthorizedException: 'invalid_session',
    ResourceNotFoundException: 'invalid_session',
    UserNotFoundException: 'invalid_session',
    AliasExistsException: 'invalid_user_state',
  });
  requireCompleteConfirmation(confirmation);
  return { ...CONFIRMED_RESPONSE, codeLogin: toCodeLogin(confirmation.Username ?? '', confirmation) };
};
