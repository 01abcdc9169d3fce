import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Gateway } from '@poolgate/gateway';
import { openTestEnvironment, type TestEnvironment } from '../../packages/pool/src/testing/test-environment.ts';
import { addUser, openTestPoolOn, type TestPool } from '../../packages/pool/src/testing/test-pool.ts';
import { loginByPassword } from '../../packages/pool/src/testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens } from '../../packages/pool/src/testing/test-tokens.ts';
import { readSigningKey, type SigningKey, signJwt } from '../support/oauth/minted-tokens.ts';
import { TOKEN_ENDPOINTS } from '../support/oauth/token-endpoints.ts';
import { createGatewayServer } from '../support/services/gateway-server.ts';

const ADA = 'ada@example.com';
const USER_SCOPE = 'aws.cognito.signin.user.admin';

/** Scopes that a client can request at the OAuth endpoints without the one that user routes require, and lookalikes. */
const SCOPES_WITHOUT = [
  undefined,
  null,
  '',
  'openid',
  'openid email phone profile',
  'things/read things/aws.cognito.signin.user.admin',
  `${USER_SCOPE}.`,
  `x${USER_SCOPE}`,
  USER_SCOPE.toUpperCase(),
  [USER_SCOPE],
  { [USER_SCOPE]: true },
];

const SCOPES_WITH = [USER_SCOPE, `openid ${USER_SCOPE}`, `${USER_SCOPE} things/read`];

/** Calls that change nothing with a valid token, for the half of the matrix that must succeed. */
const HARMLESS = new Set([
  'GET /user/profile',
  'GET /device',
  'GET /passkey',
  'GET /user/sessions',
  'GET /user/factors',
]);
const HARMLESS_OPERATIONS = new Set(['GetUser', 'ListDevices', 'ListWebAuthnCredentials', 'GetUserAuthFactors']);

describe('the scope of an access token, at everything that accepts one', () => {
  let opened: TestEnvironment;
  let pool: TestPool;
  let gateway: Gateway;
  let key: SigningKey;
  let claims: Readonly<Record<string, unknown>>;
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    pool = await openTestPoolOn(opened);
    gateway = await createGatewayServer(opened, pool);
    await addUser(pool, ADA);
    key = await readSigningKey(opened, pool.userPoolId, 'access');
    claims = decodeTokenPart(requireTokens(await loginByPassword(pool, ADA)).access, 1);
  });
  after(async () => {
    await gateway.close();
    await opened.close();
  });

  const withClaims = (more: object): string => signJwt(key, { kid: key.kid, alg: 'RS256' }, { ...claims, ...more });

  it('a login at the API has only the user scope', () => {
    assert.equal(claims.scope, USER_SCOPE);
  });

  for (const endpoint of TOKEN_ENDPOINTS) {
    it(`${endpoint.name} requires the user scope`, async () => {
      for (const scope of SCOPES_WITHOUT) {
        const { lacksScope, text } = await endpoint.present(gateway, withClaims({ scope }));
        assert.ok(lacksScope, `${JSON.stringify(scope)}: ${text.slice(0, 300)}`);
      }
    });

    it(`${endpoint.name} does not accept a machine as a user, whatever its scope`, async () => {
      for (const scope of [...SCOPES_WITH, 'things/read']) {
        const machine = { sub: pool.clientId, username: undefined, origin_jti: undefined, version: 2, scope };
        const { isRefused, text } = await endpoint.present(gateway, withClaims(machine));
        assert.ok(isRefused, `${scope}: ${text.slice(0, 300)}`);
      }
    });
  }

  it('a token with the scope is accepted, also among others', async () => {
    const endpoints = TOKEN_ENDPOINTS.filter(({ name }) => HARMLESS.has(name) || HARMLESS_OPERATIONS.has(name));
    assert.equal(endpoints.length, HARMLESS.size + HARMLESS_OPERATIONS.size);
    for (const { name, present } of endpoints) {
      for (const scope of SCOPES_WITH) {
        const { isRefused, lacksScope, text } = await present(gateway, withClaims({ scope }));
        assert.equal(isRefused || lacksScope, false, `${name}, ${scope}: ${text.slice(0, 300)}`);
      }
    }
  });
});
