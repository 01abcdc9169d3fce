import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { OPERATIONS } from '@poolgate/provider';
import { STORE_LOCATIONS, type StoreLocation } from '@poolgate/store/testing';
import type { AdminKey } from 'poolgate';
import { type DatabaseRows, databaseRows, tablesThatChanged } from '../proofs/database-rows.ts';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import { createKeysWithoutScope } from '../support/requests/admin-keys.ts';
import {
  ADMIN_ENDPOINTS,
  type AdminFixtures,
  type AdminRequest,
  createAdminFixtures,
  createAdminRequest,
  createAdminRequests,
  ENDPOINTS_WITHOUT_REQUEST,
  putIntoGroup,
  removeWebhooks,
} from '../support/requests/admin-requests.ts';
import type { Exchange } from '../support/requests/exchange.ts';
import { createSignedHeaders, type SignatureFaults } from '../support/requests/signed-headers.ts';
import {
  addUser,
  assertProblem,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

/** A user in a group called admin. In this setup, the group may even change the MFA of other users. */
const ADMIN = 'admin@example.com';
const JSON_TYPE = { 'content-type': 'application/json' };

/** Cognito does not reveal its signing keys. */
const isMissingOnCognito = (entryPoint: string, { body }: Exchange): boolean =>
  ON_COGNITO && entryPoint.includes('/signing-keys') && body.code === 'feature_disabled';

type Headers = Readonly<Record<string, string>>;
/** A request, and the credentials to send instead of valid ones. */
type Attempt = readonly [name: string, request: AdminRequest, headers: Headers];

describe('admin routes and operations', () => {
  let place: StoreLocation | undefined;
  let service: TestService;
  let setting: AdminFixtures;
  let requests: readonly AdminRequest[];
  let narrowKeys: ReadonlyMap<string, AdminKey>;
  let tokens: Readonly<Record<'user' | 'admin', ReturnType<typeof requireTokens>>>;
  before(async () => {
    place = await STORE_LOCATIONS['SQLite file']?.();
    const databaseUrl = place?.url ?? '';
    service = await startTestService({ databaseUrl, adminGroups: ['admin'] });
    setting = await createAdminFixtures(service);
    requests = createAdminRequests(setting);
    await addUser(service, ADMIN);
    await putIntoGroup(service, ADMIN, 'admin');
    const logIn = async (username: string) =>
      requireTokens(await service.post('/login', { username, password: PASSWORD }));
    tokens = { user: await logIn(setting.username), admin: await logIn(ADMIN) };
    narrowKeys = await createKeysWithoutScope(service, databaseUrl);
    // The last use of a key is recorded once a minute, so from here on a refusal does not change its row.
    for (const { bearer } of narrowKeys.values())
      await service.get('/admin/users', { authorization: `Bearer ${bearer}` });
  });
  after(async () => {
    await service.close();
    await place?.remove();
  });

  const rows = (): DatabaseRows => databaseRows(place?.url ?? '');

  const send = ({ method, path, body }: AdminRequest, headers: Headers): Promise<Exchange> =>
    service.ask(method, path, { headers, ...(body === '' ? {} : { body }) });

  const sign = (request: AdminRequest, faults: SignatureFaults = {}, headers: Headers = JSON_TYPE) =>
    createSignedHeaders(service, { ...request, headers }, faults);

  /** What a refusal may change: nothing but its own record. */
  function onlyRefusalsWereNoted(before: DatabaseRows, after: DatabaseRows): void {
    for (const table of tablesThatChanged(before, after)) {
      const known = new Set(before[table]);
      const left = new Set(after[table]);
      assert.deepEqual(
        [...known].filter((row) => !left.has(row)),
        [],
        `${table} lost rows`,
      );
      for (const row of [...left].filter((one) => !known.has(one))) assert.match(row, /admin\.refused/, table);
    }
  }

  /** Makes the same attempts at every route and operation, and checks that each is refused without an effect. */
  async function allAreRefused(
    attemptsAt: (request: AdminRequest) => Promise<readonly Attempt[]>,
    [status, code]: readonly [number, string] = [401, 'unauthenticated'],
  ): Promise<void> {
    const before = rows();
    for (const request of requests) {
      for (const [name, sent, headers] of await attemptsAt(request)) {
        assertProblem(await send(sent, headers), status, code, `${name}: ${request.method} ${request.path}`);
      }
    }
    onlyRefusalsWereNoted(before, rows());
  }

  it('every admin route has a sample request', () => {
    assert.deepEqual(ENDPOINTS_WITHOUT_REQUEST, []);
    assert.ok(ADMIN_ENDPOINTS.length >= 20);
    assert.equal(requests.length, 2 * ADMIN_ENDPOINTS.length);
  });

  it('every admin route refuses missing credentials and users’ tokens', async () => {
    const wrong: Readonly<Record<string, Headers>> = {
      'no credentials': {},
      'an access token': { authorization: `Bearer ${tokens.user.access}` },
      'an access token of the group admin': { authorization: `Bearer ${tokens.admin.access}` },
      'an ID token of the group admin': { authorization: `Bearer ${tokens.admin.id}` },
      'a refresh token': { authorization: `Bearer ${tokens.admin.refresh}` },
      'a basic login': { authorization: 'Basic YWRtaW46YWRtaW4=' },
      'a date alone': { 'x-amz-date': '20260507T000940Z' },
      'a cookie': { cookie: `session=${tokens.admin.access}` },
    };
    await allAreRefused(async (request) => Object.entries(wrong).map(([name, headers]) => [name, request, headers]));
    const [first] = requests;
    assert.ok(first);
    assert.match(String((await send(first, {})).headers['www-authenticate']), /Bearer/);
  });

  it('every admin route refuses a wrong, invented or altered bearer key', async () => {
    const { id = '', secret = '' } = service.adminKey ?? {};
    const wrong = [
      `pg_${id}_${secret}x`,
      `pg_${id}_`,
      `pg_other_${secret}`,
      `${id}_${secret}`,
      `pg_${secret}_${id}`,
      `pg_${[...narrowKeys.values()][0]?.id}_${secret}`,
    ];
    await allAreRefused(async (request) =>
      wrong.map((key) => [key.slice(0, 8), request, { authorization: `Bearer ${key}` }]),
    );
  });

  it('every admin route refuses a valid key without its scope, in both forms', async () => {
    const attempts = async (request: AdminRequest): Promise<readonly Attempt[]> => {
      const key = narrowKeys.get(request.route.scope ?? '');
      assert.ok(key, `${request.path} has a scope`);
      return [
        ['bearer', request, { authorization: `Bearer ${key.bearer}` }],
        ['signed', request, await sign(request, { keyId: key.id, secret: key.secret })],
      ];
    };
    await allAreRefused(attempts, [403, 'forbidden']);
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
    it(`every admin route refuses a signature with ${fault}`, async () => {
      await allAreRefused(async (request) => [[fault, request, await sign(request, faults)]]);
    });
  }

  it('every admin route refuses a request that was changed after it was signed', async () => {
    await allAreRefused(async (request) => {
      const signed = await sign(request);
      const signature = signed.authorization ?? '';
      const altered = signature.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
      const changes: readonly Attempt[] = [
        ['query', { ...request, path: `${request.path}?to=1` }, signed],
        ['host', request, { ...signed, host: 'localhost' }],
        ['unsigned header', request, { ...signed, 'x-amz-extra': '1' }],
        ['signature', request, { ...signed, authorization: altered }],
        ['no signature', request, { ...signed, authorization: signature.replace(/Signature=.*/, 'Signature=') }],
      ];
      const body: readonly Attempt[] =
        request.body === '' ? [] : [['body', { ...request, body: `${request.body} ` }, signed]];
      return [...changes, ...body];
    });
  });

  it('a signature for one user or for reading cannot be used for another user or for writing', async () => {
    const before = rows();
    const path = (name: string) => `/admin/users/${name}`;
    const reading = { method: 'GET', path: path(setting.username), body: '' };
    const signed = await createSignedHeaders(service, reading);
    for (const [method, other] of [
      ['GET', path(ADMIN)],
      ['DELETE', path(setting.username)],
      ['POST', `${path(setting.username)}/disable`],
    ] as const) {
      assertProblem(
        await service.ask(method, other, { headers: signed }),
        401,
        'unauthenticated',
        `${method} ${other}`,
      );
    }
    onlyRefusalsWereNoted(before, rows());
  });

  it('a signature in the query string is refused', async () => {
    await allAreRefused(async (request) => {
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
      return [['query', { ...request, path: `${request.path}?${query}` }, {}]];
    });
  });

  it('a refusal is recorded in the audit log, without what was sent', async () => {
    const secret = 'not-the-secret-of-any-key';
    await service.get('/admin/users', { authorization: `Bearer pg_${service.adminKey?.id}_${secret}` });
    const noted = await service.get('/admin/audit?type=admin.refused', service.asAdmin);
    const events = noted.body.events as readonly { readonly type: string }[];
    assert.ok(events.length > 0, noted.text);
    assert.ok(events.every(({ type }) => type === 'admin.refused'));
    assert.ok(!noted.text.includes(secret));
  });

  it('both forms of the admin key work for every admin route', async () => {
    for (const entryPoint of ADMIN_ENDPOINTS) {
      for (const prefix of ['', '/api/cognito']) {
        const signed = createAdminRequest(entryPoint, prefix, await createAdminFixtures(service));
        const first = await send(signed, await sign(signed));
        const isOpened = first.status === 200 || first.status === 201 || isMissingOnCognito(entryPoint[0], first);
        assert.ok(isOpened, `${signed.method} ${signed.path} ${first.text}`);
        const borne = createAdminRequest(entryPoint, prefix, await createAdminFixtures(service));
        const second = await send(borne, service.asAdmin);
        assert.equal(second.status, first.status, `${borne.method} ${borne.path} ${second.text}`);
        await removeWebhooks(service);
      }
    }
  });

  it('every admin operation of the Cognito-compatible API refuses missing credentials, users’ tokens and bad signatures', async () => {
    const operations = Object.entries(OPERATIONS).filter(([, { access }]) => access === 'admin');
    assert.ok(operations.length >= 25);
    const input = JSON.stringify({
      UserPoolId: service.userPoolId,
      Username: setting.username,
      GroupName: setting.otherGroup,
      DeviceKey: setting.deviceKey,
      Password: PASSWORD,
      Permanent: true,
      UserAttributes: [{ Name: 'name', Value: 'Eve' }],
      UserAttributeNames: ['name'],
    });
    const before = rows();
    for (const [name, row] of operations) {
      const headers = {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${name}`,
      };
      const request = { method: 'POST', path: '/', body: input };
      const signWith = (faults: SignatureFaults, body = input) =>
        createSignedHeaders(service, { ...request, body, headers }, { service: 'cognito-idp', ...faults });
      const narrow = narrowKeys.get('scope' in row ? row.scope : '');
      const wrong: readonly (readonly [string, Headers])[] = [
        ['MissingAuthenticationTokenException', headers],
        ['IncompleteSignatureException', { ...headers, authorization: `Bearer ${tokens.admin.access}` }],
        ['InvalidSignatureException', await signWith({ service: 'poolgate' })],
        ['InvalidSignatureException', await signWith({ region: 'eu-west-1' })],
        ['InvalidSignatureException', await signWith({ secret: 'x'.repeat(40) })],
        ['InvalidSignatureException', await signWith({ offMs: -301_000 })],
        ['UnrecognizedClientException', await signWith({ keyId: 'unknown1' })],
        ['InvalidSignatureException', await signWith({}, '{}')],
        ['AccessDeniedException', await signWith({ keyId: narrow?.id ?? '', secret: narrow?.secret ?? '' })],
      ];
      for (const [type, sent] of wrong) {
        const answer = await service.ask('POST', '/', { body: input, headers: sent });
        assert.deepEqual([answer.status, answer.body.__type], [400, type], `${name} ${answer.text}`);
      }
    }
    onlyRefusalsWereNoted(before, rows());
  });

  it('a signed request is refused when it is replayed after five minutes', async () => {
    const request = { method: 'GET', path: `/admin/users/${setting.username}`, body: '' };
    const headers = await createSignedHeaders(service, request);
    assert.equal((await service.ask(request.method, request.path, { headers })).status, 200);
    service.clock.advance(300_000);
    assert.equal((await service.ask(request.method, request.path, { headers })).status, 200);
    service.clock.advance(1_000);
    assertProblem(await service.ask(request.method, request.path, { headers }), 401, 'unauthenticated');
  });
});
