import { invalidField, refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { endLogins, tombstone } from '../tokens/endings.ts';
import { findUser, USER_REFUSALS } from './find-user.ts';

/** DELETE /admin/users/{username}: with `confirm: true` in the body, or `?confirm=true`. */
export const deleteNamedUser: Handler<'adminUserDelete'> = async (deps, { params, query, body, context }) => {
  requireConfirmation(body.confirm, query.confirm);
  const { sub, named } = await findUser(deps, params.username, context);
  // First, because nobody finds the user to end its logins should this stop half-way.
  await endLogins(deps, sub);
  await refusing(deps.provider.operations.adminDeleteUser(named, context), USER_REFUSALS);
  await tombstone(deps, sub);
  return { status: 200, body: { status: 'success', message: 'The user is deleted.', data: {} } };
};

/** @throws {GatewayError} validation_failed unless one says yes and none says no */
function requireConfirmation(inBody: boolean | undefined, inQuery: 'true' | 'false' | undefined): void {
  const said = [inBody, inQuery && inQuery === 'true'].filter((word) => word !== undefined);
  if (said.length === 0) throw invalidField('confirm', 'required', 'must be true, in the body or in the query');
  if (!said.every((word) => word)) throw invalidField('confirm', 'not_confirmed', 'must be true');
}
