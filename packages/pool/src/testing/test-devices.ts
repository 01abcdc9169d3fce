import assert from 'node:assert/strict';
import type { CallContext, Output } from '@poolgate/provider';
import { type DeviceVerifier, makeDeviceVerifier, secureRandom } from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
import { type PoolHandle, TEST_CALL } from './test-pool.ts';
import { loginByPassword } from './test-srp-logins.ts';
import { requireTokens, type Tokens } from './test-tokens.ts';

/** A device that got a key from a login. */
export interface TestDevice {
  readonly key: string;
  readonly groupKey: string;
  readonly tokens: Tokens;
  /** The device's own secret, and what it registers. */
  readonly secret: DeviceVerifier;
}

/** The key that a login returned, and a secret for it. */
export function readIssuedDevice(output: Output<'InitiateAuth'>): TestDevice {
  const { DeviceKey: key, DeviceGroupKey: groupKey } = output.AuthenticationResult?.NewDeviceMetadata ?? {};
  assert.ok(key && groupKey, 'the login must give a key to the device');
  const device = { deviceGroupKey: groupKey, deviceKey: key };
  const secret = makeDeviceVerifier({ engine: openSslEngine, device, random: secureRandom });
  return { key, groupKey, tokens: requireTokens(output), secret };
}

/** A password login on a device that the pool does not know. */
export async function issueDevice(pool: PoolHandle, username: string): Promise<TestDevice> {
  return readIssuedDevice(await loginByPassword(pool, username));
}

/** Registers a device with the key from its login. */
export function confirmTestDevice(
  { operations }: PoolHandle,
  { key, tokens, secret }: TestDevice,
  { name, call = TEST_CALL }: { readonly name?: string; readonly call?: CallContext } = {},
) {
  return operations.confirmDevice(
    {
      AccessToken: tokens.access,
      DeviceKey: key,
      DeviceSecretVerifierConfig: secret.config,
      ...(name === undefined ? {} : { DeviceName: name }),
    },
    call,
  );
}

/** A login on a new device that is confirmed and remembered. */
export async function createRememberedDevice(pool: PoolHandle, username: string): Promise<TestDevice> {
  const device = await issueDevice(pool, username);
  await confirmTestDevice(pool, device);
  await updateRememberedStatus(pool, device, 'remembered');
  return device;
}

/** Sets whether a device is remembered. */
export function updateRememberedStatus(
  { operations }: PoolHandle,
  { key, tokens }: Pick<TestDevice, 'key' | 'tokens'>,
  status: 'remembered' | 'not_remembered',
) {
  return operations.updateDeviceStatus(
    { AccessToken: tokens.access, DeviceKey: key, DeviceRememberedStatus: status },
    TEST_CALL,
  );
}

/** A device as administrators see it, with attributes by name. */
export async function readDeviceAsAdmin(
  { operations, userPoolId }: PoolHandle,
  username: string,
  key: string,
): Promise<Readonly<Record<string, string>>> {
  const input = { UserPoolId: userPoolId, Username: username, DeviceKey: key };
  const { Device } = await operations.adminGetDevice(input, TEST_CALL);
  return Object.fromEntries((Device.DeviceAttributes ?? []).map(({ Name, Value = '' }) => [Name, Value]));
}
