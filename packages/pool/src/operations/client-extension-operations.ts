import { type ClientExtensions, ProviderError } from '@poolgate/provider';
import { generateClientId } from '../kernel/identifiers.ts';
import type { Transaction } from '../kernel/ports.ts';
import { changeClientExtensions } from '../settings/client-extensions.ts';
import type { ExtensionFunctions } from './operation-table.ts';
import {
  applyClientUpdate,
  createUserPoolClientWithId,
  requireStoredClient,
  updateStoredClient,
} from './user-pool-client-operations.ts';

/** App client settings that Cognito does not have. The caller was already authorized. */
export const clientExtensionOperations: ExtensionFunctions<'client_extensions'> = {
  create: (ports, { Change, ...input }) =>
    createUserPoolClientWithId(ports, input, generateClientId(ports.random), (pool, transaction) =>
      changeExtensions(transaction, pool.id, {}, Change),
    ),
  async describe(ports, input) {
    return (await requireStoredClient(ports.store, input)).client.settings.extensions ?? {};
  },
  async update(ports, { Change, Client, ...ids }) {
    const { client } = await updateStoredClient(ports, ids, 'client', async (owner, transaction) => {
      const { pool, client: before } = owner;
      const updated = Client === undefined ? before : await applyClientUpdate(ports, owner, transaction, Client);
      const extensions = await changeExtensions(transaction, pool.id, before.settings.extensions ?? {}, Change);
      return { ...updated, settings: { ...updated.settings, extensions } };
    });
    return client.settings.extensions ?? {};
  },
};

async function changeExtensions(
  transaction: Transaction<'resourceServers'>,
  poolId: string,
  current: ClientExtensions,
  change: Readonly<Record<string, unknown>>,
): Promise<ClientExtensions> {
  const extensions = changeClientExtensions(current, change);
  if (change.resourceServers !== undefined) await requireResourceServers(transaction, poolId, extensions);
  return extensions;
}

/** @throws {ProviderError} `InvalidParameterException`: the pool does not have this resource server */
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
