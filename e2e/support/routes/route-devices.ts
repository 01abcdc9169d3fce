import assert from 'node:assert/strict';
import {
  type ClientStart,
  claimMessage,
  type DeviceVerifier,
  deviceIdentity,
  formatTimestamp,
  hashPassword,
  makeDeviceVerifier,
  secureRandom,
  signPasswordClaim,
  startClient,
  toBase64,
  toHex,
} from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { createBearerHeader, type Exchange } from '../requests/exchange.ts';
import { PASSWORD, requireTokens, type TestService } from '../services/test-service.ts';

/** A login with a new device key, and the secret that the device created. */
export interface RouteDevice {
  readonly username: string;
  readonly access: string;
  readonly refresh: string;
  readonly key: string;
  readonly groupKey: string;
  readonly secret: DeviceVerifier;
}

/** Returns the device from the tokens of a login on an unknown device. */
function readDevice(answer: Exchange, username: string): RouteDevice {
  const { access, refresh } = requireTokens(answer);
  const { device_key: key, device_group_key: groupKey } = answer.body.new_device_metadata as Record<string, string>;
  assert.ok(key && groupKey, answer.text);
  const secret = makeDeviceVerifier({
    engine,
    device: { deviceGroupKey: groupKey, deviceKey: key },
    random: secureRandom,
  });
  return { username, access, refresh, key, groupKey, secret };
}

/** Logs in with a password on a new device. */
export async function logInOnNewDevice(
  service: TestService,
  username: string,
  password = PASSWORD,
): Promise<RouteDevice> {
  return readDevice(await service.post('/login', { username, password }), username);
}

/** The body of POST /device. */
export function createRegistrationBody({ key, secret }: RouteDevice, more: Readonly<Record<string, unknown>> = {}) {
  return {
    device_key: key,
    device_config: JSON.stringify({ DeviceSecretVerifierConfig: secret.config }),
    ...more,
  };
}

/** Logs in on a new device, registers it, and has it remembered. */
export async function createRememberedDevice(
  service: TestService,
  username: string,
  password = PASSWORD,
): Promise<RouteDevice> {
  const device = await logInOnNewDevice(service, username, password);
  const headers = createBearerHeader(device.access);
  assert.equal((await service.post('/device', createRegistrationBody(device), headers)).status, 200);
  const body = { remembered_status: true };
  assert.equal((await service.ask('PUT', `/device/${device.key}`, { headers, body })).status, 200);
  return device;
}

/** A device login that waits for the proof. */
export interface DeviceChallenge {
  readonly device: RouteDevice;
  /** Undefined if the service created it. */
  readonly start: ClientStart | undefined;
  readonly session: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** POST /login with the device's key: DEVICE_SRP_AUTH. */
export async function logInOnDevice(service: TestService, device: RouteDevice, password = PASSWORD): Promise<Exchange> {
  return service.post('/login', { username: device.username, password, device_key: device.key });
}

/** The answer to DEVICE_SRP_AUTH. */
export async function startDeviceSrp(
  service: TestService,
  device: RouteDevice,
  { serverMade = false, password = PASSWORD }: { readonly serverMade?: boolean; readonly password?: string } = {},
): Promise<DeviceChallenge> {
  const asked = await logInOnDevice(service, device, password);
  assert.deepEqual([asked.status, asked.body.challenge_name], [200, 'DEVICE_SRP_AUTH'], asked.text);
  const start = serverMade ? undefined : startClient({ engine, random: secureRandom });
  const answer = await service.post('/login/auth-challenge', {
    challenge_name: 'DEVICE_SRP_AUTH',
    session: asked.body.session,
    username: device.username,
    challenge_value: JSON.stringify({ DEVICE_KEY: device.key, ...(start && { SRP_A: start.srpAHex }) }),
    challenge_params: JSON.stringify(asked.body.challenge_params),
  });
  assert.deepEqual([answer.status, answer.body.challenge_name], [200, 'DEVICE_PASSWORD_VERIFIER'], answer.text);
  return {
    device,
    start,
    session: String(answer.body.session),
    parameters: answer.body.challenge_params as Readonly<Record<string, string>>,
  };
}

const toDeviceIdentity = ({ device }: DeviceChallenge) =>
  deviceIdentity({ deviceGroupKey: device.groupKey, deviceKey: device.key });
const hashDevicePassword = (challenge: DeviceChallenge): Uint8Array =>
  hashPassword(engine, toDeviceIdentity(challenge), challenge.device.secret.devicePassword);

/** The finished claim of a device. */
export function createDeviceClaim(
  service: TestService,
  challenge: DeviceChallenge,
  timestamp = formatTimestamp(service.clock.now()),
): Readonly<Record<string, string>> {
  const { SALT = '', SRP_B = '', SECRET_BLOCK = '' } = challenge.parameters;
  assert.ok(challenge.start, 'only who made a can sign');
  const identity = toDeviceIdentity(challenge);
  return {
    DEVICE_KEY: challenge.device.key,
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    TIMESTAMP: timestamp,
    PASSWORD_CLAIM_SIGNATURE: signPasswordClaim({
      engine,
      ...challenge.start,
      srpBHex: SRP_B,
      saltHex: SALT,
      passwordHash: hashDevicePassword(challenge),
      identity,
      secretBlockB64: SECRET_BLOCK,
      timestamp,
    }),
  };
}

/** Creates the claim for the service to sign: the four helper keys, without the private value if the service created it. */
export function createHelperClaim(challenge: DeviceChallenge, timestamp: string): Readonly<Record<string, string>> {
  const { SECRET_BLOCK = '' } = challenge.parameters;
  const message = claimMessage({ identity: toDeviceIdentity(challenge), secretBlockB64: SECRET_BLOCK, timestamp });
  return {
    DEVICE_KEY: challenge.device.key,
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    TIMESTAMP: timestamp,
    PASSKEY_HASH: toHex(hashDevicePassword(challenge)),
    MESSAGE_BASE64: toBase64(message),
    DEVICE_GROUP_KEY: challenge.device.groupKey,
    ...(challenge.start && { PRIVATE_KEY: challenge.start.aHex }),
  };
}

/** Answers DEVICE_PASSWORD_VERIFIER. */
export function proveDevice(
  service: TestService,
  { device, session, parameters }: DeviceChallenge,
  value: unknown,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Exchange> {
  return service.post('/login/auth-challenge', {
    challenge_name: 'DEVICE_PASSWORD_VERIFIER',
    session,
    username: device.username,
    challenge_value: typeof value === 'string' ? value : JSON.stringify(value),
    challenge_params: JSON.stringify(parameters),
    ...more,
  });
}
