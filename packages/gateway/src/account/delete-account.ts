import { mapProviderErrors, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import { recordUserDeletion } from '../kernel/revocations.ts';
import type { Handler } from '../runtime/handler.ts';
import { requireDeletionConfirmation } from './deletion-confirmation.ts';

/** DELETE /user. */
export const deleteAccount: Handler<'userDelete'> = async (deps, { body, query, caller, call }) => {
  requireDeletionConfirmation({ body, query });
  await mapProviderErrors(deps.provider.operations.deleteUser({ AccessToken: caller.accessToken }, call), TOKEN_ERRORS);
  await recordUserDeletion(deps, caller.sub);
  return { status: 200, body: { status: 'success', message: 'The account was deleted.', data: {} } };
};
