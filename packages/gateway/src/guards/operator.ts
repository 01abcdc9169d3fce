import type { RouteName } from '@poolgate/contract';
import type { AdminScope, CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../deps.ts';
import { GatewayError } from '../errors.ts';
import { authenticateAdmin } from './admin-key.ts';
import { noteNoOperator } from './admin-refusals.ts';
import { authenticateUser, bearerToken } from './bearer.ts';
import type { AdminCaller, UserCaller } from './caller.ts';
import type { RawRequest } from './sigv4-canonical.ts';

/** A request to a route for operators. */
export interface OperatorRequest {
  readonly route: RouteName;
  /** The right that an admin key needs here. */
  readonly scope: AdminScope;
  readonly authorization: string | undefined;
  readonly signed: RawRequest;
  /** The user that the request names, as far as it is a text. */
  readonly username: string | undefined;
}

/** Both forms of an admin key; an access token has neither of these beginnings. */
const ADMIN_KEY = /^(?:Bearer +pg_|AWS4-)/i;

/**
 * Who asks for a route that operators may call: an admin key with its scope, or a user in one of the admin groups.
 * The integrator's rule stands in for the latter sentence where there is one. Whoever is known and may not is told of in the audit log.
 * @throws {GatewayError} unauthenticated, forbidden
 */
export async function authenticateOperator(
  deps: GatewayDeps,
  request: OperatorRequest,
  context: CallContext,
): Promise<UserCaller | AdminCaller> {
  const { authorization, signed, scope, route, username } = request;
  const caller = ADMIN_KEY.test(authorization ?? '')
    ? await authenticateAdmin(deps, signed, scope, context)
    : // What follows is done by the gateway's own right, so that nobody else looks at the token again.
      await authenticateUser(deps, bearerToken(authorization), context, true);
  const { authorize = (): boolean => isOperator(deps, caller) } = deps;
  // Nothing but the boolean lets through: a rule that forgot to answer answers no.
  if ((await authorize({ route, caller, username })) !== true) {
    await noteNoOperator(deps, { route, caller }, context);
    throw new GatewayError('forbidden');
  }
  return caller;
}

function isOperator({ settings }: GatewayDeps, caller: UserCaller | AdminCaller): boolean {
  return caller.kind === 'admin' || caller.groups.some((group) => settings.adminGroups.includes(group));
}
