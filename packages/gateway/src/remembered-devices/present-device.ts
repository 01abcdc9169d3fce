/** How a remembered device appears in responses. Its name is the gateway's own record. */
import type { ROUTES, Static } from '@poolgate/contract';
import type { Output } from '@poolgate/provider';
import { type ErrorMapping, GatewayError, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';
import { formatIsoTime } from '../kernel/times.ts';
import type { LocalDeviceRecord } from '../records/index.ts';
import { mapAttributesByName } from '../users/attributes.ts';

/** A device in routes. */
export type DeviceBody = Static<(typeof ROUTES)['deviceShow']['responses'][200]['schema']>['device'];

/** A device from the provider. */
export type ProviderDevice = Output<'GetDevice'>['Device'];

/** Data about a device in addition to what the provider shows its user. */
export interface DeviceDetails {
  readonly local: Pick<LocalDeviceRecord, 'name' | 'remembered'> | undefined;
  /** As reported to administrators by the provider; undefined if it does not report it. */
  readonly remembered: boolean | undefined;
}

/** The meaning of a provider's errors on all device routes. */
export const DEVICE_ERRORS: ErrorMapping = { ...TOKEN_ERRORS, ResourceNotFoundException: 'device_not_found' };

/** The only representation of a device. The user's own name has priority over the original one. */
export function presentDevice(device: ProviderDevice, { local, remembered }: DeviceDetails): DeviceBody {
  const attributes = mapAttributesByName(device.DeviceAttributes);
  return {
    device_key: requireDeviceKey(device),
    device_name: local?.name ?? attributes.device_name ?? null,
    remembered: remembered ?? local?.remembered ?? null,
    device_attributes: attributes,
    last_ip: attributes.last_ip_used ?? null,
    created_at: formatIsoTime(device.DeviceCreateDate) ?? null,
    last_modified_at: formatIsoTime(device.DeviceLastModifiedDate) ?? null,
    last_authenticated_at: formatIsoTime(device.DeviceLastAuthenticatedDate) ?? null,
  };
}

/** Returns the key of a device. @throws {GatewayError} provider_error if there is none */
export function requireDeviceKey({ DeviceKey }: ProviderDevice): string {
  if (DeviceKey === undefined) throw new GatewayError('provider_error');
  return DeviceKey;
}
