import assert from 'node:assert/strict';
import { makeDeviceVerifier, secureRandom as random } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import type { Exchange } from '../requests/exchange.ts';
import { createRegistrationBody, logInOnNewDevice, type RouteDevice } from '../routes/route-devices.ts';
import type { TestService } from '../services/test-service.ts';
import { CookieBrowser } from '../web/cookie-browser.ts';
import {
  CALLBACK,
  createAuthorizeQuery,
  createPkce,
  type OAuthClient,
  postForm,
  readLocation,
  toRootBrowser,
} from './oauth-client.ts';

/** A browser that an application has redirected to the pages. */
export interface RedirectedBrowser {
  readonly pages: CookieBrowser;
  /** The same browser outside the pages. */
  readonly root: CookieBrowser;
  /** Continues the application's request, as a page does after its form. */
  goOn(): Promise<Exchange>;
}

/** An application whose users log in at the pages of a service. */
export class Application {
  readonly client: OAuthClient;
  readonly challenge: string;
  readonly #verifier: string;
  readonly #service: TestService;

  constructor(service: TestService, client: OAuthClient) {
    const { verifier, challenge } = createPkce();
    this.client = client;
    this.challenge = challenge;
    this.#verifier = verifier;
    this.#service = service;
  }

  /** @param more parameters of the request; `pages`: a browser that may already be signed in */
  async sentBrowser(
    more: Readonly<Record<string, string>> = {},
    pages = new CookieBrowser(this.#service),
  ): Promise<RedirectedBrowser> {
    const root = toRootBrowser(this.#service, pages);
    const location = readLocation(
      await root.get(`/oauth2/authorize?${createAuthorizeQuery(this.client, this.challenge, more)}`),
    );
    const returnTo = new URL(location, this.#service.baseUrl).searchParams.get('return_to') ?? '';
    // A cookie of this browser may also store the pending request.
    for (const [name, value] of root.cookies) pages.cookies.set(name, value);
    await pages.session();
    const goOn = () => {
      for (const [name, value] of pages.cookies) root.cookies.set(name, value);
      return root.get(returnTo);
    };
    return { pages, root, goOn };
  }

  /** Exchanges a code for tokens. */
  exchange(code: string): Promise<Exchange> {
    const fields = { grant_type: 'authorization_code', client_id: this.client.id, redirect_uri: CALLBACK };
    return postForm(this.#service, '/oauth2/token', { ...fields, code, code_verifier: this.#verifier });
  }
}

/** Returns the service as a page of this browser calls it. */
export function withPageCookies(service: TestService, pages: CookieBrowser): TestService {
  return { ...service, post: (path, body, headers) => pages.post(path, body, headers) };
}

/** The secret that a device creates for itself. */
export const createDeviceSecret = (deviceKey: string, deviceGroupKey: string) =>
  makeDeviceVerifier({ engine, device: { deviceGroupKey, deviceKey }, random });

/** Creates a remembered device, and a browser that is signed in on it. */
export async function openBrowserOnDevice(
  service: TestService,
  email: string,
): Promise<{ readonly root: CookieBrowser; readonly device: RouteDevice }> {
  const pages = new CookieBrowser(service);
  const given = await pages.logIn(email);
  const { device_key: key = '', device_group_key: groupKey = '' } = given.body.new_device_metadata as Record<
    string,
    string
  >;
  const secret = createDeviceSecret(key, groupKey);
  const device = { ...(await logInOnNewDevice(service, email)), key, groupKey, secret };
  assert.equal((await pages.post('/device', createRegistrationBody(device))).status, 200);
  assert.equal((await pages.ask('PUT', `/device/${key}`, { remembered_status: true })).status, 200);
  return { root: toRootBrowser(service, pages), device };
}
