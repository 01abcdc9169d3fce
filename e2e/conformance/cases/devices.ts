import assert from 'node:assert/strict';
import type { Output } from '@poolgate/provider';
import { confirm, type IssuedDevice, issuedBy, remember } from '../../../packages/pool/src/testing/devices.ts';
import { proveDevice } from '../../../packages/pool/src/testing/login.ts';
import { CALL } from '../../../packages/pool/src/testing/pool.ts';
import { answerTo, challenge, srpLogin } from '../../../packages/pool/src/testing/srp-login.ts';
import { decoded, tokensOf } from '../../../packages/pool/src/testing/tokens.ts';
import type { Case, Subject } from '../subject.ts';
import { assertNow, assertRefuses, confirmed, type TestUser, valuesOf } from '../users.ts';

type DeviceUser = TestUser & { readonly device: IssuedDevice };

async function issued(subject: Subject): Promise<DeviceUser> {
  const user = await confirmed(subject);
  return { ...user, device: issuedBy(await srpLogin(subject, user.name)) };
}

async function registered(subject: Subject, name = 'A browser'): Promise<DeviceUser> {
  const user = await issued(subject);
  await confirm(subject, user.device, { name });
  return user;
}

const own = ({ device: { tokens, key } }: DeviceUser) => ({ AccessToken: tokens.access, DeviceKey: key });
const adminOwn = ({ identifiers, device }: DeviceUser) => ({ ...identifiers, DeviceKey: device.key });
const keysOf = ({ Devices = [] }: Output<'ListDevices'>) => Devices.map(({ DeviceKey }) => DeviceKey);
const GONE = ['ResourceNotFoundException', 'device_not_found'] as const;

/** A login by SRP that names a device with the proof, as clients do. */
async function loginOn(subject: Subject, { name, device }: DeviceUser) {
  const answer = answerTo(subject, await challenge(subject, name));
  const ChallengeResponses = { ...answer.ChallengeResponses, DEVICE_KEY: device.key };
  return subject.operations.respondToAuthChallenge({ ...answer, ChallengeResponses }, CALL);
}

/** Devices that are given a key, register, are remembered and forgotten. */
export const DEVICE_CASES = {
  AdminForgetDevice: [
    {
      does: 'removes a device',
      async run(subject) {
        const user = await registered(subject);
        assert.deepEqual(await subject.operations.adminForgetDevice(adminOwn(user), CALL), {});
        await assertRefuses(subject.operations.adminGetDevice(adminOwn(user), CALL), ...GONE);
      },
    },
  ],
  AdminGetDevice: [
    {
      does: 'shows a device with what only administrators see',
      async run(subject) {
        const user = await registered(subject);
        const { Device } = await subject.operations.adminGetDevice(adminOwn(user), CALL);
        assert.equal(Device.DeviceKey, user.device.key);
        const attributes = valuesOf(Device.DeviceAttributes);
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
        const { Devices } = await subject.operations.adminListDevices(user.identifiers, CALL);
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
        assert.deepEqual(await subject.operations.adminUpdateDeviceStatus(status, CALL), {});
        assert.equal((await loginOn(subject, user)).ChallengeName, 'DEVICE_SRP_AUTH');
      },
    },
  ],
  ConfirmDevice: [
    {
      does: 'registers the device of the login, once',
      async run(subject) {
        const user = await issued(subject);
        assert.equal(decoded(user.device.tokens.access, 1).device_key, user.device.key);
        const { UserConfirmationNecessary } = await confirm(subject, user.device);
        assert.equal(typeof UserConfirmationNecessary, 'boolean');
        await assertRefuses(confirm(subject, user.device), 'DeviceKeyExistsException');
      },
    },
    {
      does: 'refuses the key of another login',
      async run(subject) {
        const user = await issued(subject);
        const other = issuedBy(await srpLogin(subject, user.name));
        await assertRefuses(confirm(subject, { ...user.device, key: other.key }), 'InvalidParameterException');
      },
    },
  ],
  ForgetDevice: [
    {
      does: 'removes a device, which then logs in like any other',
      async run(subject) {
        const user = await registered(subject);
        assert.deepEqual(await subject.operations.forgetDevice(own(user), CALL), {});
        await assert.rejects(loginOn(subject, user), {
          code: 'ResourceNotFoundException',
          message: 'Device does not exist.',
        });
        assert.notEqual(issuedBy(await srpLogin(subject, user.name)).key, user.device.key);
      },
    },
  ],
  GetDevice: [
    {
      does: 'shows a device to its user, and to nobody else',
      async run(subject) {
        const user = await registered(subject);
        const { Device } = await subject.operations.getDevice(own(user), CALL);
        assert.deepEqual(
          [Device.DeviceKey, valuesOf(Device.DeviceAttributes).device_name],
          [user.device.key, 'A browser'],
        );
        assertNow(subject, Device.DeviceLastAuthenticatedDate);
        const other = await registered(subject);
        const act = subject.operations.getDevice({ ...own(other), DeviceKey: user.device.key }, CALL);
        await assertRefuses(act, ...GONE);
      },
    },
  ],
  ListDevices: [
    {
      does: 'lists the own devices in pages',
      async run(subject) {
        const user = await registered(subject);
        const second = issuedBy(await srpLogin(subject, user.name));
        await confirm(subject, second);
        const AccessToken = second.tokens.access;
        const first = await subject.operations.listDevices({ AccessToken, Limit: 1 }, CALL);
        assert.ok(first.PaginationToken);
        const rest = await subject.operations.listDevices(
          { AccessToken, Limit: 1, PaginationToken: first.PaginationToken },
          CALL,
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
        assert.deepEqual(await remember(subject, user.device, 'remembered'), {});
        const step = await loginOn(subject, user);
        assert.equal(step.ChallengeName, 'DEVICE_SRP_AUTH');
        const done = await proveDevice(subject, step, user.name, user.device);
        assert.equal(decoded(tokensOf(done).access, 1).device_key, user.device.key);
        assert.equal(done.AuthenticationResult?.NewDeviceMetadata, undefined);
      },
    },
    {
      does: 'remembers a device no longer',
      async run(subject) {
        const user = await registered(subject);
        await remember(subject, user.device, 'remembered');
        await remember(subject, user.device, 'not_remembered');
        tokensOf(await loginOn(subject, user));
      },
    },
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
