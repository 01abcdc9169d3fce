import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { it } from 'node:test';
import type { TokensResponse } from '../transport/login-responses.ts';
import { readTokenUser } from './token-claims.ts';

const encode = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

it('shows the attributes of a user, and no claim about the token or the login', () => {
  const about = {
    ...{ sub: 'sub-1', iss: 'https://pool.example', aud: 'client', token_use: 'id', event_id: '1', origin_jti: '2' },
    ...{ exp: 2, iat: 1, nbf: 1, auth_time: 1, jti: '3', nonce: '4', at_hash: '5', sid: '6' },
    ...{ acr: 'urn:cognito:loa:2', amr: ['pwd', 'otp'], 'cognito:username': 'ada', identities: [] },
  };
  const attributes = { email: 'ada@example.com', email_verified: true, given_name: 'Ada', 'custom:level': 2 };
  const tokens = {
    access_token: encode({ username: 'ada', 'cognito:groups': ['staff'] }),
    id_token: encode({ ...about, ...attributes }),
  };
  const user = readTokenUser(tokens as unknown as TokensResponse);
  assert.deepEqual(user, {
    sub: 'sub-1',
    username: 'ada',
    email: 'ada@example.com',
    email_verified: true,
    groups: ['staff'],
    attributes: { email: 'ada@example.com', email_verified: 'true', given_name: 'Ada', 'custom:level': '2' },
  });
});
