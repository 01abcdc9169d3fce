import { refusing, TOKEN_REFUSALS } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { tombstone } from '../tokens/endings.ts';
import { requireConfirmation } from './confirmation.ts';

/** DELETE /user. */
export const deleteAccount: Handler<'userDelete'> = async (deps, { body, query, caller, context }) => {
  requireConfirmation({ body, query });
  await refusing(deps.provider.operations.deleteUser({ AccessToken: caller.accessToken }, context), TOKEN_REFUSALS);
  await tombstone(deps, caller.sub);
  return { status: 200, body: { status: 'success', message: 'The account is deleted.', data: {} } };
};
