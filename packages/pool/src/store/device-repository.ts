import type { Page } from './page.ts';
import type { DeviceRecord } from './records.ts';

/** Reads confirmed devices of users. */
export interface DeviceReads {
  byKey(poolId: string, username: string, key: string): Promise<DeviceRecord | undefined>;
  /** Devices of a user, oldest first, `limit` at most, after the cursor. */
  listOf(poolId: string, username: string, limit: number, cursor: string | undefined): Promise<Page<DeviceRecord>>;
}

/** What of a device may change; what is not named stays. */
export type DeviceChange = Partial<Pick<DeviceRecord, 'name' | 'remembered' | 'lastIp' | 'lastAuthenticatedAtMs'>> &
  Pick<DeviceRecord, 'modifiedAtMs'>;

/** A login with a device: when it was registered, and what is kept of the login. */
export type DeviceUse = Pick<DeviceRecord, 'createdAtMs' | 'lastIp' | 'lastAuthenticatedAtMs'>;

/** Reads and writes confirmed devices of users. */
export interface DeviceRepository extends DeviceReads {
  /** Counts the devices of a user, and locks the user: until the write ends, no other one that counts them adds to them. */
  lockAndCount(poolId: string, username: string): Promise<number>;
  /** Inserts a confirmed device; a key that is registered already rejects with `ConflictError`. */
  insert(device: DeviceRecord): Promise<void>;
  /** False where the user has no such device. */
  update(poolId: string, username: string, key: string, change: DeviceChange): Promise<boolean>;
  /**
   * Records a login with a device that was read in the same write. Where another write has removed it since, this one fails, and is run
   * again where that can happen.
   */
  recordUse(poolId: string, username: string, key: string, use: DeviceUse): Promise<void>;
  /** False where the user has no such device. */
  delete(poolId: string, username: string, key: string): Promise<boolean>;
  /** Makes every device of a user not remembered. */
  forgetTrust(poolId: string, username: string, nowMs: number): Promise<void>;
}
