import type { RouteName } from '@poolgate/contract';
import type { AdminScope, CallContext } from '@poolgate/provider';
import type { AdminCaller, UserCaller } from '../kernel/caller.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { authenticateAdmin } from './admin-key.ts';
import { recordRefusedOperator } from './admin-key-errors.ts';
import { authenticateUser, readBearerToken } from './authenticate-user.ts';
import { listCurrentGroups } from './current-groups.ts';
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
 * The groups are those of the token that the user is still in. The integrator's rule stands in for them where there is one. Whoever is known and may not is recorded in the audit log.
 * @throws {GatewayError} unauthenticated, forbidden
 */
export async function authenticateOperator(
  runtime: GatewayRuntime,
  request: OperatorRequest,
  call: CallContext,
): Promise<UserCaller | AdminCaller> {
  const { authorization, signed, scope, route, username } = request;
  const caller = ADMIN_KEY.test(authorization ?? '')
    ? await authenticateAdmin(runtime, signed, scope, call)
    : // What follows is done by the gateway's own right, so that nobody else looks at the token again.
      await restrictToCurrentGroups(
        runtime,
        await authenticateUser(runtime, readBearerToken(authorization), call, { introspects: true }),
        call,
      );
  const { authorize = (): boolean => isOperator(runtime, caller) } = runtime;
  // Nothing but the boolean lets through: a rule that forgot to answer answers no.
  if ((await authorize({ route, caller, username })) !== true) {
    await recordRefusedOperator(runtime, { route, caller }, call);
    throw new GatewayError('forbidden');
  }
  return caller;
}

/**
 * A caller with those groups of the token that the user is still in: a member who was taken out has lost the power at once, though
 * the token lives on. Read only where the token says of a group that it could open something.
 */
async function restrictToCurrentGroups(
  runtime: GatewayRuntime,
  caller: UserCaller,
  call: CallContext,
): Promise<UserCaller> {
  const { authorize, settings } = runtime;
  const matters = authorize !== undefined || caller.groups.some((group) => settings.adminGroups.includes(group));
  if (caller.groups.length === 0 || !matters) return caller;
  const current = await listCurrentGroups(runtime, caller.username, call);
  return { ...caller, groups: caller.groups.filter((group) => current.has(group)) };
}

function isOperator({ settings }: GatewayRuntime, caller: UserCaller | AdminCaller): boolean {
  return caller.kind === 'admin' || caller.groups.some((group) => settings.adminGroups.includes(group));
}
