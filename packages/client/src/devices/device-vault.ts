/**
 * Remembered devices: the vault that keeps a device's key and password in the browser. The default is IndexedDB; applications may provide
 * another vault.
 */

/** A device as the client keeps it. */
export interface RememberedDevice {
  readonly deviceKey: string;
  readonly deviceGroupKey: string;
  /** Base64. Secret: it never leaves the client. */
  readonly devicePassword: string;
}

/** Whose device it is. */
export interface DeviceOwner {
  readonly userPoolId: string;
  /** The canonical user name. */
  readonly username: string;
}

/** Where the secrets of devices are kept. */
export interface DeviceVault {
  find(owner: DeviceOwner): Promise<RememberedDevice | undefined>;
  save(owner: DeviceOwner, device: RememberedDevice): Promise<void>;
  forget(owner: DeviceOwner): Promise<void>;
}

/** Keeps devices as long as the program runs. */
export function memoryVault(): DeviceVault {
  const devices = new Map<string, RememberedDevice>();
  const toKey = ({ userPoolId, username }: DeviceOwner): string => `${userPoolId}/${username}`;
  return {
    find: async (owner) => devices.get(toKey(owner)),
    save: async (owner, device) => void devices.set(toKey(owner), device),
    forget: async (owner) => void devices.delete(toKey(owner)),
  };
}
