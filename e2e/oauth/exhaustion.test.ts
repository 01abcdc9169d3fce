import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertOAuthError, postForm } from '../support/oauth/oauth-client.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';

/** As many as a body holds. */
const MANY = 'a&'.repeat(32_000);

describe('a request that is made to be expensive', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  it('with tens of thousands of parameters is refused before they are parsed, and delays no other request', async () => {
    const began = performance.now();
    for (const path of ['/oauth2/token', '/oauth2/revoke', '/oauth2/userInfo']) {
      assertOAuthError(await postForm(service, path, MANY), 400, 'invalid_request', path);
    }
    for (const path of ['/logout/confirm', '/oauth2/authorize/continue']) {
      const answer = await postForm(service, path, MANY, { origin: service.baseUrl });
      assert.equal(answer.status, 400, path);
      assert.match(answer.text, /too many parameters/);
    }
    // Parsed one by one, each would take ten seconds or more.
    assert.ok(performance.now() - began < 10_000);
    const query = '&a'.repeat(6_000);
    for (const path of ['/oauth2/authorize', '/login', '/signup', '/forgotPassword', '/passkeys/add', '/logout']) {
      assert.equal((await service.get(`${path}?a${query}`)).status, 400, path);
    }
  });

  it('with a normal number of parameters is parsed', async () => {
    const fields = Array.from({ length: 50 }, (_, index) => `extra${index}=1`).join('&');
    const answer = await postForm(service, '/oauth2/token', `grant_type=nothing&${fields}`);
    assertOAuthError(answer, 400, 'unsupported_grant_type');
  });
});
