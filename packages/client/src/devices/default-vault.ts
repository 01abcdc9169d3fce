import { type DeviceVault, memoryVault } from './device-vault.ts';
import { createIndexedDbVault } from './indexed-db-vault.ts';

/**
 * Uses the browser's database if it is available. In a private window, or if storage is forbidden, devices stay in memory until the page
 * closes, so that logins never fail.
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
