/** What the gateway keeps of a device: the name that its user gave it, and what the provider does not tell. */
export interface LocalDeviceRecord {
  readonly userPoolId: string;
  readonly sub: string;
  readonly deviceKey: string;
  readonly name: string | null;
  /** Null where it is not known here. */
  readonly remembered: boolean | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What the gateway keeps of devices. */
export interface LocalDeviceRecords {
  /** Makes or replaces the record of a device. */
  put(device: LocalDeviceRecord): Promise<void>;
  /** The records of a user's devices among these keys, ordered by key: one indexed read. */
  listByKeys(userPoolId: string, sub: string, deviceKeys: readonly string[]): Promise<readonly LocalDeviceRecord[]>;
  delete(userPoolId: string, sub: string, deviceKey: string): Promise<boolean>;
}
