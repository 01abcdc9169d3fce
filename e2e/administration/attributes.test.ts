import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createBearerHeader, type Exchange } from '../support/requests/exchange.ts';
import { logIn } from '../support/routes/owner-login.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

/** Attributes that identify the user, record verification, or are not defined. Users cannot write any of them. */
const FORBIDDEN: readonly string[] = [
  'sub',
  'email_verified',
  'phone_number_verified',
  'status',
  'enabled',
  'username',
  'password',
  'is_webauthn_enabled',
  'password_reset_required',
  'identities',
  'cognito:groups',
  'cognito:user_status',
  'cognito:username',
  'cognito:mfa_enabled',
  'custom:role',
  'dev:custom:role',
  'constructor',
  '__proto__',
  'prototype',
  'toString',
];

/** An entry point that accepts attributes. */
interface EntryPoint {
  /** Sends the attributes as an object or as a list. */
  send(service: TestService, email: string, access: string, attributes: string): Promise<Exchange>;
  /** True if it creates a user instead of changing one. */
  readonly creates?: true;
  /** Attributes that this entry point may write: an administrator of the Cognito-compatible API verifies as in Cognito. */
  readonly allows?: readonly string[];
}

const json = (
  service: TestService,
  method: string,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
) => service.ask(method, path, { body, headers });

const cognitoApi = (
  service: TestService,
  operation: string,
  members: string,
  headers: Readonly<Record<string, string>> = {},
) => service.call(operation, `{${members}}`, headers);

const VERIFIED = ['email_verified', 'phone_number_verified'];

/** The routes accept an object, the Cognito-compatible API a list. */
const ROUTE_ENTRY_POINTS: Readonly<Record<string, EntryPoint>> = {
  'POST /admin/users': {
    creates: true,
    send: (service, email, _access, attributes) =>
      json(service, 'POST', '/admin/users', `{"email":"new-${email}","attributes":${attributes}}`, service.asAdmin),
  },
  'PATCH /admin/users/{username}': {
    send: (service, email, _access, attributes) =>
      json(service, 'PATCH', `/admin/users/${email}`, `{"attributes":${attributes}}`, service.asAdmin),
  },
  'POST /user/invite': {
    creates: true,
    send: (service, email, _access, attributes) =>
      json(service, 'POST', '/user/invite', `{"email":"new-${email}","attributes":${attributes}}`, service.asAdmin),
  },
  'PATCH /user/profile': {
    send: (service, _email, access, attributes) =>
      json(service, 'PATCH', '/user/profile', `{"attributes":${attributes}}`, createBearerHeader(access)),
  },
  'POST /register': {
    creates: true,
    send: (service, email, _access, attributes) =>
      json(
        service,
        'POST',
        '/register',
        `{"email":"new-${email}","password":"${PASSWORD}","attributes":${attributes}}`,
        {},
      ),
  },
};

const COGNITO_API_ENTRY_POINTS: Readonly<Record<string, EntryPoint>> = {
  SignUp: {
    creates: true,
    send: (service, email, _access, attributes) =>
      cognitoApi(
        service,
        'SignUp',
        `"ClientId":"${service.clientId}","Username":"new-${email}","Password":"${PASSWORD}","UserAttributes":${attributes}`,
      ),
  },
  UpdateUserAttributes: {
    send: (service, _email, access, attributes) =>
      cognitoApi(service, 'UpdateUserAttributes', `"AccessToken":"${access}","UserAttributes":${attributes}`),
  },
  AdminUpdateUserAttributes: {
    allows: VERIFIED,
    send: (service, email, _access, attributes) =>
      cognitoApi(
        service,
        'AdminUpdateUserAttributes',
        `"UserPoolId":"${service.userPoolId}","Username":"${email}","UserAttributes":${attributes}`,
        service.asAdmin,
      ),
  },
};

const asObject = (name: string): string => `{"${name}":"true"}`;
const asList = (name: string): string => `[{"Name":"${name}","Value":"true"}]`;

describe('attributes in requests', () => {
  let service: TestService;
  let signed: Readonly<Record<string, string>>;
  before(async () => {
    service = await startTestService();
    signed = service.asAdmin;
  });
  after(() => service.close());

  const shown = async (name: string) => service.get(`/admin/users/${name}`, signed);

  let count = 0;
  async function tried({ send, creates, allows = [] }: EntryPoint, writings: readonly ((name: string) => string)[]) {
    count += 1;
    const email = `attributes-${count}@example.com`;
    await addUser(service, email);
    const { access } = await logIn(service, email);
    const before = (await shown(email)).text;
    for (const name of FORBIDDEN.filter((forbidden) => !allows.includes(forbidden))) {
      for (const written of writings) {
        const answer = await send(service, email, access, written(name));
        assert.ok([400, 422].includes(answer.status), `${written(name)}: ${answer.status} ${answer.text}`);
      }
    }
    assert.equal((await shown(email)).text, before);
    if (creates) assert.equal((await shown(`new-${email}`)).status, 404);
    assert.equal(({} as Readonly<Record<string, unknown>>).email_verified, undefined);
  }

  for (const [name, entryPoint] of Object.entries(ROUTE_ENTRY_POINTS)) {
    it(`${name} refuses attributes that identify a user or record verification`, () =>
      tried(entryPoint, [asObject, asList]));
  }

  for (const [name, entryPoint] of Object.entries(COGNITO_API_ENTRY_POINTS)) {
    it(`${name} refuses attributes that identify a user or record verification`, () => tried(entryPoint, [asList]));
  }

  it('other members of the body do not change them either', async () => {
    const email = 'beside@example.com';
    await addUser(service, email);
    const { access } = await logIn(service, email);
    const more = {
      email_verified: false,
      sub: 'x',
      status: 'RESET_REQUIRED',
      enabled: false,
      groups: ['admin'],
      'cognito:groups': ['admin'],
      is_webauthn_enabled: true,
      password_reset_required: true,
      mfa: { enabled: true },
    };
    const before = (await shown(email)).body.user as Readonly<Record<string, unknown>>;
    for (const [method, path, headers] of [
      ['PATCH', '/user/profile', createBearerHeader(access)],
      ['PATCH', `/admin/users/${email}`, signed],
    ] as const) {
      const answer = await service.ask(method, path, { headers, body: { ...more, attributes: { name: 'Ada' } } });
      assert.equal(answer.status, 200, answer.text);
      const { updated_at: _then, ...user } = (await shown(email)).body.user as Readonly<Record<string, unknown>>;
      const { updated_at: _before, ...was } = before;
      assert.deepEqual(user, { ...was, attributes: { ...(was.attributes as object), name: 'Ada' } });
    }
    const made = await service.post('/admin/users', { ...more, email: 'more@example.com' }, signed);
    const user = made.body.user as Readonly<Record<string, unknown>>;
    assert.deepEqual(
      [user.status, user.enabled, user.groups ?? [], user.is_webauthn_enabled],
      ['FORCE_CHANGE_PASSWORD', true, [], false],
    );
  });

  it('a new address of a user takes effect only once it is verified', async () => {
    const email = 'moving@example.com';
    await addUser(service, email);
    const { access } = await logIn(service, email);
    const asked = await service.ask('PATCH', '/user/profile', {
      headers: createBearerHeader(access),
      body: { attributes: { email: 'moved@example.com' } },
    });
    assert.equal(asked.status, 200, asked.text);
    assert.equal(((await shown(email)).body.user as Readonly<Record<string, unknown>>).email, email);
    assert.equal((await service.post('/login', { username: 'moved@example.com', password: PASSWORD })).status, 401);
    const code = service.outbox?.list('moved@example.com').find((message) => message.code)?.code;
    const verified = await service.post(
      '/user/attributes/verify',
      { attribute: 'email', code },
      createBearerHeader(access),
    );
    assert.equal(verified.status, 200, verified.text);
    await logIn(service, 'moved@example.com');
    assert.equal((await service.post('/login', { username: email, password: PASSWORD })).status, 401);
  });
});
