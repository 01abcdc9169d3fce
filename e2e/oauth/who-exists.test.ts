import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PERSISTENT_LOCATIONS, readStoredRows, type StoreLocation } from '@poolgate/store/testing';
import {
  createAuthorizeQuery,
  createOAuthClient,
  createPkce,
  openSignedInBrowser,
  readLocation,
} from '../support/oauth/oauth-client.ts';
import type { Exchange } from '../support/requests/exchange.ts';
import { createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import { createAuthenticator, createRegisteredPasskey, ORIGIN, RP_ID } from '../support/routes/route-passkeys.ts';
import { addUser, inviteUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser, parseSetCookies } from '../support/web/cookie-browser.ts';

const BYSTANDER = 'bystander@example.test';

/** The states of a name. */
const STATES: Readonly<Record<string, (service: TestService, email: string) => Promise<unknown>>> = {
  unknown: async () => {},
  known: addUser,
  'known, with a passkey': async (service, email) => {
    await addUser(service, email);
    await createRegisteredPasskey(service, email, createAuthenticator());
  },
  'known, with an authenticator': async (service, email) => {
    await addUser(service, email);
    await createActiveAuthenticator(service, email);
  },
  'signed in elsewhere': async (service, email) => {
    await addUser(service, email);
    await openSignedInBrowser(service, email);
  },
  invited: inviteUser,
  unconfirmed: (service, email) => service.post('/register', { email, password: PASSWORD }),
  disabled: async (service, email) => {
    await addUser(service, email);
    await service.call('AdminDisableUser', { UserPoolId: service.userPoolId, Username: email }, service.asAdmin);
  },
};

/** All of the same length, so that every byte can be compared. */
const nameOf = (state: string) => `user-${Object.keys(STATES).indexOf(state)}@example.test`;

/** Where an application may send a user, and how it may name the expected user. */
const REQUESTS: Readonly<Record<string, readonly [path: string, more?: Readonly<Record<string, string>>]>> = {
  'GET /oauth2/authorize': ['/oauth2/authorize'],
  'GET /oauth2/authorize, prompt=none': ['/oauth2/authorize', { prompt: 'none' }],
  'GET /oauth2/authorize, prompt=login': ['/oauth2/authorize', { prompt: 'login' }],
  'GET /oauth2/authorize, prompt=select_account': ['/oauth2/authorize', { prompt: 'select_account' }],
  'GET /oauth2/authorize, prompt=consent': ['/oauth2/authorize', { prompt: 'consent' }],
  'GET /oauth2/authorize, max_age=0': ['/oauth2/authorize', { max_age: '0' }],
  'GET /login': ['/login'],
  'GET /signup': ['/signup'],
  'GET /forgotPassword': ['/forgotPassword'],
  'GET /passkeys/add': ['/passkeys/add'],
};

/** The content of a response without the sent name, with random values replaced by their length. */
function said({ status, headers, text }: Exchange, name: string): object {
  const drawn = [
    /request=([\w.-]+)/g,
    /name="request" value="([\w.-]+)/g,
    /nonce[-="]+([\w+/=-]{16,})/g,
    /__Host-[\w-]+=([\w.-]+)/g,
    /[?&#]code=([\w.-]+)/g,
  ];
  const masked = (value: string): string => {
    const plain = drawn.reduce(
      (rest, form) => rest.replaceAll(form, (whole, value) => whole.replace(value, `<${value.length}>`)),
      value.replaceAll('%3D', '=').replaceAll('%3F', '?'),
    );
    return plain.replaceAll(encodeURIComponent(name), '<name>').replaceAll(name, '<name>');
  };
  const { date: _date, 'x-request-id': _id, etag: _etag, ...rest } = headers;
  const shown = Object.entries(rest).map(([header, value]) => [header, [value ?? ''].flat().map(masked)]);
  return { status, headers: Object.fromEntries(shown), body: masked(text) };
}

for (const [place, makePlace] of Object.entries(PERSISTENT_LOCATIONS)) {
  describe(`responses to the name that an application sends, on ${place}`, () => {
    const { challenge } = createPkce();
    let location: StoreLocation;
    let service: TestService;
    let query: (name: string, more?: Readonly<Record<string, string>>) => string;
    before(async () => {
      location = await makePlace();
      service = await startTestService({ databaseUrl: location.url, rpId: RP_ID, origins: [ORIGIN] });
      const client = await createOAuthClient(service);
      query = (name, more = {}) => createAuthorizeQuery(client, challenge, { login_hint: name, ...more });
      await addUser(service, BYSTANDER);
      for (const [state, make] of Object.entries(STATES)) await make(service, nameOf(state));
    });
    after(async () => {
      await service.close();
      await location.remove();
    });

    for (const [request, [path, more]] of Object.entries(REQUESTS)) {
      const asked = async (browser: CookieBrowser, state: string) => {
        const [fresh, name] = [browser.at(service), nameOf(state)];
        const answer = await fresh.get(`${path}?${query(name, more)}`);
        const cookies = parseSetCookies(answer).map(({ name, attributes }) => [name, attributes]);
        const next = readLocation(answer);
        const page = next.startsWith('/') ? said(await fresh.get(next), name) : next.split('?')[0];
        return { answer: said(answer, name), cookies, page };
      };
      const assertAlike = async (browser: CookieBrowser) => {
        const wanted = await asked(browser, 'unknown');
        for (const state of Object.keys(STATES)) assert.deepEqual(await asked(browser, state), wanted, state);
      };

      it(`${request}, with no user signed in: the same response for all names, also on the page, and nothing is stored`, async () => {
        const rows = await readStoredRows(location.url);
        await assertAlike(new CookieBrowser(service, ''));
        assert.deepEqual(await readStoredRows(location.url), rows);
      });

      it(`${request}, with another user signed in: the same response for all names, also on the page`, async () => {
        await assertAlike(await openSignedInBrowser(service, BYSTANDER));
      });
    }
  });
}
