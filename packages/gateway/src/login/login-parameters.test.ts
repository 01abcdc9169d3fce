import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from '../http/server.ts';
import { CLIENT_ID, createTestDeps, createTestProvider, POOL } from '../testing/gateway-deps.ts';

const SYMBOLS = '^$*.[]{}()?"!@#%&/\\,><\':;|_~`=+- ';
const FACTS = {
  minimumLength: 8,
  requireUppercase: true,
  requireLowercase: true,
  requireNumbers: false,
  requireSymbols: true,
  refuseCommon: true,
  refuseLeaked: true,
};
const nothing = async () => assert.fail('asked');

async function fetchParameters(pool: Partial<typeof POOL> | undefined, verifierPasswords = true) {
  const provider = {
    ...createTestProvider(() => []),
    extensions: { verifier_passwords: {}, finish_discoverable_login: nothing, create_recovery_codes: nothing } as never,
    describe: async () => (pool === undefined ? undefined : { ...POOL, ...pool }),
  };
  const app = await createServer(createTestDeps({ provider }, { verifierPasswords }));
  const { statusCode, headers, json } = await app.inject({ method: 'GET', url: '/login/parameters' });
  return { status: statusCode, retryAfter: headers['retry-after'], body: json() };
}

test('a client gets everything that it needs before a login', async () => {
  const pool = { passwordPolicy: FACTS, challenges: ['EMAIL_OTP'], firstFactors: ['PASSWORD'] } as const;
  const { status, body } = await fetchParameters(pool);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    provider: { user_pool_id: POOL.userPoolId, client_id: CLIENT_ID, region: 'us-east-1' },
    pool_name: Buffer.from('Abc123xyz').toString('base64'),
    srp: { N: 'ff', g: '02', hash: 'SHA-256' },
    passkeys: { enabled: true, rp_id: 'localhost' },
    mfa: { setup: 'OPTIONAL', types: [] },
    password_policy: {
      minimum_length: 8,
      maximum_length: 256,
      require_uppercase: true,
      require_lowercase: true,
      require_numbers: false,
      require_symbols: true,
      symbols: SYMBOLS,
      refuse_common: true,
      refuse_leaked: true,
    },
    challenges: ['EMAIL_OTP'],
    challenge_seconds: null,
    first_factors: ['PASSWORD'],
    capabilities: ['create_recovery_codes', 'finish_discoverable_login', 'verifier_passwords'],
  });
});

test('what the pool lacks, does not report, or the service has turned off is listed as none', async () => {
  const { body } = await fetchParameters({ passkeys: null }, false);
  assert.deepEqual(body.passkeys, { enabled: false, rp_id: null });
  assert.equal(body.password_policy, null);
  assert.deepEqual(body.capabilities, ['create_recovery_codes', 'finish_discoverable_login']);
});

test('a pool that accepts no verifiers lacks the capability, whatever the service allows', async () => {
  const { body } = await fetchParameters({ acceptsVerifiers: false });
  assert.deepEqual(body.capabilities, ['create_recovery_codes', 'finish_discoverable_login']);
});

test('a provider that does not know its pool is asked again after a second', async () => {
  const { status, retryAfter, body } = await fetchParameters(undefined);
  assert.deepEqual([status, body.code, retryAfter], [503, 'unavailable', '1']);
});
