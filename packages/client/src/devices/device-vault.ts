/**
 * Remembered devices: the vault that stores a device's key and password in the browser. The default is IndexedDB; applications may provide
 * another vault.
 */

/** A device that the client remembers. */
export interface RememberedDevice {
  readonly deviceKey: string;
  readonly deviceGroupKey: string;
  /** Base64. Secret: it never leaves the client. */
  readonly devicePassword: string;
}

/** The owner of a device. */
export interface DeviceOwner {
  readonly userPoolId: string;
  /** The canonical username. */
  readonly username: string;
}

/** Stores the secrets of devices. */
export interface DeviceVault {
  find(owner: DeviceOwner): Promise<RememberedDevice | undefined>;
  save(owner: DeviceOwner, device: RememberedDevice): Promise<void>;
  forget(owner: DeviceOwner): Promise<void>;
}

/** Stores devices in memory. */
export function memoryVault(): DeviceVault {
  const devices = new Map<string, RememberedDevice>();
  const toKey = ({ userPoolId, username }: DeviceOwner): string => `${userPoolId}/${username}`;
  return {
    find: async (owner) => devices.get(toKey(owner)),
    save: async (owner, device) => void devices.set(toKey(owner), device),
    forget: async (owner) => void devices.delete(toKey(owner)),
  };
}
