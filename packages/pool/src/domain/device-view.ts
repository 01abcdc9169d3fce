import type { DeviceRecord } from '../store/records.ts';
import { arnStart } from './arns.ts';
import type { AttributeItem } from './attributes.ts';

/** Who looks at a device: Cognito tells administrators more. */
export type Viewer = 'user' | 'admin';

/** The attributes of a device that each kind of viewer sees; one without a value is left out. */
const ATTRIBUTES: Readonly<
  Record<Viewer, readonly (readonly [string, (device: DeviceRecord, account: string) => string | null])[]>
> = {
  user: [
    ['device_status', () => 'valid'],
    ['device_name', ({ name }) => name],
    ['last_ip_used', ({ lastIp }) => lastIp],
  ],
  admin: [
    ['dev:device_arn', arnOf],
    ['dev:device_owner', ownerOf],
    ['dev:device_name', ({ name }) => name],
    ['dev:device_remembered_status', ({ remembered }) => (remembered ? 'remembered' : 'not_remembered')],
  ],
};

const SEES: Readonly<Record<Viewer, readonly Viewer[]>> = { user: ['user'], admin: ['user', 'admin'] };

/**
 * A device in Cognito's shape (`DeviceType`).
 * @param account the AWS account in its ARN
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DeviceType.html
 */
export function deviceView(device: DeviceRecord, viewer: Viewer, account: string) {
  return {
    DeviceKey: device.key,
    DeviceAttributes: SEES[viewer].flatMap((part) => attributesOf(device, part, account)),
    DeviceCreateDate: device.createdAtMs / 1000,
    DeviceLastModifiedDate: device.modifiedAtMs / 1000,
    DeviceLastAuthenticatedDate: device.lastAuthenticatedAtMs / 1000,
  };
}

function attributesOf(device: DeviceRecord, part: Viewer, account: string): readonly AttributeItem[] {
  return ATTRIBUTES[part].flatMap(([Name, read]) => {
    const Value = read(device, account);
    return Value === null ? [] : [{ Name, Value }];
  });
}

function ownerOf({ username, poolId }: DeviceRecord): string {
  return `${username}.${poolId}`;
}

function arnOf(device: DeviceRecord, account: string): string {
  const region = device.poolId.slice(0, device.poolId.indexOf('_'));
  return `${arnStart(region, account)}:owner/${ownerOf(device)}/device/${device.key}`;
}
