import type { FastifyRequest } from 'fastify';
import type { PageScope } from '../kernel/pages.ts';
import { readBrowserId } from '../oauth/oauth-browser.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { type RouteDeps, selectRuntime } from './mount.ts';

/** The request of an application that waits for its user, in the address that a page returns to. */
const WAITING = /\/oauth2\/authorize\/continue\?(?:.*&)?request=([\w.-]+)/;

const CLIENT_ID = /^[\w+]{1,128}$/;

/** Returns whose brand the pages have when no app client sent the user: that of the client which the pages sign users in to. */
export function findDefaultPageScope(shared: Pick<RouteDeps, 'runtime'>, request: FastifyRequest): PageScope {
  const { userPoolId, clientId } = selectRuntime(shared, request);
  return { userPoolId, clientId };
}

/**
 * Returns whose brand the page of a request has: that of the app client that sent the user, else the default. A client that does not exist
 * in the pool has no brand.
 */
export async function findPageScope(shared: Pick<RouteDeps, 'runtime'>, request: FastifyRequest): Promise<PageScope> {
  const runtime = selectRuntime(shared, request);
  const clientId = await findRequestedClient(runtime, request);
  return clientId === undefined ? findDefaultPageScope(shared, request) : { userPoolId: runtime.userPoolId, clientId };
}

async function findRequestedClient(runtime: GatewayRuntime, request: FastifyRequest): Promise<string | undefined> {
  const {
    client_id: clientId,
    request: handle,
    return_to: returnTo,
  } = request.query as Readonly<Record<string, unknown>>;
  if (typeof clientId === 'string') return CLIENT_ID.test(clientId) ? clientId : undefined;
  const [, waiting] = typeof returnTo === 'string' ? (WAITING.exec(returnTo) ?? []) : [];
  const Handle = typeof handle === 'string' ? handle : waiting;
  return Handle === undefined ? undefined : findWaitingClient(runtime, request, Handle);
}

/** Returns nothing for an expired request or one of another browser. */
async function findWaitingClient(
  { provider, userPoolId }: GatewayRuntime,
  request: FastifyRequest,
  Handle: string,
): Promise<string | undefined> {
  const Browser = readBrowserId({ headers: { cookie: request.headers.cookie } });
  const { oauth } = provider.extensions;
  if (Browser === undefined || oauth === undefined) return undefined;
  const call = { requestId: request.id, sourceAddress: '' };
  const found = await oauth
    .decryptAuthorizationRequest({ UserPoolId: userPoolId, Handle, Browser }, call)
    .catch(() => undefined);
  return found?.ClientId;
}
