import { type ClientExtensions, ProviderError } from '@poolgate/provider';
import type { Transaction } from '../kernel/ports.ts';
import { changeClientExtensions } from '../settings/client-extensions.ts';
import type { ExtensionFunctions } from './operation-table.ts';
import { requireStoredClient, updateStoredClient } from './user-pool-client-operations.ts';

/** Settings of app clients that Cognito does not have. The caller of them was checked before. */
export const clientExtensionOperations: ExtensionFunctions<'client_extensions'> = {
  async describe(ports, input) {
    return (await requireStoredClient(ports.store, input)).client.settings.extensions ?? {};
  },
  async update(ports, { Change, ...ids }) {
    const { client } = await updateStoredClient(
      ports,
      ids,
      'client',
      async ({ pool, client: { settings } }, writes) => {
        const extensions = changeClientExtensions(settings.extensions ?? {}, Change);
        if (Change.resourceServers !== undefined) await requireResourceServers(writes, pool.id, extensions);
        return { settings: { ...settings, extensions } };
      },
    );
    return client.settings.extensions ?? {};
  },
};

/** @throws {ProviderError} `InvalidParameterException`: a resource server that the pool does not have */
async function requireResourceServers(
  { resourceServers }: Transaction<'resourceServers'>,
  poolId: string,
  { resourceServers: identifiers = [] }: ClientExtensions,
): Promise<void> {
  for (const identifier of identifiers) {
    if ((await resourceServers.byIdentifier(poolId, identifier)) !== undefined) continue;
    throw new ProviderError('InvalidParameterException', `The resource server ${identifier} does not exist.`);
  }
}
