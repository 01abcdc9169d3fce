import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSchema, ROUTES } from '@poolgate/contract';
import { presentLoginStep, presentTokens } from './present-login-step.ts';

const schema = ROUTES.login.responses[200].schema;
const result = { AccessToken: 'a', RefreshToken: 'r', IdToken: 'i', ExpiresIn: 3600, TokenType: 'Bearer' };
const challenge = { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: 's', ChallengeParameters: { A: 'b' } } as const;

test('a completed login returns the three tokens and their lifetime', () => {
  const body = presentLoginStep({ AuthenticationResult: result }, { username: 'u' });
  assert.deepEqual(checkSchema(schema, body), []);
  assert.deepEqual(body, {
    status: 'success',
    access_token: 'a',
    refresh_token: 'r',
    id_token: 'i',
    token_type: 'Bearer',
    expires_in: 3600,
  });
});

test('new device metadata is included', () => {
  const device = { DeviceKey: 'k', DeviceGroupKey: 'g' };
  assert.deepEqual(presentTokens({ ...result, NewDeviceMetadata: device }).new_device_metadata, {
    device_key: 'k',
    device_group_key: 'g',
  });
});

test('a challenge returns the typed name, and both session members are the same', () => {
  const body = presentLoginStep(challenge, { username: 'Ada@x.test' });
  assert.deepEqual(checkSchema(schema, body), []);
  assert.deepEqual(body, {
    status: 'challenge',
    challenge_name: 'SOFTWARE_TOKEN_MFA',
    session: 's',
    session_token: 's',
    challenge_params: { A: 'b' },
    username: 'Ada@x.test',
  });
});

test("the gateway's handle and the client's token replace the provider's session", () => {
  const body = presentLoginStep(challenge, { username: 'u', session: 'handle', sessionToken: 'own' });
  assert.equal('session' in body && body.session, 'handle');
  assert.equal('session_token' in body && body.session_token, 'own');
});

test('any other response of the provider is invalid', () => {
  assert.throws(() => presentLoginStep({}, { username: 'u' }), { code: 'provider_error' });
  assert.throws(() => presentLoginStep({ ChallengeName: 'SMS_MFA' }, { username: 'u' }), { code: 'provider_error' });
  for (const missing of ['AccessToken', 'RefreshToken', 'IdToken', 'ExpiresIn'] as const) {
    const { [missing]: _, ...rest } = result;
    assert.throws(() => presentTokens(rest), { code: 'provider_error' }, missing);
  }
});
