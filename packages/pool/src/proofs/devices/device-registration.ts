import { ProviderError } from '@poolgate/provider';
import { parseDeviceConfig, SrpError, type StoredVerifier } from '@poolgate/srp';
import { generateUuid } from '../../kernel/identifiers.ts';
import type { ClockPort, KeyRingPort, MacPorts, RandomPort } from '../../kernel/ports.ts';
import { computePoolMac, decryptionFailedError } from '../../settings/pools-and-clients.ts';
import type { PoolReads } from '../../store/pool-store.ts';
import type { DeviceRecord, PoolRecord } from '../../store/records.ts';

/** How many devices one user can confirm. */
export const MAX_DEVICES = 100;

/** Amazon's JavaScript client writes salts without leading zeros. Of 16 random bytes, it sends fewer than 12 for one device in 2^33. */
const MIN_SALT_BYTES = 12;

const KEY = /^[\w-]+_[0-9a-f-]+$/;
const MAX_KEY_LENGTH = 55;
const GROUP_KEY_LENGTH = 9;

/** The names of a device that a login returns (Cognito `NewDeviceMetadataType`). */
export interface DeviceMetadata {
  readonly DeviceKey: string;
  readonly DeviceGroupKey: string;
}

/** Creates the names for an unknown device. Only the key is stored, in the login that returns it. */
export function createDeviceMetadata(ports: MacPorts & RandomPort, pool: PoolRecord, username: string): DeviceMetadata {
  return {
    DeviceKey: `${pool.region}_${generateUuid(ports.random)}`,
    DeviceGroupKey: deriveDeviceGroupKey(ports, pool, username),
  };
}

/**
 * Derives the group key of all of a user's devices: `-` and eight characters, always the same. In a device's SRP it replaces the pool's
 * name.
 */
export function deriveDeviceGroupKey(ports: MacPorts, pool: PoolRecord, username: string): string {
  const mac = Buffer.from(computePoolMac(ports, pool, 'device-group', username)).toString('base64url');
  return `-${mac.slice(0, GROUP_KEY_LENGTH - 1)}`;
}

/** Whether a text has the format of a device key. */
export function isDeviceKey(text: string): boolean {
  return text.length <= MAX_KEY_LENGTH && KEY.test(text);
}

/** Finds this user's confirmed device with this key. A malformed key matches no device. */
export async function findDevice(
  store: Pick<PoolReads, 'devices'>,
  pool: PoolRecord,
  username: string,
  key: string,
): Promise<DeviceRecord | undefined> {
  return isDeviceKey(key) ? store.devices.byKey(pool.id, username, key) : undefined;
}

/** Clients match this text: they forget the key and repeat the call without it. */
export function deviceNotFoundError(): ProviderError {
  return new ProviderError('ResourceNotFoundException', 'Device does not exist.', { reason: 'device_not_found' });
}

/** The input of a device's confirmation. */
export interface DeviceRegistration {
  readonly key: string;
  readonly name: string | null;
  /** Cognito `DeviceSecretVerifierConfigType`. */
  readonly config: { readonly PasswordVerifier?: string; readonly Salt?: string } | undefined;
  /** The address of the confirming client. */
  readonly sourceAddress: string;
}

/**
 * Creates the record of a newly confirmed device. Its verifier is validated here and not only at the next login.
 * @throws {ProviderError} `InvalidParameterException`: weak, zero, out of range or undecodable
 */
export function createDeviceRecord(
  ports: MacPorts & ClockPort,
  pool: PoolRecord,
  username: string,
  { key, name, config, sourceAddress }: DeviceRegistration,
): DeviceRecord {
  const { saltHex, verifier } = parseVerifierConfig(config);
  const nowMs = ports.clock.now();
  return {
    poolId: pool.id,
    username,
    key,
    groupKey: deriveDeviceGroupKey(ports, pool, username),
    name,
    saltHex,
    verifierEncrypted: ports.keyRing.encrypt('device-verifier', verifier, deviceAssociatedData(pool.id, username, key)),
    remembered: pool.settings.deviceTracking?.onlyRememberedOnUserPrompt === false,
    lastIp: sourceAddress,
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
    lastAuthenticatedAtMs: nowMs,
  };
}

function parseVerifierConfig(config: DeviceRegistration['config']): StoredVerifier {
  const { Salt = '', PasswordVerifier = '' } = config ?? {};
  try {
    return parseDeviceConfig({ Salt, PasswordVerifier }, { minSaltBytes: MIN_SALT_BYTES });
  } catch (cause) {
    if (!(cause instanceof SrpError)) throw cause;
    throw new ProviderError('InvalidParameterException', 'Invalid device secret verifier config given.', { cause });
  }
}

/**
 * Decrypts the SRP verifier of a device: unsigned big-endian.
 * @throws {ProviderError} `InternalErrorException`: encrypted with an unknown key, or for another user or device
 */
export function decryptDeviceVerifier(ports: KeyRingPort, device: DeviceRecord): Uint8Array<ArrayBuffer> {
  const owner = deviceAssociatedData(device.poolId, device.username, device.key);
  const verifier = ports.keyRing.decrypt('device-verifier', device.verifierEncrypted, owner);
  if (verifier === undefined) throw decryptionFailedError('device-verifier');
  return verifier;
}

function deviceAssociatedData(poolId: string, username: string, key: string): string {
  return `${poolId}/${username}/${key}`;
}
