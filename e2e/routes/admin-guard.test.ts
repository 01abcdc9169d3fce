import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addressesOf, ROUTES, type Route } from '@poolgate/contract';
import { OPERATIONS } from '@poolgate/provider';
import type { Exchange } from '../support/exchange.ts';
import { type SigningFaults, signedHeaders } from '../support/signed.ts';
import {
  addUser,
  inviteUser,
  PASSWORD,
  refusedWith,
  startTestService,
  type TestService,
  tokensIn,
} from '../support/test-service.ts';

const ADA = 'ada@example.com';
/** Who must not exist after any refusal. */
const EVE = 'eve@example.com';
const JSON_TYPE = { 'content-type': 'application/json' };

interface AdminRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Every admin route under every mount, with a request that would be good. */
function adminRequests(): readonly AdminRequest[] {
  const routes = Object.values<Route>(ROUTES).filter(({ guard }) => guard === 'admin');
  return routes.flatMap((route) =>
    addressesOf(route).flatMap(({ method, path }) =>
      ['', '/api/cognito'].map((prefix) => ({
        method,
        path: `${prefix}${path.replace('{username}', ADA)}`,
        body: route.body === undefined ? '' : JSON.stringify({ email: EVE, temp_password: PASSWORD }),
      })),
    ),
  );
}

describe('the doors of administration', () => {
  let service: TestService;
  let tokens: ReturnType<typeof tokensIn>;
  before(async () => {
    service = await startTestService();
    await addUser(service, ADA);
    // A user's own name and attributes give no right, whatever they say.
    await addUser(service, 'admin@example.com');
    tokens = tokensIn(await service.post('/login', { username: 'admin@example.com', password: PASSWORD }));
  });
  after(() => service.close());

  const send = ({ method, path, body }: AdminRequest, headers: Readonly<Record<string, string>>): Promise<Exchange> =>
    service.ask(method, path, { headers, ...(body === '' ? {} : { body }) });

  const sign = (
    request: AdminRequest,
    faults: SigningFaults = {},
    headers: Readonly<Record<string, string>> = JSON_TYPE,
  ) => signedHeaders(service, { ...request, headers }, faults);

  async function nothingHappened(): Promise<void> {
    const shown = await service.get(`/admin/users/${EVE}`, service.asAdmin);
    refusedWith(shown, 404, 'user_not_found');
  }

  it('A86: there is an admin route to try', () => assert.ok(adminRequests().length >= 4));

  it('A86: every admin route refuses no credentials, and an end user’s tokens', async () => {
    for (const request of adminRequests()) {
      for (const headers of [
        {},
        { authorization: `Bearer ${tokens.access}` },
        { authorization: `Bearer ${tokens.id}` },
        { authorization: `Bearer ${tokens.refresh}` },
        { authorization: 'Basic YWRtaW46YWRtaW4=' },
        { 'x-amz-date': '20260507T000940Z' },
        { cookie: `session=${tokens.access}` },
      ]) {
        const answer = await send(request, headers);
        refusedWith(answer, 401, 'unauthenticated', `${request.path} ${Object.keys(headers).join()}`);
        assert.match(String(answer.headers['www-authenticate']), /Bearer/);
      }
    }
    await nothingHappened();
  });

  it('A86: every admin route refuses a wrong, invented or altered bearer key', async () => {
    const { id = '', secret = '' } = service.adminKey ?? {};
    for (const request of adminRequests()) {
      for (const key of [
        `pg_${id}_${secret}x`,
        `pg_${id}_`,
        `pg_other_${secret}`,
        `${id}_${secret}`,
        `pg_${secret}_${id}`,
      ]) {
        refusedWith(await send(request, { authorization: `Bearer ${key}` }), 401, 'unauthenticated', key.slice(0, 12));
      }
    }
    await nothingHappened();
  });

  for (const [fault, faults] of [
    ['a wrong secret', { secret: 'x'.repeat(40) }],
    ['an unknown key', { keyId: 'unknown1' }],
    ['another region', { region: 'eu-west-1' }],
    ['another service', { service: 'cognito-idp' }],
    ['a date more than five minutes ago', { offMs: -301_000 }],
    ['a date more than five minutes ahead', { offMs: 301_000 }],
    ['the date of yesterday', { offMs: -86_400_000 }],
  ] as const) {
    it(`A86: every admin route refuses a signature with ${fault}`, async () => {
      for (const request of adminRequests()) {
        refusedWith(await send(request, await sign(request, faults)), 401, 'unauthenticated', request.path);
      }
      await nothingHappened();
    });
  }

  it('A86: every admin route refuses a request that was changed after signing', async () => {
    for (const request of adminRequests()) {
      const signed = await sign(request);
      const other = request.path.includes(ADA) ? request.path.replace(ADA, 'bob@example.com') : `${request.path}?x=1`;
      const signature = signed.authorization ?? '';
      const changes: readonly [string, AdminRequest, Readonly<Record<string, string>>][] = [
        ['path', { ...request, path: other }, signed],
        ['query', { ...request, path: `${request.path}?to=1` }, signed],
        ['method', { ...request, method: request.method === 'GET' ? 'POST' : 'PUT' }, signed],
        ['host', request, { ...signed, host: 'localhost:1' }],
        ['unsigned header', request, { ...signed, 'x-amz-extra': '1' }],
        [
          'signature',
          request,
          { ...signed, authorization: signature.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) },
        ],
        ...(request.body === ''
          ? []
          : [['body', { ...request, body: request.body.replace(EVE, 'bob@example.com') }, signed] as const]),
      ] as never;
      for (const [name, changed, headers] of changes) {
        const answer = await send(changed, headers);
        const expected = name === 'method' ? [401, 405] : [401];
        assert.ok(expected.includes(answer.status), `${name} of ${request.path}: ${answer.status} ${answer.text}`);
      }
    }
    await nothingHappened();
    refusedWith(await service.get('/admin/users/bob@example.com', service.asAdmin), 404, 'user_not_found');
  });

  it('A86: a signature in the query opens nothing', async () => {
    for (const request of adminRequests()) {
      const signed = await sign(request);
      const [, credential = '', names = '', signature = ''] =
        /Credential=(.+), SignedHeaders=(.+), Signature=(.+)$/.exec(signed.authorization ?? '') ?? [];
      const query = new URLSearchParams({
        'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
        'X-Amz-Credential': credential,
        'X-Amz-Date': signed['x-amz-date'] ?? '',
        'X-Amz-SignedHeaders': names,
        'X-Amz-Signature': signature,
      });
      refusedWith(await send({ ...request, path: `${request.path}?${query}` }, {}), 401, 'unauthenticated');
    }
    await nothingHappened();
  });

  it('both forms of the admin key open every admin route', async () => {
    for (const [index, request] of adminRequests().entries()) {
      const own = { ...request, body: request.body.replace(EVE, `made${index}@example.com`) };
      const signed = await send(own, await sign(own));
      assert.ok(signed.status === 200 || signed.status === 201, signed.text);
      const again = { ...request, body: request.body.replace(EVE, `also${index}@example.com`) };
      const borne = await send(again, service.asAdmin);
      assert.equal(borne.status, signed.status, borne.text);
    }
  });

  it('A86: every admin operation of the wire refuses no credentials, users’ tokens and bad signatures', async () => {
    const names = Object.keys(OPERATIONS).filter((name) => name.startsWith('Admin'));
    assert.ok(names.length >= 5);
    const input = JSON.stringify({
      UserPoolId: service.userPoolId,
      Username: EVE,
      Password: PASSWORD,
      Permanent: true,
    });
    for (const name of names) {
      const headers = {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${name}`,
      };
      const request = { method: 'POST', path: '/', body: input };
      const wrong: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
        ['MissingAuthenticationTokenException', headers],
        ['IncompleteSignatureException', { ...headers, authorization: `Bearer ${tokens.access}` }],
        ['InvalidSignatureException', await sign(request, { service: 'poolgate' }, headers)],
        ['InvalidSignatureException', await sign(request, { service: 'cognito-idp', region: 'eu-west-1' }, headers)],
        ['InvalidSignatureException', await sign(request, { service: 'cognito-idp', secret: 'x'.repeat(40) }, headers)],
        ['InvalidSignatureException', await sign(request, { service: 'cognito-idp', offMs: -301_000 }, headers)],
        ['UnrecognizedClientException', await sign(request, { service: 'cognito-idp', keyId: 'unknown1' }, headers)],
        [
          'InvalidSignatureException',
          { ...(await sign({ ...request, body: '{}' }, { service: 'cognito-idp' }, headers)) },
        ],
      ];
      for (const [type, sent] of wrong) {
        const answer = await service.ask('POST', '/', { body: input, headers: sent });
        assert.deepEqual([answer.status, answer.body.__type], [400, type], `${name} ${answer.text}`);
      }
    }
    await nothingHappened();
  });

  it('A87: no other spelling of an admin path, no header and no method goes round the guard', async () => {
    const body = JSON.stringify({ email: EVE, temp_password: PASSWORD });
    const spellings = [
      '//admin/users',
      '/ADMIN/users',
      '/Admin/Users',
      '/%61dmin/users',
      '/admin%2Fusers',
      '/admin%2fusers',
      '/admin/users/',
      '/admin/users/..;/',
      '/admin/users;x=1',
      '/admin/./users',
      '/login/../admin/users',
      '/api/cognito/device/../admin/users',
      '/api/cognito/device/admin/users',
      '/api/cognito//admin/users',
      '/api/cognito/%2e%2e/%2e%2e/admin/users',
      '/admin\\users',
      '/admin/users%00',
      '/admin/users#x',
      `${service.url}/admin/users`,
      'http://127.0.0.1/admin/users',
    ];
    for (const path of spellings) {
      for (const headers of [{}, { authorization: `Bearer ${tokens.access}` }]) {
        const { status, text } = await service.ask('POST', path, { body, headers });
        assert.ok([400, 401, 404, 405].includes(status), `${path}: ${status} ${text}`);
      }
    }
    for (const headers of [
      { 'x-original-url': '/admin/users' },
      { 'x-rewrite-url': '/admin/users' },
      { 'x-http-method-override': 'GET' },
      { 'x-middleware-subrequest': 'middleware' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-user': 'admin' },
    ]) {
      for (const path of ['/admin/users', '/login/parameters']) {
        const { status } = await service.ask('POST', path, { body, headers });
        assert.ok([401, 405].includes(status), `${path} ${JSON.stringify(headers)}: ${status}`);
      }
    }
    for (const method of ['HEAD', 'OPTIONS', 'GET', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
      const { status } = await service.ask(method, '/admin/users', {});
      assert.ok([401, 404, 405].includes(status), `${method}: ${status}`);
    }
    await nothingHappened();
  });

  it('A92: a temporary password that was given is never shown again', async () => {
    await inviteUser(service, 'tmp@example.com', 'Given-Horse1!');
    const shown = await service.get('/admin/users/tmp@example.com', service.asAdmin);
    assert.ok(!shown.text.includes('Given-Horse1!'));
  });
});
