import { GatewayError } from '../../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../../runtime/runtime.ts';
import type { WebLog } from '../web-handler.ts';
import { consumeTicket } from './forward-auth-tickets.ts';
import type { CallbackRequest } from './forwarded-request.ts';
import { toUserHeaders } from './user-headers.ts';

const MISSING_ROUTE =
  'The proxy of an application sends the callback path to forward authentication. Route /.poolgate/callback on the host of the application to Poolgate, as docs/how-to/forward-auth.md shows.';

/**
 * Handles a callback that arrives as forward authentication, because the proxy does not route it to the service and would pass it to the
 * application. The ticket is consumed, so that no one who reads the address can use it.
 * @throws {GatewayError} always: forbidden or too_many_requests
 */
export async function refuseUnroutedCallback(
  runtime: GatewayRuntime,
  { ticket }: CallbackRequest,
  {
    log,
    host,
    sourceAddress,
  }: { readonly log: WebLog; readonly host: string | undefined; readonly sourceAddress: string },
): Promise<never> {
  // Without a ticket, anyone may have invented the request and its host.
  if ((await consumeTicket(runtime, ticket)) !== undefined) log.warn({ host }, MISSING_ROUTE);
  runtime.rateLimit.admit(sourceAddress, 'read');
  throw new GatewayError('forbidden', 'The proxy of this application does not route /.poolgate/callback to Poolgate.', {
    headers: toUserHeaders(undefined),
  });
}
