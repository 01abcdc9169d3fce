import { OAuthError } from '@poolgate/provider';
import type { SecretPorts } from '../kernel/ports.ts';
import { hasClientKeys, isConfidentialClient } from '../settings/client-grants.ts';
import { findClient, isClientSecretValid, type PoolAndClient, requirePool } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import { type AssertionPorts, isClientAssertionValid } from './client-assertions.ts';

/** Returns an app client of a pool; undefined if the pool has no client with that id. */
export async function findClientOfPool(
  ports: SettingsPorts,
  userPoolId: string,
  clientId: string,
): Promise<PoolAndClient | undefined> {
  const client = await findClient(ports, clientId);
  return client?.poolId === userPoolId ? { pool: await requirePool(ports, userPoolId), client } : undefined;
}

/** The credentials at the token and revocation endpoints. */
export interface ClientCredentials {
  readonly UserPoolId: string;
  readonly ClientId: string;
  readonly ClientSecret?: string;
  readonly ClientAssertion?: string;
}

/** The dependencies of authenticating a client. */
export type ClientProofPorts = SettingsPorts & SecretPorts & AssertionPorts;

/** A client with keys authenticates only with them: programs that only call the API may know its secret. */
async function isClientProven(
  ports: ClientProofPorts,
  owner: PoolAndClient,
  { ClientSecret, ClientAssertion }: ClientCredentials,
): Promise<boolean> {
  if (!hasClientKeys(owner.client))
    return ClientAssertion === undefined && isClientSecretValid(ports, owner, ClientSecret);
  if (ClientAssertion === undefined || ClientSecret !== undefined) return false;
  return isClientAssertionValid(ports, owner, ClientAssertion);
}

/** Verifies a client's credentials; see `OAuthServer.proveClient`. */
export async function verifyClientCredentials(
  ports: ClientProofPorts,
  credentials: ClientCredentials,
): Promise<'confidential' | 'public' | 'refused' | 'unknown'> {
  const owner = await findClientOfPool(ports, credentials.UserPoolId, credentials.ClientId);
  if (owner === undefined) return 'unknown';
  if (!(await isClientProven(ports, owner, credentials))) return 'refused';
  return isConfidentialClient(owner.client) ? 'confidential' : 'public';
}

/** Returns the client of a request, authenticated by its secret or its key. A client without either must send none. */
export async function requireAuthenticatedClient(
  ports: ClientProofPorts,
  credentials: ClientCredentials,
): Promise<PoolAndClient> {
  const owner = await findClientOfPool(ports, credentials.UserPoolId, credentials.ClientId);
  if (owner !== undefined && (await isClientProven(ports, owner, credentials))) return owner;
  throw new OAuthError('invalid_client', 'The app client does not exist, or its secret or assertion is invalid.');
}
