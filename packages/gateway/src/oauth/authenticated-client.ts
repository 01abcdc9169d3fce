import { OAuthError, type OAuthServer } from '@poolgate/provider';
import { recordGatewayEvent } from '../events/record-gateway-event.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { type ClientCredentials, readClientCredentials } from './client-authentication.ts';
import type { OAuthRequest } from './oauth-endpoint.ts';

/** The authenticated app client, and its pool. */
export interface AuthenticatedClient extends ClientCredentials {
  readonly UserPoolId: string;
}

/**
 * Authenticates the app client of a request. Wrong secrets are counted over all replicas by network and client, and recorded in the audit
 * log. Only a caller with the secret uses up the client's own allowance, because anyone can name a client.
 */
export async function authenticateClient(
  runtime: GatewayRuntime,
  server: OAuthServer,
  request: OAuthRequest,
): Promise<AuthenticatedClient> {
  const { sharedLimit, userPoolId: UserPoolId } = runtime;
  const { call } = request;
  const asking = { UserPoolId, ...readClientCredentials(request) };
  const attempt = { address: call.sourceAddress, clientId: asking.ClientId };
  sharedLimit.admitSecret(attempt);
  const { Proof } = await server.proveClient(asking, call);
  if (Proof === 'confidential') await sharedLimit.admitProvenClient(asking.ClientId);
  if (Proof === 'confidential' || Proof === 'public') return asking;
  await sharedLimit.countWrongSecret(attempt);
  const by = asking.ClientAssertion === undefined ? 'client_secret' : 'client_assertion';
  await recordRefusedClient(runtime, request, Proof === 'refused' ? { clientId: asking.ClientId, by } : undefined);
  throw new OAuthError('invalid_client', 'The app client does not exist, or its secret or assertion is invalid.');
}

/** As of admin keys: one a minute and network is recorded, and few in all. An id that no client has was typed, and is not kept. */
async function recordRefusedClient(
  runtime: GatewayRuntime,
  { call }: OAuthRequest,
  known: { readonly clientId: string; readonly by: 'client_secret' | 'client_assertion' } | undefined,
): Promise<void> {
  if (!runtime.clientRefusalLogLimit.mayRecord(call.sourceAddress)) return;
  const { clientId = null, by: reason = 'unknown_client' } = known ?? {};
  const details = { reason };
  await recordGatewayEvent(runtime, call, { type: 'client.refused', outcome: 'failure', clientId, details });
}
