import { ProviderError } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';

/** The provider's parameter for a device key; nothing where there is none. */
export type DeviceKeyParameter = { readonly DEVICE_KEY?: string };

/**
 * Makes a call with the device key that the client named, and once more without it where the provider does not know the
 * device: an unknown key leads to the normal login. The provider leaves session and secret block usable in that case.
 */
export async function retryWithoutUnknownDevice<T>(
  deviceKey: string | undefined,
  call: (parameter: DeviceKeyParameter) => Promise<T>,
): Promise<T> {
  if (deviceKey === undefined) return call({});
  try {
    return await call({ DEVICE_KEY: deviceKey });
  } catch (error) {
    // A route's own words for a refusal stand around the provider's.
    const refusal = error instanceof GatewayError ? error.cause : error;
    if (refusal instanceof ProviderError && isUnknownDevice(refusal)) return call({});
    throw error;
  }
}

/** Cognito has no code of its own for it; clients know it by its reason here, and by the text there. */
function isUnknownDevice({ code, reason, message }: ProviderError): boolean {
  return reason === 'device_not_found' || (code === 'ResourceNotFoundException' && /device/i.test(message));
}
