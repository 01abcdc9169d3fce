import type { CallContext } from '@poolgate/provider';
import { authenticateUser } from '../guards/authenticate-user.ts';
import type { UserCaller } from '../kernel/caller.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { logOut } from '../tokens/log-out.ts';
import type { StoredSession } from '../web-sessions/web-session.ts';
import { removeSession } from './remove-session.ts';

/** The tokens of a login that nobody needs any more. */
interface RevocableLogin {
  readonly caller: UserCaller;
  readonly refreshToken: string;
}

/**
 * Ends a login at the provider too. One that has ended already has.
 * @throws {GatewayError} where the provider cannot be asked
 */
export async function revokeLogin(
  runtime: GatewayRuntime,
  { caller, refreshToken }: RevocableLogin,
  call: CallContext,
): Promise<void> {
  const request = {
    params: undefined,
    query: undefined,
    body: { refresh_token: refreshToken },
    caller,
    call,
    acceptLanguage: undefined,
  };
  await logOut(runtime, request).catch(ignoreEnded);
}

/** The same for a login that another one has taken the place of: nobody has its tokens any more, and a provider that fails changes nothing. */
export async function revokeReplacedLogin(
  runtime: GatewayRuntime,
  login: RevocableLogin,
  call: CallContext,
): Promise<void> {
  await revokeLogin(runtime, login, call).catch(ignoreFailures);
}

/** Removes a session that another one has taken the place of, and ends its login where its tokens still tell which. */
export async function endStoredSession(
  runtime: GatewayRuntime,
  { record, content }: StoredSession,
  call: CallContext,
): Promise<void> {
  await removeSession(runtime, record.idDigestHex);
  const caller = await authenticateUser(runtime, content.accessToken, call).catch(ignoreFailures);
  if (caller !== undefined) await revokeReplacedLogin(runtime, { caller, refreshToken: content.refreshToken }, call);
}

const ENDED: ReadonlySet<string> = new Set(['unauthenticated', 'invalid_grant']);

function ignoreEnded(error: unknown): undefined {
  if (error instanceof GatewayError && ENDED.has(error.code)) return undefined;
  throw error;
}

function ignoreFailures(error: unknown): undefined {
  if (error instanceof GatewayError) return undefined;
  throw error;
}
