import { OAuthError } from '@poolgate/provider';
import type { SecretPorts } from '../kernel/ports.ts';
import { hasClientKeys, isConfidentialClient } from '../settings/client-grants.ts';
import { findClient, isClientSecretValid, type PoolAndClient, requirePool } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import { type AssertionPorts, isClientAssertionValid } from './client-assertions.ts';

/** An app client of a pool; undefined where the pool has none of that id. */
export async function findClientOfPool(
  ports: SettingsPorts,
  userPoolId: string,
  clientId: string,
): Promise<PoolAndClient | undefined> {
  const client = await findClient(ports, clientId);
  return client?.poolId === userPoolId ? { pool: await requirePool(ports, userPoolId), client } : undefined;
}

/** Who asks at the token and revocation endpoints. */
export interface ClientCredentials {
  readonly UserPoolId: string;
  readonly ClientId: string;
  readonly ClientSecret?: string;
  readonly ClientAssertion?: string;
}

/** What it takes to find out whether a client is who it says. */
export type ClientProofPorts = SettingsPorts & SecretPorts & AssertionPorts;

/** A client with keys proves itself by them alone: its secret may be known to who only calls the API. */
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

/** What a client proves; see `OAuthServer.proveClient`. */
export async function verifyClientCredentials(
  ports: ClientProofPorts,
  credentials: ClientCredentials,
): Promise<'confidential' | 'public' | 'refused' | 'unknown'> {
  const owner = await findClientOfPool(ports, credentials.UserPoolId, credentials.ClientId);
  if (owner === undefined) return 'unknown';
  if (!(await isClientProven(ports, owner, credentials))) return 'refused';
  return isConfidentialClient(owner.client) ? 'confidential' : 'public';
}

/**
 * The client that asks, proven by its secret or its key; one that has neither must bring none.
 * @throws {OAuthError} `invalid_client`: the same for a client that nobody has
 */
export async function requireAuthenticatedClient(
  ports: ClientProofPorts,
  credentials: ClientCredentials,
): Promise<PoolAndClient> {
  const owner = await findClientOfPool(ports, credentials.UserPoolId, credentials.ClientId);
  if (owner !== undefined && (await isClientProven(ports, owner, credentials))) return owner;
  throw new OAuthError('invalid_client', 'The app client is not known, or its secret or assertion is wrong.');
}
