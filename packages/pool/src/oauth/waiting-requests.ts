import { OAuthError, type WaitingAuthorization } from '@poolgate/provider';
import type { PoolRuntime } from '../runtime.ts';
import type { AuthorizationRequestRecord } from '../store/records.ts';
import { clientGrants } from './client-grants.ts';
import { clientOfPool } from './client-proof.ts';
import { digestOf, newSecret } from './secrets.ts';

/** Long enough to sign up on the way, code by mail included. */
const LIFE_MS = 60 * 60_000;

/** Keeps a request for the browser that brought it. */
export async function keepRequest(
  context: PoolRuntime,
  {
    poolId,
    clientId,
    request,
    browser,
  }: Pick<AuthorizationRequestRecord, 'poolId' | 'clientId' | 'request'> & {
    readonly browser: string;
  },
): Promise<string> {
  const handle = newSecret(context);
  const nowMs = context.clock.now();
  const record: AuthorizationRequestRecord = {
    digestHex: digestOf(handle),
    poolId,
    clientId,
    browserDigestHex: digestOf(browser),
    request,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + LIFE_MS,
  };
  await context.store.write((transaction) => transaction.authorizations.insertRequest(record));
  return handle;
}

/**
 * The request that a handle names, for the browser that brought it and for no other.
 * @throws {OAuthError} `invalid_request`: expired, ended, unknown, or of another browser
 */
export async function waitingRequest(
  context: PoolRuntime,
  { UserPoolId, Handle, Browser }: { readonly UserPoolId: string; readonly Handle: string; readonly Browser: string },
): Promise<WaitingAuthorization> {
  const record = await context.store.authorizations.request(digestOf(Handle), context.clock.now());
  if (record?.poolId !== UserPoolId || record.browserDigestHex !== digestOf(Browser)) throw noRequest();
  const owner = await clientOfPool(context, UserPoolId, record.clientId);
  if (owner === undefined) throw noRequest();
  return {
    ClientId: owner.client.id,
    ClientName: owner.client.name,
    Issuer: owner.pool.settings.issuer,
    SsoSeconds: clientGrants(owner.client).ssoSeconds,
    Request: record.request,
    AskedAt: Math.floor(record.createdAtMs / 1000),
  };
}

/**
 * Ends a request.
 * @throws {OAuthError} `invalid_request`: another one was faster
 */
export async function endRequest(context: PoolRuntime, handle: string): Promise<void> {
  const nowMs = context.clock.now();
  const isMine = await context.store.write(({ authorizations }) => authorizations.takeRequest(digestOf(handle), nowMs));
  if (!isMine) throw noRequest();
}

function noRequest(): OAuthError {
  return new OAuthError('invalid_request', 'The request has expired or was answered. Go back to the application.');
}
