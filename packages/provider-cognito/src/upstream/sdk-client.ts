import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { ResolvedOptions } from '../options/cognito-options.ts';
import type { SdkCommand } from './command-row.ts';
import { createUnsignedSender } from './unsigned-sender.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/** Sends a command once, for a client with this address. */
export type SendCommand = (command: SdkCommand, signal: AbortSignal, clientAddress?: string) => Promise<unknown>;

/**
 * The SDK's client. It never retries, and looks for credentials at the first signed call. Users' operations are unsigned in Cognito's
 * model, and skip the middleware that they do not need.
 */
export function createSdkClient(options: ResolvedOptions): { readonly send: SendCommand; close(): void } {
  const { region, endpoint, sendsClientAddress, limits, credentials, clock } = options;
  const client = new CognitoIdentityProviderClient({
    region,
    maxAttempts: 1,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: limits.connectMs,
      requestTimeout: limits.requestMs,
      throwOnRequestTimeout: true,
    },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials: () => resolveCredentials(credentials) }),
  });
  const unsigned = createUnsignedSender(client.config, limits.connectMs);

  function sendSigned(command: SdkCommand, signal: AbortSignal): Promise<unknown> {
    // Signatures use the given clock. The SDK would use the date of the last response from any sender.
    client.config.systemClockOffset = clock.now() - Date.now();
    return client.send(command as Parameters<typeof client.send>[0], { abortSignal: signal });
  }

  return {
    send: (command, signal, clientAddress) =>
      unsigned.send(command, signal, sendsClientAddress ? clientAddress : undefined) ?? sendSigned(command, signal),
    close() {
      unsigned.close();
      client.destroy();
    },
  };
}

async function resolveCredentials<T>(credentials: () => Promise<T>): Promise<T> {
  try {
    return await credentials();
  } catch {
    // A credentials provider's error may contain files, roles and accounts.
    throw new UpstreamFailure('no_credentials');
  }
}
