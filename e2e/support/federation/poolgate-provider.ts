import { createOAuthClient } from '../oauth/oauth-client.ts';
import type { TestService } from '../services/test-service.ts';
import { createProvider } from './mock-provider.ts';

/** Adds another Poolgate to the pool of a service, as an OpenID Connect provider. Its issuer must be its `BASE_URL`. */
export async function createPoolgateProvider(
  service: TestService,
  provider: TestService,
  name: string,
  members: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const client = await createOAuthClient(provider, {
    GenerateSecret: true,
    CallbackURLs: [`${service.baseUrl}/oauth2/idpresponse`],
  });
  const issuer = `${provider.baseUrl}/${provider.userPoolId}`;
  await createProvider(service, { issuer, client }, name, members);
}
