import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { escapeHtml } from './escape-html.ts';
import { authorizationLocation, createAuthorizationResponse, OAuthError } from './oauth-server.ts';
import { parseScopes, USER_SCOPE } from './scopes.ts';

describe('the redirect address of an authorization response', () => {
  const to = (
    redirectUri: string,
    responseType: 'code' | 'token',
    state: string | null,
    answer: Readonly<Record<string, string>>,
  ) => authorizationLocation({ redirectUri, responseType, state }, answer);

  it('is the registered one, character by character, followed by the response', () => {
    for (const [redirectUri, responseType, expected] of [
      ['https://app.test/cb', 'code', 'https://app.test/cb?code=1&state=s'],
      ['https://app.test/cb?a=%20b', 'code', 'https://app.test/cb?a=%20b&code=1&state=s'],
      ['https://app.test', 'code', 'https://app.test?code=1&state=s'],
      ['my.app:/cb', 'code', 'my.app:/cb?code=1&state=s'],
      ['https://app.test/cb', 'token', 'https://app.test/cb#code=1&state=s'],
      ['https://app.test/cb?a=b', 'token', 'https://app.test/cb?a=b#code=1&state=s'],
    ] as const) {
      assert.equal(to(redirectUri, responseType, 's', { code: '1' }), expected);
    }
  });

  it("contains the client's state as one value, and none if the client sent none", () => {
    const state = 'a&code=forged#x=1';
    const { searchParams, hash } = new URL(to('https://app.test/cb', 'code', state, { code: 'own' }));
    assert.deepEqual([searchParams.getAll('code'), searchParams.get('state'), hash], [['own'], state, '']);
    assert.equal(to('https://app.test/cb', 'code', null, { code: '1' }), 'https://app.test/cb?code=1');
    assert.equal(to('https://app.test/cb', 'code', '', { code: '1' }), 'https://app.test/cb?code=1&state=');
  });

  it('is only the registered one if the response is posted as a form', () => {
    const asked = { redirectUri: 'https://app.test/cb?a=b', responseType: 'code', responseMode: 'form_post' } as const;
    const state = '"><script>';
    const answer = createAuthorizationResponse({ ...asked, state }, { code: '1' });
    assert.deepEqual(answer, { Location: asked.redirectUri, Form: { code: '1', state } });
    assert.deepEqual(createAuthorizationResponse({ ...asked, state: null }, { code: '1' }).Form, { code: '1' });
  });
});

describe('an OAuth error', () => {
  it('has its code, and the redirect address only if it is known', () => {
    const cause = new Error('why');
    const plain = new OAuthError('invalid_request', 'The request is wrong.');
    assert.deepEqual(
      [plain.error, plain.message, plain.location, plain.cause],
      ['invalid_request', 'The request is wrong.', undefined, undefined],
    );
    const location = 'https://app.test/cb?error=access_denied';
    const located = new OAuthError('access_denied', 'No.', { location, cause });
    assert.deepEqual([located.location, located.form, located.cause], [location, undefined, cause]);
  });
});

describe('scopes', () => {
  it('are the words of a text, and none for anything else', () => {
    for (const [scope, scopes] of [
      [`openid ${USER_SCOPE}`, ['openid', USER_SCOPE]],
      ['  openid   email ', ['openid', 'email']],
      ['', []],
      [undefined, []],
      [null, []],
      [['openid'], []],
      [{ openid: true }, []],
      ['openid\temail', ['openid\temail']],
    ] as const) {
      assert.deepEqual(parseScopes(scope), scopes);
    }
    assert.equal(USER_SCOPE, 'aws.cognito.signin.user.admin');
  });
});

describe('HTML escaping', () => {
  it('works in text and in attributes with either kind of quotes', () => {
    assert.equal(
      escapeHtml(`<a href="x" title='y'>&amp;</a>`),
      '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
    );
    assert.equal(escapeHtml('Ada ö 🙂'), 'Ada ö 🙂');
  });
});
