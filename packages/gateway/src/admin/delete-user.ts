import { invalidFieldError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import { recordUserDeletion, recordUserRevocation } from '../kernel/revocations.ts';
import type { Handler } from '../runtime/handler.ts';
import { NAMED_USER_ERRORS, requireUser } from './require-user.ts';

/** DELETE /admin/users/{username}: with `confirm: true` in the body, or `?confirm=true`. */
export const deleteUser: Handler<'adminUserDelete'> = async (deps, { params, query, body, call }) => {
  requireOneConfirmation(body.confirm, query.confirm);
  const { sub, identifiers } = await requireUser(deps, params.username, call);
  // First, because afterward the user cannot be found to end its logins if this fails halfway.
  await recordUserRevocation(deps, sub);
  await mapProviderErrors(deps.provider.operations.adminDeleteUser(identifiers, call), NAMED_USER_ERRORS);
  await recordUserDeletion(deps, sub);
  return { status: 200, body: { status: 'success', message: 'The user was deleted.', data: {} } };
};

/** @throws {GatewayError} validation_failed unless one is true and none is false */
function requireOneConfirmation(inBody: boolean | undefined, inQuery: 'true' | 'false' | undefined): void {
  const said = [inBody, inQuery && inQuery === 'true'].filter((word) => word !== undefined);
  if (said.length === 0) throw invalidFieldError('confirm', 'required', 'must be true in the body or the query');
  if (!said.every((word) => word)) throw invalidFieldError('confirm', 'not_confirmed', 'must be true');
}
