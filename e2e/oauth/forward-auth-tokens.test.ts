import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  callAsAdmin,
  createOAuthClient,
  createResourceServer,
  postForm,
  toBasicHeader,
} from '../support/oauth/oauth-client.ts';
import {
  addUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const CLIENT = 'forwardedclient0001';
const ADA = 'ada@example.test';
const TOLD = ['sub', 'username', 'email', 'email-verified', 'groups'].map((name) => `x-poolgate-${name}`);

const FORWARDED = {
  'x-forwarded-for': '198.51.100.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'app.example.test',
  'x-forwarded-uri': '/',
};
const BEHIND_PROXY = { trustedProxies: ['127.0.0.1/32'] };

let service: TestService;
let sub: string;
before(async () => {
  service = await startTestService({ clientId: CLIENT, forwardAuthClient: CLIENT, ...BEHIND_PROXY });
  sub = await addUser(service, ADA);
  const named = { UserPoolId: service.userPoolId, GroupName: 'staff' };
  await callAsAdmin(service, 'CreateGroup', named);
  await callAsAdmin(service, 'AdminAddUserToGroup', { ...named, Username: ADA });
});
after(() => service.close());

const check = (token: string, query = '', to = service) =>
  to.get(`/cognito/forward-auth${query}`, {
    authorization: `Bearer ${token}`,
    'x-poolgate-sub': 'forged',
    ...FORWARDED,
  });
const login = async (to = service) => requireTokens(await to.post('/login', { username: ADA, password: PASSWORD }));

async function assertOut(token: string, about: string): Promise<void> {
  const { status, headers, text } = await check(token, '?redirect=1');
  assert.equal(status, 401, `${about} ${text}`);
  for (const name of TOLD) assert.equal(headers[name], '', `${about} ${name}`);
}

it('an access token of the configured client opens forward authentication for its user', async () => {
  const { access } = await login();
  const { status, headers } = await check(access, '?group=staff');
  assert.deepEqual(
    [status, ...TOLD.map((name) => headers[name])],
    [204, sub, sub, encodeURIComponent(ADA), 'true', 'staff'],
  );
  assert.equal((await check(access, '?group=boss')).status, 403);
  const ended = await service.post('/logout', {}, { authorization: `Bearer ${access}` });
  assert.equal(ended.status, 200, ended.text);
  await assertOut(access, 'of a login that has ended');
});

it('no other token does', async () => {
  const { id, access, refresh } = await login();
  await createResourceServer(service);
  const scopes = { AllowedOAuthScopes: ['things/read'], AllowedOAuthFlows: ['client_credentials'] };
  const machine = await createOAuthClient(service, { GenerateSecret: true, ...scopes });
  const grant = { grant_type: 'client_credentials' };
  const { body } = await postForm(service, '/oauth2/token', grant, toBasicHeader(machine));
  for (const [about, token] of [
    ['an ID token', id],
    ['a refresh token', refresh],
    ['the token of another client', String(body.access_token)],
    ['a forged token', `${access.slice(0, -8)}AAAAAAAA`],
    ['no token', 'x'],
  ] as const) {
    await assertOut(token, about);
  }
});

it('no token does without the setting', async (context) => {
  const without = await startTestService(BEHIND_PROXY);
  context.after(() => without.close());
  await addUser(without, ADA);
  assert.equal((await check((await login(without)).access, '', without)).status, 401);
});
