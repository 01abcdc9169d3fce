import assert from 'node:assert/strict';
import type { Output } from '@poolgate/provider';
import {
  confirmTestDevice,
  readIssuedDevice,
  type TestDevice,
  updateRememberedStatus,
} from '../../../packages/pool/src/testing/test-devices.ts';
import { proveDevice } from '../../../packages/pool/src/testing/test-logins.ts';
import { TEST_CALL } from '../../../packages/pool/src/testing/test-pool.ts';
import { computeSrpAnswer, loginBySrp, startSrpLogin } from '../../../packages/pool/src/testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens } from '../../../packages/pool/src/testing/test-tokens.ts';
import type { Case, Subject } from '../subject.ts';
import { assertNow, assertRefuses, confirmed, mapAttributes, type TestUser } from '../users.ts';

type DeviceUser = TestUser & { readonly device: TestDevice };

async function issued(subject: Subject): Promise<DeviceUser> {
  const user = await confirmed(subject);
  return { ...user, device: readIssuedDevice(await loginBySrp(subject, user.name)) };
}

async function registered(subject: Subject, name = 'A browser'): Promise<DeviceUser> {
  const user = await issued(subject);
  await confirmTestDevice(subject, user.device, { name });
  return user;
}

const own = ({ device: { tokens, key } }: DeviceUser) => ({ AccessToken: tokens.access, DeviceKey: key });
const adminOwn = ({ identifiers, device }: DeviceUser) => ({ ...identifiers, DeviceKey: device.key });
const keysOf = ({ Devices = [] }: Output<'ListDevices'>) => Devices.map(({ DeviceKey }) => DeviceKey);
const GONE = ['ResourceNotFoundException', 'device_not_found'] as const;

/** An SRP login that names a device with the proof, as clients do. */
async function loginOn(subject: Subject, { name, device }: DeviceUser) {
  const answer = computeSrpAnswer(subject, await startSrpLogin(subject, name));
  const ChallengeResponses = { ...answer.ChallengeResponses, DEVICE_KEY: device.key };
  return subject.operations.respondToAuthChallenge({ ...answer, ChallengeResponses }, TEST_CALL);
}

/** Devices that receive a key, register, are remembered and forgotten. */
export const DEVICE_CASES = {
  AdminForgetDevice: [
    {
      does: 'removes a device',
      async run(subject) {
        const user = await registered(subject);
        assert.deepEqual(await subject.operations.adminForgetDevice(adminOwn(user), TEST_CALL), {});
        await assertRefuses(subject.operations.adminGetDevice(adminOwn(user), TEST_CALL), ...GONE);
      },
    },
  ],
  AdminGetDevice: [
    {
      does: 'shows a device with what only administrators see',
      async run(subject) {
        const user = await registered(subject);
        const { Device } = await subject.operations.adminGetDevice(adminOwn(user), TEST_CALL);
        assert.equal(Device.DeviceKey, user.device.key);
        const attributes = mapAttributes(Device.DeviceAttributes);
        assert.deepEqual([attributes.device_status, attributes.device_name], ['valid', 'A browser']);
        assertNow(subject, Device.DeviceCreateDate);
      },
    },
  ],
  AdminListDevices: [
    {
      does: 'lists the devices of a user',
      async run(subject) {
        const user = await registered(subject);
        const { Devices } = await subject.operations.adminListDevices(user.identifiers, TEST_CALL);
        assert.deepEqual(keysOf({ ...(Devices && { Devices }) }), [user.device.key]);
      },
    },
  ],
  AdminUpdateDeviceStatus: [
    {
      does: 'remembers a device',
      async run(subject) {
        const user = await registered(subject);
        const status = { ...adminOwn(user), DeviceRememberedStatus: 'remembered' } as const;
        assert.deepEqual(await subject.operations.adminUpdateDeviceStatus(status, TEST_CALL), {});
        assert.equal((await loginOn(subject, user)).ChallengeName, 'DEVICE_SRP_AUTH');
      },
    },
  ],
  ConfirmDevice: [
    {
      does: 'registers the device of the login, once',
      async run(subject) {
        const user = await issued(subject);
        assert.equal(decodeTokenPart(user.device.tokens.access, 1).device_key, user.device.key);
        const { UserConfirmationNecessary } = await confirmTestDevice(subject, user.device);
        assert.equal(typeof UserConfirmationNecessary, 'boolean');
        await assertRefuses(confirmTestDevice(subject, user.device), 'DeviceKeyExistsException');
      },
    },
    {
      does: 'refuses the key of another login',
      async run(subject) {
        const user = await issued(subject);
        const other = readIssuedDevice(await loginBySrp(subject, user.name));
        await assertRefuses(
          confirmTestDevice(subject, { ...user.device, key: other.key }),
          'InvalidParameterException',
        );
      },
    },
  ],
  ForgetDevice: [
    {
      does: 'removes a device, which then logs in like any other',
      async run(subject) {
        const user = await registered(subject);
        assert.deepEqual(await subject.operations.forgetDevice(own(user), TEST_CALL), {});
        await assert.rejects(loginOn(subject, user), {
          code: 'ResourceNotFoundException',
          message: 'Device does not exist.',
        });
        assert.notEqual(readIssuedDevice(await loginBySrp(subject, user.name)).key, user.device.key);
      },
    },
  ],
  GetDevice: [
    {
      does: 'shows a device to its user, and to nobody else',
      async run(subject) {
        const user = await registered(subject);
        const { Device } = await subject.operations.getDevice(own(user), TEST_CALL);
        assert.deepEqual(
          [Device.DeviceKey, mapAttributes(Device.DeviceAttributes).device_name],
          [user.device.key, 'A browser'],
        );
        assertNow(subject, Device.DeviceLastAuthenticatedDate);
        const other = await registered(subject);
        const act = subject.operations.getDevice({ ...own(other), DeviceKey: user.device.key }, TEST_CALL);
        await assertRefuses(act, ...GONE);
      },
    },
  ],
  ListDevices: [
    {
      does: 'lists the own devices in pages',
      async run(subject) {
        const user = await registered(subject);
        const second = readIssuedDevice(await loginBySrp(subject, user.name));
        await confirmTestDevice(subject, second);
        const AccessToken = second.tokens.access;
        const first = await subject.operations.listDevices({ AccessToken, Limit: 1 }, TEST_CALL);
        assert.ok(first.PaginationToken);
        const rest = await subject.operations.listDevices(
          { AccessToken, Limit: 1, PaginationToken: first.PaginationToken },
          TEST_CALL,
        );
        assert.deepEqual([...keysOf(first), ...keysOf(rest)].toSorted(), [user.device.key, second.key].toSorted());
      },
    },
  ],
  UpdateDeviceStatus: [
    {
      does: 'remembers a device, which then proves itself with its secret',
      async run(subject) {
        const user = await registered(subject);
        assert.deepEqual(await updateRememberedStatus(subject, user.device, 'remembered'), {});
        const step = await loginOn(subject, user);
        assert.equal(step.ChallengeName, 'DEVICE_SRP_AUTH');
        const done = await proveDevice(subject, step, user.name, user.device);
        assert.equal(decodeTokenPart(requireTokens(done).access, 1).device_key, user.device.key);
        assert.equal(done.AuthenticationResult?.NewDeviceMetadata, undefined);
      },
    },
    {
      does: 'remembers a device no longer',
      async run(subject) {
        const user = await registered(subject);
        await updateRememberedStatus(subject, user.device, 'remembered');
        await updateRememberedStatus(subject, user.device, 'not_remembered');
        requireTokens(await loginOn(subject, user));
      },
    },
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
