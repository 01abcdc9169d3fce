import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { ResolvedOptions } from '../options/cognito-options.ts';
import type { SdkCommand } from './command-row.ts';
import { createUnsignedSender } from './unsigned-sender.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/** Sends one command once, for an end client at this address. */
export type SendCommand = (command: SdkCommand, signal: AbortSignal, clientAddress?: string) => Promise<unknown>;

/**
 * The SDK's client. It never tries again by itself, and looks for credentials at the first call that must be signed:
 * the operations of end users are unsigned in Cognito's model, and go past the middleware that they do not need.
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
    // Signatures bear the time of the clock that was given. The SDK would go by the date of the last answer, whoever gave it.
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
    // What a credentials provider says may name files, roles and accounts.
    throw new UpstreamFailure('no_credentials');
  }
}
