import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { Service } from 'poolgate';

/** Creates an AWS SDK client with the service's admin key, which tries once, and the set of operations with a response. */
export function createSdkClient(
  service: Pick<Service, 'adminKey' | 'url'>,
  region = 'us-east-1',
): {
  readonly client: CognitoIdentityProviderClient;
  readonly answered: ReadonlySet<string>;
} {
  const client = new CognitoIdentityProviderClient({
    endpoint: service.url,
    region,
    credentials: { accessKeyId: service.adminKey?.id ?? '', secretAccessKey: service.adminKey?.secret ?? '' },
    maxAttempts: 1,
  });
  const answered = new Set<string>();
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const result = await next(args);
        answered.add(commandName.replace(/Command$/, ''));
        return result;
      },
    { step: 'initialize' },
  );
  return { client, answered };
}
