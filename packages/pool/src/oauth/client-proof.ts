import { OAuthError } from '@poolgate/provider';
import type { RequestCallerPort, SecretPorts } from '../kernel/ports.ts';
import { clientSecretMatches, type PoolAndClient, requirePool } from '../pools/pools.ts';
import type { SettingsPorts } from '../pools/settings-ports.ts';

/** An app client of a pool; undefined where the pool has none of that id. */
export async function clientOfPool(
  ports: SettingsPorts,
  userPoolId: string,
  clientId: string,
): Promise<PoolAndClient | undefined> {
  const { settingsCache, store } = ports;
  const client = await settingsCache.clients.getOrLoad(clientId, () => store.clients.byId(clientId));
  return client?.poolId === userPoolId ? { pool: await requirePool(ports, userPoolId), client } : undefined;
}

/** Who asks at the token and revocation endpoints. */
export interface ClientProof {
  readonly UserPoolId: string;
  readonly ClientId: string;
  readonly ClientSecret?: string;
}

/** What a client proves; see `OAuthServer.proveClient`. */
export async function clientProof(
  ports: SettingsPorts & SecretPorts & RequestCallerPort,
  { UserPoolId, ClientId, ClientSecret }: ClientProof,
): Promise<'confidential' | 'public' | 'refused' | 'unknown'> {
  const owner = await clientOfPool(ports, UserPoolId, ClientId);
  if (owner === undefined) return 'unknown';
  if (!clientSecretMatches(ports, owner, ClientSecret)) return 'refused';
  return ClientSecret === undefined ? 'public' : 'confidential';
}

/**
 * The client that asks, proven by its secret; one without a secret must bring none.
 * @throws {OAuthError} `invalid_client`: the same for a client that nobody has
 */
export async function requireClientProof(
  ports: SettingsPorts & SecretPorts & RequestCallerPort,
  { UserPoolId, ClientId, ClientSecret }: ClientProof,
): Promise<PoolAndClient> {
  const owner = await clientOfPool(ports, UserPoolId, ClientId);
  if (owner !== undefined && clientSecretMatches(ports, owner, ClientSecret)) return owner;
  throw new OAuthError('invalid_client', 'The app client is not known, or its secret is wrong.');
}
