import { OAuthError } from '@poolgate/provider';
import type { RequestCallerPort, SecretPorts } from '../kernel/ports.ts';
import { isClientSecretValid, type PoolAndClient, requirePool } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';

/** An app client of a pool; undefined where the pool has none of that id. */
export async function findClientOfPool(
  ports: SettingsPorts,
  userPoolId: string,
  clientId: string,
): Promise<PoolAndClient | undefined> {
  const { settingsCache, store } = ports;
  const client = await settingsCache.clients.getOrLoad(clientId, () => store.clients.byId(clientId));
  return client?.poolId === userPoolId ? { pool: await requirePool(ports, userPoolId), client } : undefined;
}

/** Who asks at the token and revocation endpoints. */
export interface ClientCredentials {
  readonly UserPoolId: string;
  readonly ClientId: string;
  readonly ClientSecret?: string;
}

/** What a client proves; see `OAuthServer.proveClient`. */
export async function verifyClientCredentials(
  ports: SettingsPorts & SecretPorts & RequestCallerPort,
  { UserPoolId, ClientId, ClientSecret }: ClientCredentials,
): Promise<'confidential' | 'public' | 'refused' | 'unknown'> {
  const owner = await findClientOfPool(ports, UserPoolId, ClientId);
  if (owner === undefined) return 'unknown';
  if (!isClientSecretValid(ports, owner, ClientSecret)) return 'refused';
  return ClientSecret === undefined ? 'public' : 'confidential';
}

/**
 * The client that asks, proven by its secret; one without a secret must bring none.
 * @throws {OAuthError} `invalid_client`: the same for a client that nobody has
 */
export async function requireAuthenticatedClient(
  ports: SettingsPorts & SecretPorts & RequestCallerPort,
  { UserPoolId, ClientId, ClientSecret }: ClientCredentials,
): Promise<PoolAndClient> {
  const owner = await findClientOfPool(ports, UserPoolId, ClientId);
  if (owner !== undefined && isClientSecretValid(ports, owner, ClientSecret)) return owner;
  throw new OAuthError('invalid_client', 'The app client is not known, or its secret is wrong.');
}
