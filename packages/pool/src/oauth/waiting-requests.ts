import { type OAuthAuthorizationRequest, OAuthError, scopesOf, type WaitingAuthorization } from '@poolgate/provider';
import type { ClockPort, KeyRingPort, RandomPort, StoreWrites } from '../kernel/ports.ts';
import type { SettingsPorts } from '../pools/settings-ports.ts';
import { type ClientGrants, clientGrants } from './client-grants.ts';
import { clientOfPool } from './client-proof.ts';
import { errorOnPage } from './parameters.ts';
import { isRegisteredUri } from './redirect-uris.ts';
import { digestOf, newSecret } from './secrets.ts';

/** Long enough to sign up on the way, code by mail included. */
const LIFE_MS = 60 * 60_000;

const PURPOSE = 'authorization-request';

/** It travels in the address of the pages: with the rest of a request it still fits into what servers and proxies take. */
const MAX_HANDLE_LENGTH = 6_144;

/** A request that waits for its user to log in. Its id is what it is spent by. */
interface WaitingRequest {
  readonly id: string;
  readonly poolId: string;
  readonly clientId: string;
  readonly request: OAuthAuthorizationRequest;
  readonly createdAtMs: number;
}

/** Who goes on with a request, and by what. */
interface Holder {
  readonly UserPoolId: string;
  readonly Handle: string;
  readonly Browser: string;
}

/**
 * Wraps a request up for the browser that brought it. Nothing is stored: anybody can bring requests, and their parameters are long.
 * @returns what holds it, encrypted: letters, digits, `-`, `_` and a dot
 * @throws {OAuthError} `invalid_request`: it is too long
 */
export function encryptRequest(
  ports: ClockPort & RandomPort & KeyRingPort,
  {
    browser,
    ...asked
  }: Pick<WaitingRequest, 'poolId' | 'clientId' | 'request'> & {
    readonly browser: string;
  },
): string {
  const waiting: WaitingRequest = { id: newSecret(ports), ...asked, createdAtMs: ports.clock.now() };
  const handle = ports.keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(waiting)), digestOf(browser));
  if (handle.length > MAX_HANDLE_LENGTH) throw errorOnPage('invalid_request', 'The request is too long.');
  return handle;
}

/**
 * The request that a handle holds, for the browser that brought it and for no other, and as long as its client may ask for it.
 * @throws {OAuthError} `invalid_request`: expired, unknown, of another browser, or not allowed any more
 */
export async function waitingRequest(
  ports: SettingsPorts & ClockPort & KeyRingPort,
  holder: Holder,
): Promise<WaitingAuthorization> {
  const { clientId, request, createdAtMs } = opened(ports, holder);
  const owner = await clientOfPool(ports, holder.UserPoolId, clientId);
  if (owner === undefined || !isAllowed(clientGrants(owner.client), request)) throw noRequest();
  return {
    ClientId: owner.client.id,
    ClientName: owner.client.name,
    Issuer: owner.pool.settings.issuer,
    SsoSeconds: clientGrants(owner.client).ssoSeconds,
    Request: request,
    AskedAt: Math.floor(createdAtMs / 1000),
  };
}

/** An administrator may have taken something from the client since, an address that is no longer its own for one. */
function isAllowed(
  { flows, scopes, callbackUrls, admitsLocalUsers }: ClientGrants,
  { responseType, redirectUri, scope }: OAuthAuthorizationRequest,
): boolean {
  const isFlowAllowed = flows.includes(responseType === 'token' ? 'implicit' : 'code');
  const areScopesAllowed = scopesOf(scope).every((one) => scopes.includes(one));
  return admitsLocalUsers && isFlowAllowed && areScopesAllowed && isRegisteredUri(callbackUrls, redirectUri);
}

function opened({ keyRing, clock }: ClockPort & KeyRingPort, { UserPoolId, Handle, Browser }: Holder): WaitingRequest {
  const bytes = keyRing.decrypt(PURPOSE, Handle, digestOf(Browser));
  if (bytes === undefined) throw noRequest();
  const waiting = JSON.parse(Buffer.from(bytes).toString('utf8')) as WaitingRequest;
  if (waiting.poolId !== UserPoolId || waiting.createdAtMs + LIFE_MS <= clock.now()) throw noRequest();
  return waiting;
}

/**
 * Ends a request: from here on there is a row of it, made by one statement.
 * @throws {OAuthError} `invalid_request`: another one was faster
 */
export async function spendRequest(
  ports: ClockPort & KeyRingPort & StoreWrites<'challengeSessions'>,
  holder: Holder,
): Promise<void> {
  const { id, createdAtMs } = opened(ports, holder);
  const isMine = await ports.store.write((transaction) =>
    transaction.challengeSessions.reserveAndSpend(id, createdAtMs + LIFE_MS),
  );
  if (isMine === undefined) throw noRequest();
}

function noRequest(): OAuthError {
  return new OAuthError('invalid_request', 'The request has expired or was answered. Go back to the application.');
}
