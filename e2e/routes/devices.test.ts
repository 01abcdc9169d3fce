import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkSchema, ROUTES } from '@poolgate/contract';
import { toBase64 } from '@poolgate/srp';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import {
  createRegistrationBody,
  createRememberedDevice,
  logInOnDevice,
  logInOnNewDevice,
  type RouteDevice,
} from '../support/routes/route-devices.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const MOUNTS = ['', '/api/cognito'] as const;

describe('devices at the routes', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
    await addUser(service, 'ada@example.test');
    await addUser(service, 'eve@example.test');
  });
  after(() => service.close());

  const register = (device: RouteDevice, more = {}, mount = '') =>
    service.post(`${mount}/device`, createRegistrationBody(device, more), createBearerHeader(device.access));
  const put = (device: RouteDevice, body: unknown, key = device.key) =>
    service.ask('PUT', `/device/${key}`, { headers: createBearerHeader(device.access), body });
  const show = (device: RouteDevice, key = device.key) =>
    service.get(`/device/${key}`, createBearerHeader(device.access));
  const fetchDevice = async (device: RouteDevice) =>
    (await show(device)).body.device as Readonly<Record<string, unknown>>;

  it('POST /device registers under both mounts, and returns whether to prompt the user', async () => {
    for (const mount of MOUNTS) {
      const answer = await register(
        await logInOnNewDevice(service, 'ada@example.test'),
        { device_name: 'Phone 📱' },
        mount,
      );
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(
        [answer.body.status, answer.body.data, answer.body.device_confirmed, answer.body.user_confirmation_necessary],
        ['success', { UserConfirmationNecessary: true }, true, true],
      );
      assert.deepEqual(checkSchema(ROUTES.deviceCreate.responses[200].schema, answer.body), []);
    }
  });

  it('each step from registered, remembered and not_remembered to removed is visible', async () => {
    const device = await logInOnNewDevice(service, 'ada@example.test');
    await register(device, { device_name: 'Laptop' });
    const shown = await show(device);
    assert.deepEqual(checkSchema(ROUTES.deviceShow.responses[200].schema, shown.body), []);
    const before = await fetchDevice(device);
    const address = String(before.last_ip);
    // A pool behind the routes sees the service's address.
    assert.match(address, ON_COGNITO ? /^10\./ : /^127\.0\.0\.1$/);
    assert.deepEqual(before, {
      device_key: device.key,
      device_name: 'Laptop',
      remembered: false,
      device_attributes: { device_status: 'valid', device_name: 'Laptop', last_ip_used: address },
      last_ip: address,
      created_at: new Date(service.clock.now()).toISOString(),
      last_modified_at: new Date(service.clock.now()).toISOString(),
      last_authenticated_at: new Date(service.clock.now()).toISOString(),
    });
    for (const remembered of [true, false]) {
      const answer = await put(device, { remembered_status: remembered });
      assert.deepEqual([answer.status, answer.body.data], [200, {}], answer.text);
      assert.equal((await fetchDevice(device)).remembered, remembered);
    }
    const other = await logInOnNewDevice(service, 'ada@example.test');
    const remove = () => service.ask('DELETE', `/device/${device.key}`, { headers: createBearerHeader(other.access) });
    assert.equal((await remove()).status, 200);
    assertProblem(await remove(), 404, 'device_not_found');
    assertProblem(await show(other, device.key), 404, 'device_not_found');
    assertProblem(await put(other, { remembered_status: true }, device.key), 404, 'device_not_found');
  });

  it('a device can be registered only once', async () => {
    const device = await logInOnNewDevice(service, 'ada@example.test');
    assert.equal((await register(device)).status, 200);
    assertProblem(await register(device), 400, 'device_exists');
  });

  it('a key can be registered only with the login that issued it, and only while that login lasts', async () => {
    const [one, other] = [
      await logInOnNewDevice(service, 'ada@example.test'),
      await logInOnNewDevice(service, 'ada@example.test'),
    ];
    assertProblem(await register({ ...one, access: other.access }), 400, 'invalid_parameter');
    const foreign = await logInOnNewDevice(service, 'eve@example.test');
    assertProblem(await register({ ...foreign, access: one.access }), 400, 'invalid_parameter');
    await service.post('/logout', {}, createBearerHeader(one.access));
    assertProblem(await register(one), 401, 'unauthenticated');
  });

  it('a weak or unreadable verifier gets 422 and registers nothing', async () => {
    const device = await logInOnNewDevice(service, 'ada@example.test');
    const weak = { ...device.secret.config, PasswordVerifier: toBase64(new Uint8Array(385)) };
    const text = JSON.stringify({ DeviceSecretVerifierConfig: weak });
    for (const device_config of [
      text,
      'not JSON',
      undefined,
      5,
      { DeviceSecretVerifierConfig: device.secret.config },
    ]) {
      assertInvalidField(
        await register(device, { device_config }),
        /^device_config/,
        String(device_config).slice(0, 120),
      );
    }
    assertProblem(await show(device), 404, 'device_not_found');
    const escaped = JSON.stringify({ DeviceSecretVerifierConfig: device.secret.config }, null, 2).replaceAll(
      '/',
      '\\/',
    );
    assert.equal((await register(device, { device_config: escaped })).status, 200);
  });

  it('other invalid values get 422', async () => {
    const device = await logInOnNewDevice(service, 'ada@example.test');
    for (const device_key of [undefined, '', 'no key', 5, `us-east-1_${'a'.repeat(60)}`]) {
      assertInvalidField(await register(device, { device_key }), 'device_key');
    }
    for (const device_name of ['', 'x'.repeat(1025), 'a\u0000b', 5, null]) {
      assertInvalidField(await register(device, { device_name }), 'device_name');
    }
  });

  it('remembered_status must be a boolean', async () => {
    const device = await logInOnNewDevice(service, 'ada@example.test');
    await register(device);
    for (const remembered_status of ['true', 1, 0, 'on', null, [], {}, undefined]) {
      assertInvalidField(await put(device, { remembered_status }), 'remembered_status');
    }
    assert.equal((await fetchDevice(device)).remembered, false);
  });

  it('updating, renaming and removing a device without a key gets 422', async () => {
    const device = await logInOnNewDevice(service, 'ada@example.test');
    await register(device);
    const headers = createBearerHeader(device.access);
    for (const mount of MOUNTS) {
      for (const [method, body] of [
        ['DELETE', undefined],
        ['DELETE', {}],
        ['PUT', { remembered_status: true }],
        ['PATCH', { device_name: 'x' }],
      ] as const) {
        assertInvalidField(await service.ask(method, `${mount}/device`, { headers, body }), 'device_key', method);
      }
    }
    assertInvalidField(await service.ask('DELETE', '/device/not%20a%20key', { headers }), 'device_key');
    const body = { device_key: device.key };
    assert.equal((await service.ask('DELETE', '/device', { headers, body })).status, 200);
  });

  it('the service stores the name: it can be changed, is listed, and stays when the device is remembered', async () => {
    const device = await logInOnNewDevice(service, 'ada@example.test');
    await register(device, { device_name: 'Old' });
    const headers = createBearerHeader(device.access);
    const body = { device_name: 'New' };
    const renamed = await service.ask('PATCH', `/device/${device.key}`, { headers, body });
    assert.equal((renamed.body.device as { device_name: string }).device_name, 'New', renamed.text);
    await put(device, { remembered_status: true });
    assert.deepEqual([(await fetchDevice(device)).device_name, (await fetchDevice(device)).remembered], ['New', true]);
  });

  it('shows changes that the pool or another client made to the status', async () => {
    await addUser(service, 'bob@example.test');
    const device = await createRememberedDevice(service, 'bob@example.test');
    const status = (DeviceRememberedStatus: string) =>
      service.call('UpdateDeviceStatus', { AccessToken: device.access, DeviceKey: device.key, DeviceRememberedStatus });
    for (const [told, shown] of [
      ['not_remembered', false],
      ['remembered', true],
    ] as const) {
      assert.equal((await status(told)).status, 200);
      assert.equal((await fetchDevice(device)).remembered, shown);
      const { devices } = (await service.get('/device', createBearerHeader(device.access))).body;
      assert.deepEqual(
        (devices as readonly { remembered: boolean }[]).map(({ remembered }) => remembered),
        [shown],
      );
    }
  });

  it('a key of another user gets the same bytes as an unknown key, in every spelling, and nothing changes', async () => {
    const owner = await createRememberedDevice(service, 'ada@example.test');
    const other = await logInOnNewDevice(service, 'eve@example.test');
    const before = await fetchDevice(owner);
    const missing = owner.key.replace(/.{4}$/, (end) => (end === '0000' ? '1111' : '0000'));
    const ask = async (method: string, path: string, body?: unknown) => {
      const { status, text } = await service.ask(method, path, {
        headers: createBearerHeader(other.access),
        ...(body === undefined ? {} : { body }),
      });
      return { status, text: text.replace(/urn:uuid:[0-9a-f-]{36}/, 'urn:uuid:') };
    };
    const spellings = [
      (key: string) => key,
      (key: string) => key.replace('-', '%2D'),
      (key: string) => key.replace('_', '%5f'),
    ];
    for (const mount of MOUNTS) {
      for (const spell of spellings) {
        for (const [method, body] of [
          ['GET', undefined],
          ['PUT', { remembered_status: false }],
          ['PATCH', { device_name: 'mine' }],
          ['DELETE', undefined],
        ] as const) {
          const theirs = await ask(method, `${mount}/device/${spell(owner.key)}`, body);
          assert.equal(theirs.status, 404);
          assert.deepEqual(theirs, await ask(method, `${mount}/device/${spell(missing)}`, body));
        }
      }
    }
    assert.deepEqual(await fetchDevice(owner), before);
  });

  it('a page has ten devices, the cursor leads to the others, and the number of registrations is limited', async () => {
    await addUser(service, 'many@example.test');
    let last: RouteDevice | undefined;
    for (let count = 0; count < 100; count++) {
      last = await logInOnNewDevice(service, 'many@example.test');
      assert.equal((await register(last)).status, 200);
    }
    const more = await logInOnNewDevice(service, 'many@example.test');
    const refused = await register(more);
    assert.ok([400, 429].includes(refused.status), refused.text);

    const headers = createBearerHeader(more.access);
    const list = async (query: string) => {
      const answer = await service.get(`/device${query}`, headers);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(checkSchema(ROUTES.deviceList.responses[200].schema, answer.body), []);
      const devices = answer.body.devices as readonly { device_key: string }[];
      return { keys: devices.map(({ device_key }) => device_key), next: answer.body.next_cursor as string | null };
    };
    assert.equal((await list('')).keys.length, 10);
    assert.equal((await list('?limit=60')).keys.length, 60);
    const seen = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(`?limit=33${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
      for (const key of page.keys) seen.add(key);
      cursor = page.next;
    }
    assert.equal(seen.size, 100);
    const eve = await logInOnNewDevice(service, 'eve@example.test');
    const theirs = (await service.get('/device?limit=60', createBearerHeader(eve.access))).body.devices as readonly {
      device_key: string;
    }[];
    assert.ok(theirs.every(({ device_key }) => !seen.has(device_key)));
  });

  it('invalid limits and cursors get 422', async () => {
    const { access } = await logInOnNewDevice(service, 'eve@example.test');
    for (const limit of ['0', '61', '-1', '1.5', '0x5', 'ten', '', '007', '１']) {
      assertInvalidField(
        await service.get(`/device?limit=${encodeURIComponent(limit)}`, createBearerHeader(access)),
        'limit',
        limit,
      );
    }
    assertInvalidField(await service.get('/device?limit=5&limit=6', createBearerHeader(access)), 'limit');
    for (const cursor of ['x', 'AAAA', '%20']) {
      assertInvalidField(await service.get(`/device?cursor=${cursor}`, createBearerHeader(access)), 'cursor', cursor);
    }
  });

  it('every device route returns 401 without a valid token', async () => {
    for (const route of Object.values(ROUTES).filter(({ path }) => path.startsWith('/device'))) {
      const path = route.path.replace('{device_key}', 'us-east-1_0a');
      for (const headers of [{}, createBearerHeader('x.y.z'), service.asAdmin]) {
        assertProblem(await service.ask(route.method, path, { headers }), 401, 'unauthenticated', path);
      }
    }
  });

  it('a refresh requires the key on a registered device, and no key on an unregistered one', async () => {
    await addUser(service, 'kim@example.test');
    const refresh = (device: RouteDevice, key?: string) =>
      service.post('/token/refresh', { refresh_token: device.refresh, ...(key && { device_key: key }) });
    requireTokens(await refresh(await logInOnNewDevice(service, 'kim@example.test')));
    const device = await logInOnNewDevice(service, 'kim@example.test');
    await register(device);
    const other = await logInOnNewDevice(service, 'kim@example.test');
    assertProblem(await refresh(device, other.key), 401, 'invalid_grant');
    const again = await logInOnNewDevice(service, 'kim@example.test');
    await register(again);
    assertProblem(await refresh(again), 401, 'invalid_grant');
    const good = await createRememberedDevice(service, 'kim@example.test');
    const tokens = await refresh(good, good.key);
    requireTokens(tokens);
    assert.equal(tokens.body.new_device_metadata, undefined);
  });

  it('a login gives no key if devices are not tracked, and registration is off', async (t) => {
    const untracked = await startTestService({ deviceTracking: 'off' });
    t.after(() => untracked.close());
    await addUser(untracked, 'ada@example.test');
    const answer = await untracked.post('/login', { username: 'ada@example.test', password: PASSWORD });
    const { access } = requireTokens(answer);
    assert.equal(answer.body.new_device_metadata, undefined);
    const foreign = await logInOnNewDevice(service, 'ada@example.test');
    const refused = await untracked.post('/device', createRegistrationBody(foreign), createBearerHeader(access));
    assertProblem(refused, 403, 'feature_disabled');
    requireTokens(await logInOnDevice(untracked, { ...foreign, username: 'ada@example.test' }));
  });

  it('the user is not prompted if devices are always remembered', async (t) => {
    const always = await startTestService({ deviceTracking: 'always' });
    t.after(() => always.close());
    await addUser(always, 'ada@example.test');
    const device = await logInOnNewDevice(always, 'ada@example.test');
    const answer = await always.post('/device', createRegistrationBody(device), createBearerHeader(device.access));
    assert.deepEqual([answer.status, answer.body.data], [200, { UserConfirmationNecessary: false }]);
    const asked = await logInOnDevice(always, device);
    assert.equal(asked.body.challenge_name, 'DEVICE_SRP_AUTH', asked.text);
  });
});
