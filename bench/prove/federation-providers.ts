import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createFederatedClient,
  createProvider,
  returnFromProvider,
} from '../../e2e/support/federation/mock-provider.ts';
import {
  CALLBACK,
  createAuthorizeQuery,
  createPkce,
  postForm,
  readCallbackParameters,
  readLocation,
} from '../../e2e/support/oauth/oauth-client.ts';
import { startTestService, type TestService } from '../../e2e/support/services/test-service.ts';
import { CookieBrowser } from '../../e2e/support/web/cookie-browser.ts';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import type { ProofResult } from './proof.ts';
import { startDex } from './providers/dex.ts';
import { createProviderBrowser } from './providers/form-browser.ts';
import { startKeycloak } from './providers/keycloak.ts';
import { startOidcProvider } from './providers/oidc-provider.ts';
import { PROVIDER_USER, type StartProvider } from './providers/provider-program.ts';

const PROVIDERS: Readonly<Record<string, StartProvider>> = {
  'oidc-provider': startOidcProvider,
  dex: startDex,
  keycloak: startKeycloak,
};

/**
 * Signs a user in twice at each provider, through the service, and once more with a fresh sign-in.
 * @param words the names of providers
 */
export async function proveFederationProviders(
  tell: (line: string) => void,
  words: readonly string[],
): Promise<ProofResult> {
  const names = words.length === 0 ? Object.keys(PROVIDERS) : words;
  const faults: string[] = [];
  for (const name of names) {
    const start = PROVIDERS[name];
    if (start === undefined) throw new RangeError(`${name} is not one of ${Object.keys(PROVIDERS).join(', ')}`);
    const folder = mkdtempSync(join(tmpdir(), 'poolgate-provider-'));
    const service = await startTestService({ issuer: 'base-url' });
    try {
      // ID tokens of providers are checked by the clock of the machine.
      service.clock.advance(Date.now() - service.clock.now());
      faults.push(...(await signInAt(service, start, folder)).map((fault) => `${name}: ${fault}`));
      tell(name);
    } catch (error) {
      faults.push(`${name}: ${String(error)}`);
    } finally {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { figure: `${names.join(', ')}; faults: ${faults.length}.`, faults };
}

async function signInAt(service: TestService, start: StartProvider, folder: string): Promise<readonly string[]> {
  const redirectUri = `${service.baseUrl}/oauth2/idpresponse`;
  const registration = { id: 'poolgate', secret: 'the-secret-at-the-provider', redirectUri };
  const provider = await start(folder, registration);
  try {
    await createProvider(service, { issuer: provider.issuer, client: registration }, 'Corp');
    const client = await createFederatedClient(service, 'Corp');
    const { verifier, challenge } = createPkce();
    const atProvider = createProviderBrowser();
    const signIn = async (more: Readonly<Record<string, string>> = {}) => {
      const browser = new CookieBrowser(service, '');
      const query = createAuthorizeQuery(client, challenge, more);
      const link = readLocation(await browser.get(`/oauth2/authorize?${query}`));
      const back = await atProvider(link, redirectUri);
      const next = readLocation(await returnFromProvider(browser, back));
      if (!next.startsWith('/oauth2/authorize/continue?')) throw new Error(`the service refuses: ${next}`);
      const code = readCallbackParameters(await browser.get(next)).get('code') ?? '';
      const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
      const answer = await postForm(service, '/oauth2/token', { client_id: client.id, ...fields });
      return decodeTokenPart(String(answer.body.id_token), 1) as Record<string, unknown>;
    };
    const first = await signIn();
    const again = await signIn();
    const fresh = await signIn({ prompt: 'login', max_age: '60' });
    const facts: Readonly<Record<string, readonly [unknown, unknown]>> = {
      email: [first.email, PROVIDER_USER.email],
      email_verified: [first.email_verified, true],
      groups: [String(first['cognito:groups']), `${service.userPoolId}_Corp`],
      'the second sub': [again.sub, first.sub],
      'the sub after a fresh sign-in': [fresh.sub, first.sub],
    };
    return Object.entries(facts).flatMap(([name, [found, expected]]) =>
      found === expected ? [] : [`${name} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`],
    );
  } finally {
    await provider.stop();
  }
}
