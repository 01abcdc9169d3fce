import { concat, fromBase64, fromHex, toBase64 } from './bytes.ts';
import { bytesFromInteger, hexFromInteger, integerFromBytes, padInteger } from './integer.ts';
import { parseVerifier } from './parse-values.ts';
import { hashPassword, type SrpIdentity } from './password-hash.ts';
import { drawBytes, type RandomBytes } from './random.ts';
import type { EngineAndGroup } from './srp-engine.ts';
import { SrpError } from './srp-error.ts';
import { COGNITO_GROUP, type SrpGroup } from './srp-group.ts';
import { makeVerifier, type StoredVerifier } from './verifier.ts';

const DEVICE_PASSWORD_BYTES = 40;
const MIN_SALT_BYTES = 16;
const MAX_SALT_BYTES = 64;
const SMALLEST_MIN_SALT_BYTES = 8;

/** The names of a device, from Cognito's `NewDeviceMetadata`. */
export interface DeviceKeys {
  readonly deviceGroupKey: string;
  readonly deviceKey: string;
}

/** Cognito's `DeviceSecretVerifierConfig`: both members are base64 of a signed big-endian integer. */
export interface DeviceSecretVerifierConfig {
  readonly Salt: string;
  readonly PasswordVerifier: string;
}

/**
 * Returns the SRP identity of a device. Its group key replaces the pool's name and its own key replaces the user's, so the hash and the
 * claim message are computed as they are for a user's password.
 */
export function deviceIdentity({ deviceGroupKey, deviceKey }: DeviceKeys): SrpIdentity {
  return { poolName: deviceGroupKey, userIdForSrp: deviceKey };
}

/** A new device's secret, and the verifier that the server stores. */
export interface DeviceVerifier {
  /** Base64 of 40 random bytes. It is secret and stays on the device. */
  readonly devicePassword: string;
  /** The input of `ConfirmDevice`. */
  readonly config: DeviceSecretVerifierConfig;
}

/** Generates a device's secret and a salt of 16 bytes, and computes its verifier. */
export function makeDeviceVerifier(
  input: EngineAndGroup & { readonly device: DeviceKeys; readonly random: RandomBytes },
): DeviceVerifier {
  const { engine, device, random } = input;
  const devicePassword = toBase64(drawBytes(random, DEVICE_PASSWORD_BYTES));
  const hash = hashPassword(engine, deviceIdentity(device), devicePassword);
  return { devicePassword, config: toDeviceConfig(makeVerifier({ ...input, passwordHash: hash })) };
}

/** Amazon's clients write the shortest form. Here the salt keeps its 16 bytes, which read as the same integer. */
function toDeviceConfig({ saltHex, verifier }: StoredVerifier): DeviceSecretVerifierConfig {
  const salt = fromHex(saltHex.padStart(2 * MIN_SALT_BYTES, '0'));
  return {
    Salt: toBase64(toSignedBytes(salt)),
    PasswordVerifier: toBase64(padInteger(integerFromBytes(verifier))),
  };
}

function toSignedBytes(bytes: Uint8Array): Uint8Array {
  return (bytes[0] as number) < 0x80 ? bytes : concat(Uint8Array.of(0), bytes);
}

/** The rules for {@link parseDeviceConfig}. */
export interface DeviceConfigRules {
  /** Default {@link COGNITO_GROUP}. */
  readonly group?: SrpGroup;
  /**
   * Default 16. Amazon's clients generate 16 bytes and then strip leading zeros, so one salt in 512 is shorter. Servers for these clients
   * must accept a little less.
   */
  readonly minSaltBytes?: number;
}

/**
 * Parses what a device sent. Both members are read as unsigned, so clients that omit the sign byte work.
 * @throws {SrpError} `malformed_base64`; `weak_salt` unless it is `minSaltBytes` to 64 bytes long; `weak_verifier` unless 1 < v < N - 1
 * @throws {RangeError} `minSaltBytes` is not a whole number from 8 to 64
 */
export function parseDeviceConfig(
  config: DeviceSecretVerifierConfig,
  { group = COGNITO_GROUP, minSaltBytes = MIN_SALT_BYTES }: DeviceConfigRules = {},
): StoredVerifier {
  if (!Number.isInteger(minSaltBytes) || minSaltBytes < SMALLEST_MIN_SALT_BYTES || minSaltBytes > MAX_SALT_BYTES) {
    throw new RangeError(`minSaltBytes must be a whole number from ${SMALLEST_MIN_SALT_BYTES} to ${MAX_SALT_BYTES}`);
  }
  const salt = fromBase64(config.Salt, 'Salt');
  if (salt.length < minSaltBytes || salt.length > MAX_SALT_BYTES) throw new SrpError('weak_salt', 'Salt');
  const v = parseVerifier(fromBase64(config.PasswordVerifier, 'PasswordVerifier'), group);
  return { saltHex: hexFromInteger(integerFromBytes(salt)), verifier: bytesFromInteger(v, group.lengthBytes) };
}
