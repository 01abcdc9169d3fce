import { type CheckedAuthorizationRequest, OAuthError } from '@poolgate/provider';
import type { StoreReads } from '../kernel/ports.ts';
import { readClientGrants } from '../settings/client-grants.ts';
import { listProvidersOfClient } from '../settings/identity-providers.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { resolveScope } from './authorization-endpoint.ts';
import { type ClientCredentials, type ClientProofPorts, requireAuthenticatedClient } from './client-authentication.ts';
import { createPageError } from './oauth-parameters.ts';

/** Checks the request of a device for a client that may use this grant. */
export async function authorizeDevice(
  ports: ClientProofPorts & StoreReads<'identityProviders' | 'resourceServers'>,
  { Scope, ...credentials }: ClientCredentials & { readonly Scope?: string },
): Promise<CheckedAuthorizationRequest> {
  const owner = await requireAuthenticatedClient(ports, credentials);
  requireDeviceGrant(owner);
  const { pool, client } = owner;
  const parameters = Scope === undefined ? {} : { scope: [Scope] };
  const scope = await resolveScope(ports, owner, parameters, createPageError);
  // There is no address to return to: the code for it stays with this service.
  const nowhere = {
    redirectUri: '',
    isRedirectUriSent: false,
    responseType: 'code',
    state: null,
    nonce: null,
  } as const;
  return {
    ClientId: client.id,
    ClientName: client.name,
    Issuer: pool.settings.issuer,
    SsoSeconds: readClientGrants(client).ssoSeconds,
    AdmitsLocalUsers: true,
    IdentityProviders: (await listProvidersOfClient(ports, owner)).map(({ name }) => name),
    Request: { ...nowhere, ...scope, codeChallenge: null, audience: null, prompts: [], maxAgeSeconds: null },
  };
}

/** @throws {OAuthError} `unauthorized_client` */
export function requireDeviceGrant({ client }: PoolAndClient): void {
  const { allowsDevices, admitsLocalUsers } = readClientGrants(client);
  if (!allowsDevices) throw new OAuthError('unauthorized_client', 'The app client does not allow the device grant.');
  if (!admitsLocalUsers) {
    throw new OAuthError('unauthorized_client', 'SupportedIdentityProviders of the app client does not name COGNITO.');
  }
}
