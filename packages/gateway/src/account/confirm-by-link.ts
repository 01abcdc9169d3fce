import { GatewayError, mapProviderErrors } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { CONFIRMED } from './confirm-registration.ts';

/** POST /register/verify-link: the button of the page that the link in a mail leads to. */
export const confirmByLink: Handler<'registerVerifyLink'> = async ({ provider }, { body, context }) => {
  const { confirm_by_link } = provider.extensions;
  if (confirm_by_link === undefined) throw new GatewayError('feature_disabled');
  await mapProviderErrors(confirm_by_link({ Token: body.token }, context), {
    CodeMismatchException: 'invalid_session',
    NotAuthorizedException: 'invalid_session',
    ResourceNotFoundException: 'invalid_session',
    UserNotFoundException: 'invalid_session',
    AliasExistsException: 'invalid_user_state',
  });
  return CONFIRMED;
};
