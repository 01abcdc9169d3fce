import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OAuthError, ProviderError } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { readFormValue, requireFormValue, toErrorResponse } from './oauth-endpoint.ts';

const answerTo = (thrown: unknown, authorization?: string) => {
  const { status, headers = {}, body = '' } = toErrorResponse(thrown, { headers: { authorization } });
  return { status, headers, body: JSON.parse(body) as Readonly<Record<string, string>> };
};

describe('an error of the OAuth endpoints', () => {
  it("has the protocol's name, and tells a client how to authenticate", () => {
    const { status, headers, body } = answerTo(new OAuthError('invalid_grant', 'The code is used.'));
    assert.deepEqual([status, body], [400, { error: 'invalid_grant', error_description: 'The code is used.' }]);
    assert.equal(headers['www-authenticate'], undefined);
    const inBody = answerTo(new OAuthError('invalid_client', 'x'));
    assert.deepEqual([inBody.status, inBody.headers['www-authenticate']], [400, undefined]);
    const grant = answerTo(new OAuthError('invalid_grant', 'x'), 'Basic x');
    assert.deepEqual([grant.status, grant.headers['www-authenticate']], [400, undefined]);
    const inHeader = answerTo(new OAuthError('invalid_client', 'x'), 'Basic x');
    assert.deepEqual([inHeader.status, inHeader.headers['www-authenticate']], [401, 'Basic realm="oauth2"']);
    const token = answerTo(new OAuthError('invalid_token', 'x'));
    assert.deepEqual(
      [token.status, token.headers['www-authenticate']],
      [401, 'Bearer error="invalid_token", error_description="x"'],
    );
    const scope = answerTo(new OAuthError('insufficient_scope', 'x'));
    assert.equal(scope.status, 403);
    assert.match(String(scope.headers['www-authenticate']), /^Bearer error="insufficient_scope".*, scope="openid"$/);
  });

  it("of a trigger is limited to the protocol's characters", () => {
    const refused = new ProviderError(
      'UserLambdaValidationException',
      'PreAuthentication failed with error say "no"\\\u00e4.',
    );
    const { status, body } = answerTo(refused);
    assert.deepEqual([status, body.error], [400, 'invalid_grant']);
    assert.match(String(body.error_description), /^[ !#-[\]-~]*$/);
    assert.match(String(body.error_description), /'no''\?/);
  });

  it('outside of the protocol reveals nothing, and includes the time to retry', () => {
    const busy = answerTo(new GatewayError('too_many_requests', undefined, { retryAfterSeconds: 2.2 }));
    assert.deepEqual(
      [busy.status, busy.body, busy.headers['retry-after']],
      [429, { error: 'temporarily_unavailable' }, '3'],
    );
    const soon = answerTo(new GatewayError('unavailable', undefined, { retryAfterSeconds: 0 }));
    assert.deepEqual([soon.status, soon.headers['retry-after']], [503, '1']);
    const away = answerTo(new GatewayError('unavailable'));
    assert.deepEqual([away.body, away.headers['retry-after']], [{ error: 'temporarily_unavailable' }, undefined]);
    const refused = answerTo(new ProviderError('InvalidParameterException', 'a name of the provider'));
    assert.deepEqual([refused.status, refused.body], [400, { error: 'temporarily_unavailable' }]);
    const defect = answerTo(new RangeError('a secret'));
    assert.deepEqual([defect.status, defect.body], [500, { error: 'server_error' }]);
    const large = answerTo(new GatewayError('not_found', 'There is none.'));
    assert.deepEqual(
      [large.status, large.body],
      [404, { error: 'invalid_request', error_description: 'There is none.' }],
    );
  });
});

describe('a form of the OAuth endpoints', () => {
  it('has each parameter once, readable, and no empty ones', () => {
    const form = { one: ['x'], none: [''], twice: ['x', 'x'], odd: ['a\u0000'], half: ['\ud800'] };
    assert.deepEqual([readFormValue({ form }, 'one'), readFormValue({ form }, 'none')], ['x', undefined]);
    assert.equal(readFormValue({ form: undefined }, 'one'), undefined);
    assert.equal(readFormValue({ form }, 'toString'), undefined);
    for (const name of ['twice', 'odd', 'half'])
      assert.throws(() => readFormValue({ form }, name), { error: 'invalid_request' });
    assert.equal(requireFormValue({ form }, 'one'), 'x');
    for (const name of ['none', 'missing'])
      assert.throws(() => requireFormValue({ form }, name), { error: 'invalid_request' });
  });
});
