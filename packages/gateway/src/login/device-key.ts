import { ProviderError } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';

/** The provider's parameter for a device key, if any. */
export type DeviceKeyParameter = { readonly DEVICE_KEY?: string };

/**
 * Makes a call with the client's device key, and repeats it without the key if the provider does not know the device. An unknown key thus
 * leads to the normal login. The provider keeps session and secret block usable in that case.
 */
export async function retryWithoutUnknownDevice<T>(
  deviceKey: string | undefined,
  call: (parameter: DeviceKeyParameter) => Promise<T>,
): Promise<T> {
  if (deviceKey === undefined) return call({});
  try {
    return await call({ DEVICE_KEY: deviceKey });
  } catch (error) {
    // A route's own error may wrap the provider's.
    const refusal = error instanceof GatewayError ? error.cause : error;
    if (refusal instanceof ProviderError && isUnknownDevice(refusal)) return call({});
    throw error;
  }
}

/** Cognito has no code for it. Clients recognize it here by its reason, and there by its text. */
function isUnknownDevice({ code, reason, message }: ProviderError): boolean {
  return reason === 'device_not_found' || (code === 'ResourceNotFoundException' && /device/i.test(message));
}
