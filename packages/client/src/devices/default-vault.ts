import { type DeviceVault, memoryVault } from './device-vault.ts';
import { createIndexedDbVault } from './indexed-db-vault.ts';

/**
 * The browser's database where there is one that can be used. In a private window or with storage forbidden a device is kept as long
 * as the page: a login never fails for it.
 */
export function createDefaultVault(): DeviceVault {
  const memory = memoryVault();
  if (typeof indexedDB === 'undefined' || globalThis.crypto?.subtle === undefined) return memory;
  const lasting = createIndexedDbVault();
  const orMemory = <T>(act: (vault: DeviceVault) => Promise<T>): Promise<T> =>
    act(lasting).catch((error: unknown) => {
      if (error instanceof DOMException) return act(memory);
      throw error;
    });
  return {
    find: async (owner) => (await memory.find(owner)) ?? orMemory((vault) => vault.find(owner)),
    save: (owner, device) => orMemory((vault) => vault.save(owner, device)),
    forget: (owner) => memory.forget(owner).then(() => orMemory((vault) => vault.forget(owner))),
  };
}
