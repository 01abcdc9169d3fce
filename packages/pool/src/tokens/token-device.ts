import type { LoginRecord } from '../store/records.ts';

/**
 * The device that the holder of a login's tokens has proven, or may confirm. A login from the authorization endpoint has its browser's
 * device; the application has neither the device's secret nor control over it.
 */
export function findTokenDeviceKey({ deviceKey, scope }: Pick<LoginRecord, 'deviceKey' | 'scope'>): string | null {
  return scope === null ? deviceKey : null;
}
