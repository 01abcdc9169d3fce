import type { ProviderCheck } from '../federation/provider-protocol.ts';
import { decryptProviderSecret } from '../settings/identity-providers.ts';
import type { IdentityProviderRecord } from '../store/records.ts';
import type { PoolPorts } from './pool-ports.ts';

/** An identity provider of a pool, and whether users could sign in there. */
export interface CheckedIdentityProvider extends ProviderCheck {
  readonly userPoolId: string;
  readonly name: string;
  readonly redirectUri: string;
}

const POOLS_AT_ONCE = 100;

/** Asks every identity provider of every pool whether users could sign in there. */
export async function checkIdentityProviders(
  ports: PoolPorts,
  toRedirectUri: (userPoolId: string) => string,
): Promise<readonly CheckedIdentityProvider[]> {
  const checked: CheckedIdentityProvider[] = [];
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await ports.store.pools.list(POOLS_AT_ONCE, cursor);
    for (const { id } of rows) {
      const providers = await ports.store.identityProviders.listOf(id);
      const found = providers.map((provider) => checkProvider(ports, provider, toRedirectUri(id)));
      checked.push(...(await Promise.all(found)));
    }
    cursor = nextCursor;
  } while (cursor !== undefined);
  return checked;
}

async function checkProvider(
  ports: PoolPorts,
  provider: IdentityProviderRecord,
  redirectUri: string,
): Promise<CheckedIdentityProvider> {
  const { type, details } = provider.settings;
  const about = { userPoolId: provider.poolId, name: provider.name, redirectUri };
  const federated = { type, details, secret: decryptProviderSecret(ports, provider) };
  const found = await ports.identityProviderProtocol?.check(federated, redirectUri);
  return { ...about, ...(found ?? { problem: 'discovery', redirectAddress: 'unknown' }) };
}
