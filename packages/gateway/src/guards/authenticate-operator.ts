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
  /** The scope that an admin key needs. */
  readonly scope: AdminScope;
  readonly authorization: string | undefined;
  readonly signed: RawRequest;
  /** The user that the request names, if it is text. */
  readonly username: string | undefined;
}

/** Both forms of an admin key. Access tokens never start like this. */
const ADMIN_KEY = /^(?:Bearer +pg_|AWS4-)/i;

/**
 * Authenticates the caller of an operator route: an admin key with its scope, or a user in one of the admin groups. Only groups of the
 * token that the user still belongs to count. The integrator's rule replaces this check if there is one. Known callers who are refused are
 * recorded in the audit log.
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
    : // The gateway continues with its own authorization, so the token is not checked again.
      await restrictToCurrentGroups(
        runtime,
        await authenticateUser(runtime, readBearerToken(authorization), call, { introspects: true }),
        call,
      );
  const { authorize = (): boolean => isOperator(runtime, caller) } = runtime;
  // Only `true` permits the call, so a rule that forgets to return a result refuses it.
  if ((await authorize({ route, caller, username })) !== true) {
    await recordRefusedOperator(runtime, { route, caller }, call);
    throw new GatewayError('forbidden');
  }
  return caller;
}

/**
 * Keeps only the token's groups that the user still belongs to, so that a removed member loses access at once. The current groups are read
 * only if one of the token's groups could grant access.
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
