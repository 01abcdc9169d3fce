/** The gateway's data about a device: the user's name for it, and what the provider does not reveal. */
export interface LocalDeviceRecord {
  readonly userPoolId: string;
  readonly sub: string;
  readonly deviceKey: string;
  readonly name: string | null;
  /** Null if unknown here. */
  readonly remembered: boolean | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Stores the gateway's data about devices. */
export interface LocalDeviceRecords {
  /** Creates or replaces the record of a device. */
  put(device: LocalDeviceRecord): Promise<void>;
  /** Lists the records of a user's devices among these keys, sorted by key, with one indexed read. */
  listByKeys(userPoolId: string, sub: string, deviceKeys: readonly string[]): Promise<readonly LocalDeviceRecord[]>;
  delete(userPoolId: string, sub: string, deviceKey: string): Promise<boolean>;
}
