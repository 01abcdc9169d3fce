import type { Page } from './page.ts';
import type { DeviceRecord } from './records.ts';

/** Reads confirmed devices. */
export interface DeviceReads {
  byKey(poolId: string, username: string, key: string): Promise<DeviceRecord | undefined>;
  /** Lists a user's devices after the cursor, oldest first, at most `limit`. */
  listOf(poolId: string, username: string, limit: number, cursor: string | undefined): Promise<Page<DeviceRecord>>;
}

/** The changeable parts of a device. Omitted members stay unchanged. */
export type DeviceChange = Partial<Pick<DeviceRecord, 'name' | 'remembered' | 'lastIp' | 'lastAuthenticatedAtMs'>> &
  Pick<DeviceRecord, 'modifiedAtMs'>;

/** A login with a device: the device's registration time, and what is stored about the login. */
export type DeviceUse = Pick<DeviceRecord, 'createdAtMs' | 'lastIp' | 'lastAuthenticatedAtMs'>;

/** Reads and writes confirmed devices. */
export interface DeviceRepository extends DeviceReads {
  /** Counts the devices of a user and locks the user. Until this write ends, no other write that counts them can add one. */
  lockAndCount(poolId: string, username: string): Promise<number>;
  /** Inserts a confirmed device. A registered key rejects with `ConflictError`. */
  insert(device: DeviceRecord): Promise<void>;
  /** False if the user has no such device. */
  update(poolId: string, username: string, key: string, change: DeviceChange): Promise<boolean>;
  /**
   * Records a login with a device that was read in the same write. If another write has removed it since, this one fails, and is repeated
   * where possible.
   */
  recordUse(poolId: string, username: string, key: string, use: DeviceUse): Promise<void>;
  /** False if the user has no such device. */
  delete(poolId: string, username: string, key: string): Promise<boolean>;
  /** Stops remembering all devices of a user. */
  forgetTrust(poolId: string, username: string, nowMs: number): Promise<void>;
}
