import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError, type ProviderOperations } from '@poolgate/provider';
import type { GatewaySettings } from '../kernel/deps.ts';
import { createTestProvider, createTestRuntime } from '../testing/gateway-deps.ts';
import { activateMfa } from './activate-mfa.ts';
import { verifyMfa, verifyMfaByPath } from './verify-mfa.ts';

const call = { requestId: 'r', sourceAddress: '192.0.2.1' };
const user = { kind: 'user', sub: 'sub-of-ada', username: 'ada', accessToken: 'a.b.c' };
const nobody = { kind: 'public' };
const AccessToken = user.accessToken;
const SECRET = 'GEZDGNBVGY3TQOJQ';

interface Given {
  readonly operations?: Partial<ProviderOperations>;
  readonly settings?: Partial<GatewaySettings>;
  /** The provider's response for an authenticator app. */
  readonly secret?: object;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** A gateway over a provider with one user, who accepts any code, and the calls to the provider. */
function createService({
  operations = {},
  settings = {},
  secret = { SecretCode: SECRET },
  attributes = {},
}: Given = {}) {
  const asked: (readonly [name: string, input: object])[] = [];
  const answer = (name: string, output: object) => async (input: object) => {
    asked.push([name, input]);
    return output as never;
  };
  const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
  const provider = {
    ...createTestProvider(() => [], {
      associateSoftwareToken: answer('associateSoftwareToken', secret),
      getUser: async () => ({ Username: 'canonical', UserAttributes }),
      setUserMFAPreference: answer('setUserMFAPreference', {}),
      verifySoftwareToken: answer('verifySoftwareToken', { Status: 'SUCCESS' }),
      ...operations,
    }),
    extensions: { end_other_logins: async () => ({ Ended: [], OwnEnded: true }) },
  };
  const runtime = createTestRuntime({ provider }, settings);
  const request = (more: object) => ({ caller: user, call, params: {}, query: {}, body: {}, ...more }) as never;
  const activate = async (more: object = {}) => (await activateMfa(runtime, request(more))).body;
  const verify = async (more: object) => (await verifyMfa(runtime, request(more))).body;
  return { runtime, asked, request, activate, verify };
}

test("a user gets a secret labeled with the email address, or with the provider's name", async () => {
  const { asked, activate } = createService({ attributes: { email: 'ada@example.test' } });
  const { SecretCode, TotpUri, session } = await activate();
  assert.deepEqual([SecretCode, session], [SECRET, undefined]);
  assert.equal(TotpUri, `otpauth://totp/localhost:ada%40example.test?secret=${SECRET}&issuer=localhost`);
  assert.deepEqual(asked, [['associateSoftwareToken', { AccessToken }]]);
  assert.match((await createService().activate()).TotpUri, /^otpauth:\/\/totp\/localhost:canonical\?/);
});

test('a login that waits for an authenticator sets one up with its session, and gets the next one', async () => {
  const secret = { SecretCode: SECRET, Session: 'next' };
  const { asked, activate } = createService({ secret });
  const { TotpUri, session } = await activate({ caller: nobody, body: { session: 'first', username: 'eve' } });
  assert.match(TotpUri, /^otpauth:\/\/totp\/localhost:eve\?/);
  assert.deepEqual([session, asked], ['next', [['associateSoftwareToken', { Session: 'first' }]]]);
  await assert.rejects(createService().activate({ caller: nobody }), { code: 'unauthenticated' });
  const refuse = async () => Promise.reject(new ProviderError('NotAuthorizedException', 'no'));
  const refused = createService({ operations: { associateSoftwareToken: refuse } });
  await assert.rejects(refused.activate({ caller: nobody, body: { session: 'none' } }), { code: 'invalid_session' });
});

test('IDP_MFA_QR_LIBRARY gets the percent-encoded URI appended', async () => {
  const mfaQrLibrary = 'https://qr.example.test/?size=200&text=';
  const { SecretCodeQR, TotpUri } = await createService({ settings: { mfaQrLibrary } }).activate();
  assert.equal(SecretCodeQR, `${mfaQrLibrary}${encodeURIComponent(TotpUri)}`);
});

test('a secret that no authenticator can read is a fault of the provider; one of 256 characters is accepted', async () => {
  const activate = (SecretCode: string) => createService({ secret: { SecretCode } }).activate();
  for (const padded of ['A'.repeat(256), 'ge======']) assert.equal((await activate(padded)).SecretCode, padded);
  for (const nonsense of ['', ' ', '=', 'A1', 'A=A', '\ud800', 'A'.repeat(257), 'ä'.repeat(70_000)]) {
    await assert.rejects(activate(nonsense), { code: 'provider_error' }, nonsense.slice(0, 9));
  }
  await assert.rejects(createService({ secret: {} }).activate(), { code: 'provider_error' });
});

test('a code verifies the authenticator of a user, turns it on and ends the other logins', async () => {
  const { runtime, asked, request, verify } = createService();
  const body = { code: '123456', device_name: 'Phone' };
  assert.deepEqual(await verify({ body }), { status: 'success', message: 'MFA is on.', data: {}, login_ended: true });
  const verified = { AccessToken, UserCode: '123456', FriendlyDeviceName: 'Phone' };
  const preference = { AccessToken, SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true } };
  const expected = [
    ['verifySoftwareToken', verified],
    ['setUserMFAPreference', preference],
  ];
  assert.deepEqual(asked.splice(0), expected);
  const byPath = { params: { code: '123456' }, body: { device_name: 'Phone', end_other_sessions: false } };
  const answer = await verifyMfaByPath(runtime, request(byPath));
  assert.deepEqual([answer.body.login_ended, asked], [undefined, expected]);
});

test('during a login the provider turns the authenticator on, and no login ends', async () => {
  const inputs: object[] = [];
  const { asked, verify } = createService({
    operations: {
      async verifySoftwareToken(input) {
        inputs.push(input);
        return { Status: 'SUCCESS', Session: 'next' };
      },
    },
  });
  const body = await verify({ caller: nobody, body: { code: '123456', session: 'first' } });
  assert.deepEqual([body.session, body.login_ended, asked], ['next', undefined, []]);
  assert.deepEqual(inputs, [{ Session: 'first', UserCode: '123456' }]);
});

test('a wrong code turns nothing on', async () => {
  const { asked, verify } = createService({ operations: { verifySoftwareToken: async () => ({ Status: 'ERROR' }) } });
  await assert.rejects(verify({ body: { code: '123456' } }), { code: 'code_mismatch' });
  assert.deepEqual(asked, []);
});

test('if authenticators are not offered, the provider is not called', async () => {
  const { asked, activate, verify } = createService({ settings: { mfaTypes: ['EMAIL_OTP'] } });
  await assert.rejects(activate(), { code: 'feature_disabled' });
  await assert.rejects(verify({ body: { code: '123456' } }), { code: 'feature_disabled' });
  assert.deepEqual(asked, []);
});
