/** Remembered devices: registration, and the SRP verifier that a device proves. */
import type { AttributeItem } from '../../identity/attributes.ts';
import { formatArnPrefix } from '../../settings/arns.ts';
import type { DeviceRecord } from '../../store/records.ts';

/** Who views a device. Cognito shows administrators more. */
export type DeviceViewer = 'user' | 'admin';

/** The attributes of a device that each kind of viewer sees. Those without a value are omitted. */
const ATTRIBUTES: Readonly<
  Record<DeviceViewer, readonly (readonly [string, (device: DeviceRecord, account: string) => string | null])[]>
> = {
  user: [
    ['device_status', () => 'valid'],
    ['device_name', ({ name }) => name],
    ['last_ip_used', ({ lastIp }) => lastIp],
  ],
  admin: [
    ['dev:device_arn', formatDeviceArn],
    ['dev:device_owner', formatDevicePoolArn],
    ['dev:device_name', ({ name }) => name],
    ['dev:device_remembered_status', ({ remembered }) => (remembered ? 'remembered' : 'not_remembered')],
  ],
};

const VISIBLE_ATTRIBUTES: Readonly<Record<DeviceViewer, readonly DeviceViewer[]>> = {
  user: ['user'],
  admin: ['user', 'admin'],
};

/**
 * A device in Cognito's shape (`DeviceType`).
 * @param account the AWS account in its ARN
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DeviceType.html
 */
export function toCognitoDevice(device: DeviceRecord, viewer: DeviceViewer, account: string) {
  return {
    DeviceKey: device.key,
    DeviceAttributes: VISIBLE_ATTRIBUTES[viewer].flatMap((part) => listDeviceAttributes(device, part, account)),
    DeviceCreateDate: device.createdAtMs / 1000,
    DeviceLastModifiedDate: device.modifiedAtMs / 1000,
    DeviceLastAuthenticatedDate: device.lastAuthenticatedAtMs / 1000,
  };
}

function listDeviceAttributes(device: DeviceRecord, part: DeviceViewer, account: string): readonly AttributeItem[] {
  return ATTRIBUTES[part].flatMap(([Name, read]) => {
    const Value = read(device, account);
    return Value === null ? [] : [{ Name, Value }];
  });
}

function formatDevicePoolArn({ username, poolId }: DeviceRecord): string {
  return `${username}.${poolId}`;
}

function formatDeviceArn(device: DeviceRecord, account: string): string {
  const region = device.poolId.slice(0, device.poolId.indexOf('_'));
  return `${formatArnPrefix(region, account)}:owner/${formatDevicePoolArn(device)}/device/${device.key}`;
}
