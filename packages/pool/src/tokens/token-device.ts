import type { LoginRecord } from '../store/records.ts';

/**
 * The device that whoever holds the tokens of a login has proven, or may confirm. A login of the authorization endpoint ends with the device of
 * the browser that it came from; its application has neither the device's secret nor a say about it.
 */
export function findTokenDeviceKey({ deviceKey, scope }: Pick<LoginRecord, 'deviceKey' | 'scope'>): string | null {
  return scope === null ? deviceKey : null;
}
