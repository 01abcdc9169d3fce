import { mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { presentDeliveries } from '../users/contacts.ts';

/** POST /user/attributes/code. */
export const sendAttributeCode: Handler<'attributeCode'> = async (deps, { body, caller, call }) => {
  const { CodeDeliveryDetails } = await mapProviderErrors(
    deps.provider.operations.getUserAttributeVerificationCode(
      { AccessToken: caller.accessToken, AttributeName: body.attribute },
      call,
    ),
    TOKEN_ERRORS,
  );
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'The code was sent.',
      data: {},
      code_delivery: presentDeliveries(CodeDeliveryDetails === undefined ? [] : [CodeDeliveryDetails]),
    },
  };
};
