import { generateKeyPairSync } from 'node:crypto';
import { createProvider, startMockProvider } from '../support/federation/mock-provider.ts';
import { createAuthorizeQuery, createOAuthClient, createPkce, postForm } from '../support/oauth/oauth-client.ts';
import { enter, enterAccount, operate, type Stage } from './stage.ts';

/** The social providers with made-up credentials. */
const SOCIAL = {
  Google: { client_id: 'google', client_secret: 'secret' },
  SignInWithApple: {
    client_id: 'com.example.app',
    team_id: 'TEAM123456',
    key_id: 'KEY1234567',
    private_key: generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ format: 'pem', type: 'pkcs8' })
      .toString(),
  },
  Facebook: { client_id: '1234567890', client_secret: 'secret', api_version: 'v17.0' },
  LoginWithAmazon: { client_id: 'amazon', client_secret: 'secret' },
};

/** The pages of applications: identity providers, consent and the code of a device. */
export async function applications(stage: Stage): Promise<void> {
  const { camera, service } = stage;
  const provider = await startMockProvider();
  await createProvider(service, provider, 'Corp');
  for (const [ProviderName, details] of Object.entries(SOCIAL))
    await operate(stage, 'CreateIdentityProvider', {
      ProviderName,
      ProviderType: ProviderName,
      ProviderDetails: { authorize_scopes: 'email', ...details },
    });
  const client = await createOAuthClient(service, {
    ClientName: 'Acme Shop',
    SupportedIdentityProviders: ['COGNITO', 'Corp', ...Object.keys(SOCIAL)],
  });
  const body = { extensions: { device_grant: true } };
  await service.ask('PATCH', `/admin/clients/${client.id}`, { headers: service.asAdmin, body });
  const query = createAuthorizeQuery(client, createPkce().challenge);
  const signedIn = await enterAccount(stage, 'katherine@example.com');
  const { page } = signedIn;
  const visit = async (path: string): Promise<void> => {
    await page.goto(`${service.baseUrl}${path}`);
    await page.locator('h1').waitFor();
  };
  await visit(`/oauth2/authorize?${query}&prompt=consent`);
  await camera.view(page, 'page-consent', () => visit(`/oauth2/authorize?${query}&prompt=consent&lang=ar`));
  const asked = await postForm(service, '/oauth2/device_authorization', { client_id: client.id });
  await visit('/oauth2/device');
  await camera.view(page, 'page-device', () => visit('/oauth2/device?lang=ar'));
  await visit(`/oauth2/device?user_code=${asked.body.user_code}`);
  await camera.view(page, 'page-device-confirm');
  await signedIn.close();
  const person = await enter(stage, 'login');
  const open = async (more = ''): Promise<void> => {
    await person.page.goto(`${service.baseUrl}/oauth2/authorize?${query}${more}`);
    await person.page.locator('[data-part=providers] a').first().waitFor();
  };
  await open();
  await camera.view(person.page, 'page-providers', () => open('&lang=ar'));
  await person.close();
  await provider.close();
}
