import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeDeviceVerifier, secureRandom as random } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { sessionRefreshes } from '../proofs/session-refreshes.ts';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import { addUser, assertProblem, startTestService, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

const INSTANTS = 10;
const HOUR_MS = 3_600_000;

it('two tabs at each of two replicas refresh at the same instant: one refresh each time, and no user is signed out', async () => {
  const { instants, requests, refreshes, faults } = await sessionRefreshes(INSTANTS);
  assert.deepEqual(faults, []);
  assert.deepEqual([instants, requests, refreshes], [INSTANTS, 4 * INSTANTS, INSTANTS]);
});

describe('a session whose tokens are refreshed', () => {
  let service: TestService;
  let minted = 0;
  before(async () => {
    service = await startTestService({
      claims: () => {
        minted += 1;
        return {};
      },
    });
  });
  after(() => service.close());

  async function signedIn(email: string, more: object = {}): Promise<CookieBrowser> {
    await addUser(service, email);
    const browser = new CookieBrowser(service);
    await browser.logIn(email, { ...more });
    return browser;
  }

  it('ends if the refresh is refused, and the browser gets an error', async () => {
    const browser = await signedIn('refused@example.com', { stay_signed_in: true });
    service.clock.advance(31 * 24 * HOUR_MS - 24 * HOUR_MS);
    const answer = await browser.get('/user/profile');
    assertProblem(answer, 401, 'unauthenticated');
    assert.equal(browser.cookies.has('__Host-poolgate'), false);
  });

  it('is not refreshed while its tokens are valid, however often it is used', async () => {
    const browser = await signedIn('good@example.com');
    minted = 0;
    await Promise.all(Array.from({ length: 20 }, () => browser.get('/user/profile')));
    service.clock.advance(HOUR_MS - 61_000);
    await Promise.all(Array.from({ length: 20 }, () => browser.get('/session')));
    assert.equal(minted, 0);
  });

  it('is refreshed on request, once for all parallel pages, and then shows changed claims', async () => {
    const browser = await signedIn('asked@example.com');
    const changed = await browser.ask('PATCH', '/user/profile', { attributes: { given_name: 'Ada' } });
    assert.equal(changed.status, 200, changed.text);
    const names = async () => {
      const { user } = (await browser.session()).body as { user: { attributes: Record<string, string> } };
      return user.attributes.given_name;
    };
    assert.equal(await names(), undefined);
    service.clock.advance(10_000);
    minted = 0;
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.at(service).post('/token/refresh')));
    for (const { status, text } of answers) assert.equal(status, 200, text);
    if (!ON_COGNITO) assert.equal(minted, 1);
    assert.equal(await names(), 'Ada');
  });

  it('continues with a device that was confirmed meanwhile', async () => {
    const email = 'device@example.com';
    await addUser(service, email);
    const browser = new CookieBrowser(service);
    const given = await browser.logIn(email);
    const { device_key: key, device_group_key: groupKey } = given.body.new_device_metadata as Record<string, string>;
    assert.ok(key && groupKey, given.text);
    const secret = makeDeviceVerifier({ engine, device: { deviceGroupKey: groupKey, deviceKey: key }, random });
    const config = JSON.stringify({ DeviceSecretVerifierConfig: secret.config });
    const confirmed = await browser.post('/device', { device_key: key, device_config: config });
    assert.equal(confirmed.status, 200, confirmed.text);
    service.clock.advance(HOUR_MS - 1);
    assert.equal((await browser.get('/user/profile')).status, 200);
  });
});
