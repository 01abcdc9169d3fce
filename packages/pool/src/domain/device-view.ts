import type { DeviceRecord } from '../store/records.ts';
import type { AttributeItem } from './attributes.ts';

/** Who looks at a device: Cognito tells administrators more. */
export type Viewer = 'user' | 'admin';

/** AWS names an account in the names of resources; this pool belongs to none. */
export const NO_ACCOUNT = '000000000000';

/** The attributes of a device that each kind of viewer sees; one without a value is left out. */
const ATTRIBUTES: Readonly<Record<Viewer, readonly (readonly [string, (device: DeviceRecord) => string | null])[]>> = {
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
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DeviceType.html
 */
export function deviceView(device: DeviceRecord, viewer: Viewer) {
  return {
    DeviceKey: device.key,
    DeviceAttributes: SEES[viewer].flatMap((part) => attributesOf(device, part)),
    DeviceCreateDate: device.createdAtMs / 1000,
    DeviceLastModifiedDate: device.modifiedAtMs / 1000,
    DeviceLastAuthenticatedDate: device.lastAuthenticatedAtMs / 1000,
  };
}

function attributesOf(device: DeviceRecord, part: Viewer): readonly AttributeItem[] {
  return ATTRIBUTES[part].flatMap(([Name, read]) => {
    const Value = read(device);
    return Value === null ? [] : [{ Name, Value }];
  });
}

function ownerOf({ username, poolId }: DeviceRecord): string {
  return `${username}.${poolId}`;
}

function arnOf(device: DeviceRecord): string {
  const region = device.poolId.slice(0, device.poolId.indexOf('_'));
  return `arn:aws:cognito-idp:${region}:${NO_ACCOUNT}:owner/${ownerOf(device)}/device/${device.key}`;
}
