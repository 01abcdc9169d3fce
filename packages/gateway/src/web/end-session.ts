import type { CallContext } from '@poolgate/provider';
import { authenticateUser } from '../guards/authenticate-user.ts';
import type { UserCaller } from '../kernel/caller.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { logOut } from '../tokens/log-out.ts';
import type { StoredSession } from '../web-sessions/web-session.ts';
import { removeSession } from './remove-session.ts';

/** The tokens of a login that is no longer needed. */
interface RevocableLogin {
  readonly caller: UserCaller;
  readonly refreshToken: string;
}

/**
 * Ends a login at the provider too. A login that has already ended is not an error.
 * @throws {GatewayError} the provider cannot be reached
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

/** The same for a login that another one replaced. No one has its tokens any longer, so a failing provider is ignored. */
export async function revokeReplacedLogin(
  runtime: GatewayRuntime,
  login: RevocableLogin,
  call: CallContext,
): Promise<void> {
  await revokeLogin(runtime, login, call).catch(ignoreFailures);
}

/** Deletes a session that another one replaced, and ends its login if its tokens still name it. */
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
