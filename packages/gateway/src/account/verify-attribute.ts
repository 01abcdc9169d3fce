import { mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';

/** POST /user/attributes/verify. */
export const verifyAttribute: Handler<'attributeVerify'> = async (deps, { body, caller, call }) => {
  const { attribute, code } = body;
  await mapProviderErrors(
    deps.provider.operations.verifyUserAttribute(
      { AccessToken: caller.accessToken, AttributeName: attribute, Code: code },
      call,
    ),
    TOKEN_ERRORS,
  );
  return { status: 200, body: { status: 'success', message: 'The attribute is verified.', data: {} } };
};
