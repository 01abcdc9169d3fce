import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import { addUser, openTestEnvironment, openTestPoolOn, type TestPool } from '@poolgate/pool/testing';
import { type Output, ProviderError, type ProviderExtensions } from '@poolgate/provider';
import { createSyncComputations, type SrpComputations } from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
import { createServer } from '../http/server.ts';
import { CLIENT_ID, createTestDeps, createTestProvider } from '../testing/gateway-deps.ts';

const BODY = { username: 'ada@example.com', password: 'Correct-Horse1!' };
const DEVICE = 'us-east-1_00000000-0000-4000-8000-000000000000';
const RESULT = { AccessToken: 'a', RefreshToken: 'r', IdToken: 'i', ExpiresIn: 3600, TokenType: 'Bearer' };
const TOKENS: Output<'RespondToAuthChallenge'> = { AuthenticationResult: RESULT };

type LogIn = ProviderExtensions['log_in_with_password'];

/** Logs in at a service whose provider records its calls. */
async function logIn(body: object, extension: LogIn | undefined, loginFlow: 'srp' | 'password' = 'srp') {
  const flows: (string | undefined)[] = [];
  const provider = {
    ...createTestProvider(() => [], {
      initiateAuth: async ({ AuthFlow }) => {
        flows.push(AuthFlow);
        return TOKENS;
      },
    }),
    extensions: extension === undefined ? {} : { log_in_with_password: extension },
  };
  const app = await createServer(createTestDeps({ provider }, { loginFlow }));
  const answer = await app.inject({ method: 'POST', url: '/login', payload: body });
  return { status: answer.statusCode, flows, code: answer.json<{ readonly code?: string }>().code };
}

test('a provider that checks passwords in process gets the password, and no SRP', async () => {
  const asked: Parameters<LogIn>[0][] = [];
  const extension: LogIn = async (input) => {
    asked.push(input);
    return TOKENS;
  };
  const { status, flows } = await logIn({ ...BODY, device_key: DEVICE }, extension);
  assert.deepEqual([status, flows], [200, []]);
  assert.deepEqual(asked, [
    { ClientId: CLIENT_ID, Username: BODY.username, Password: BODY.password, DeviceKey: DEVICE },
  ]);
});

test('an unknown device is omitted on the second attempt', async () => {
  const devices: (string | undefined)[] = [];
  const extension: LogIn = async ({ DeviceKey }) => {
    devices.push(DeviceKey);
    if (DeviceKey === undefined) return TOKENS;
    throw new ProviderError('ResourceNotFoundException', 'Device does not exist.', { reason: 'device_not_found' });
  };
  assert.equal((await logIn({ ...BODY, device_key: DEVICE }, extension)).status, 200);
  assert.deepEqual(devices, [DEVICE, undefined]);
});

test('its error is the response', async () => {
  const extension: LogIn = async () => {
    throw new ProviderError('NotAuthorizedException', 'Incorrect username or password.', {
      reason: 'invalid_credentials',
    });
  };
  const { status, code } = await logIn(BODY, extension);
  assert.deepEqual([status, code], [401, 'invalid_credentials']);
});

test('any other provider gets SRP, and a setting can pass the password on instead', async () => {
  const never: LogIn = () => assert.fail('asked in process');
  assert.deepEqual((await logIn(BODY, undefined)).flows, ['USER_SRP_AUTH']);
  assert.deepEqual((await logIn(BODY, undefined, 'password')).flows, ['USER_PASSWORD_AUTH']);
  assert.deepEqual((await logIn(BODY, never, 'password')).flows, ['USER_PASSWORD_AUTH']);
});

describe('a password login at a provider with SRP', () => {
  const asked: unknown[] = [];
  let pool: TestPool;
  before(async () => {
    pool = await openTestPoolOn(await openTestEnvironment('sqlite::memory:'));
    await addUser(pool, BODY.username);
  });
  after(() => pool.close());

  type Operations = TestPool['operations'];

  async function logInAt(
    body: object,
    change: Partial<Operations> = {},
    srp: SrpComputations = createSyncComputations(openSslEngine),
  ) {
    const operations: Operations = {
      ...pool.operations,
      respondToAuthChallenge(input, call) {
        asked.push(input);
        return pool.operations.respondToAuthChallenge(input, call);
      },
      ...change,
    };
    const { userPoolId, clientId, clock } = pool;
    const provider = { ...pool.embedded, operations, extensions: {} };
    const app = await createServer(
      createTestDeps({ provider, userPoolId, clientId, clock, engine: openSslEngine, srp }),
    );
    const { statusCode, json } = await app.inject({ method: 'POST', url: '/login', payload: body });
    return { status: statusCode, body: json() };
  }

  it('ends in tokens for the right password, wherever it is computed, and never sends it to the provider', async () => {
    const here = createSyncComputations(openSslEngine);
    const elsewhere = {
      ...here,
      startClient: async (given: Parameters<typeof here.startClient>[0]) => here.startClient(given),
      passwordClaim: async (given: Parameters<typeof here.passwordClaim>[0]) => here.passwordClaim(given),
    };
    for (const srp of [here, elsewhere]) {
      asked.length = 0;
      const { status, body } = await logInAt(BODY, {}, srp);
      assert.deepEqual([status, body.status], [200, 'success'], JSON.stringify(body));
      assert.equal(asked.length, 1);
      assert.ok(!JSON.stringify(asked).includes(BODY.password));
    }
  });

  it('is refused for a wrong one, and omits an unknown device', async () => {
    const { status, body } = await logInAt({ ...BODY, password: 'Wrong-Horse9!' });
    assert.deepEqual([status, body.code], [401, 'invalid_credentials']);
    asked.length = 0;
    const withDevice = await logInAt({ ...BODY, device_key: DEVICE });
    assert.deepEqual([withDevice.status, withDevice.body.status], [200, 'success']);
    const keys = (asked as { ChallengeResponses: { DEVICE_KEY?: string } }[]).map(
      ({ ChallengeResponses }) => ChallengeResponses.DEVICE_KEY,
    );
    assert.deepEqual(keys, [DEVICE, undefined]);
  });

  it("returns the provider's session, continues with another challenge, and refuses a B that forces the result", async () => {
    const { username } = BODY;
    const parameters = { SALT: 'f3', SRP_B: 'abc', SECRET_BLOCK: 'AAAA', USER_ID_FOR_SRP: 'u' };
    const answering = (step: Output<'InitiateAuth'>) => {
      asked.length = 0;
      return logInAt(BODY, {
        initiateAuth: async () => step,
        respondToAuthChallenge: async (input) => {
          asked.push(input.Session, input.ChallengeResponses?.USERNAME);
          return TOKENS;
        },
      });
    };
    const verifier = { ChallengeName: 'PASSWORD_VERIFIER', ChallengeParameters: parameters } as const;
    assert.equal((await answering({ ...verifier, Session: 'theirs' })).status, 200);
    assert.deepEqual(asked, ['theirs', 'u']);
    assert.equal((await answering(verifier)).status, 200);
    assert.deepEqual(asked, [undefined, 'u']);
    const next = await answering({ ChallengeName: 'SMS_MFA', Session: 't', ChallengeParameters: {} });
    assert.deepEqual([next.status, next.body.challenge_name, next.body.username], [200, 'SMS_MFA', username]);
    const fixed = await answering({ ...verifier, ChallengeParameters: { ...parameters, SRP_B: '1' } });
    assert.deepEqual([fixed.status, fixed.body.code], [502, 'provider_error']);
    assert.deepEqual(asked, []);
  });
});
