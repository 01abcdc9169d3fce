import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADMIN_SCOPES, type CallContext } from '@poolgate/provider';
import { type AdminKeySecret, createAdminKey, type NewAdminKey } from '../credentials/admin-key-secret.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import {
  createGuardRecords,
  createMovableClock,
  createTestKeyRing,
  createTestRuntime,
  POOL,
  START_MS,
} from '../testing/gateway-deps.ts';
import { signRequest, type UnsignedRequest } from '../testing/sign-request.ts';
import { authenticateAdmin, mayBeAdmin, verifyAdminKey } from './admin-key.ts';
import { AdminKeyError } from './admin-key-errors.ts';
import type { RawRequest } from './sigv4-canonical.ts';

const BOOTSTRAP = { id: 'bootstrap1', secret: 'bootstrap-secret-of-32-characters!', scopes: ADMIN_SCOPES };
const NEW_KEY: NewAdminKey = { label: 'tests', scopes: ['users:read'], lifetimeSeconds: 3600 };
const CALL: CallContext = { requestId: 'request-1', sourceAddress: '192.0.2.1' };
const PLAN: UnsignedRequest = { method: 'GET', path: '/admin/users/ada', query: {}, headers: {}, body: '' };

async function service() {
  const clock = createMovableClock();
  const records = createGuardRecords();
  const keyRing = createTestKeyRing();
  const runtime = createTestRuntime({ clock, records, keyRing, adminKeys: [BOOTSTRAP] });
  const key = await createAdminKey(runtime, NEW_KEY);
  return { runtime, clock, records, keyRing, key };
}

type Service = Awaited<ReturnType<typeof service>>;

function bearer({ id, secret }: AdminKeySecret): RawRequest {
  return {
    method: 'GET',
    target: PLAN.path,
    rawHeaders: ['Authorization', `Bearer pg_${id}_${secret}`],
    body: Buffer.alloc(0),
  };
}

function signed(
  { id, secret }: AdminKeySecret,
  atMs = START_MS,
  serviceName = 'poolgate',
  region = POOL.region,
): Promise<RawRequest> {
  const credentials = { accessKeyId: id, secretAccessKey: secret };
  return signRequest(PLAN, credentials, { region, service: serviceName }, atMs);
}

const ask = ({ runtime }: Service, request: RawRequest, scope: NewAdminKey['scopes'][number] = 'users:read') =>
  authenticateAdmin(runtime, request, scope, CALL);

async function refused(from: Service, request: RawRequest, code = 'unauthenticated', scope?: 'users:write') {
  const error: unknown = await ask(from, request, scope).then(
    () => new Error('accepted'),
    (reason) => reason,
  );
  assert.ok(error instanceof GatewayError, String(error));
  assert.equal(error.code, code);
  return error;
}

/** Both forms in which a key is sent. */
const FORMS: Readonly<Record<string, (key: AdminKeySecret, atMs?: number) => RawRequest | Promise<RawRequest>>> = {
  bearer,
  'Signature V4': signed,
};

for (const [form, show] of Object.entries(FORMS)) {
  test(`${form}: a stored key and one in memory are recognized by ID and scopes`, async () => {
    const at = await service();
    const signedFor = form === 'Signature V4' ? { region: POOL.region } : {};
    const caller = await ask(at, await show(at.key));
    assert.deepEqual(caller, { kind: 'admin', keyId: at.key.id, scopes: new Set(['users:read']), ...signedFor });
    const bootstrap = await ask(at, await show(BOOTSTRAP), 'pool:write');
    assert.deepEqual(bootstrap, {
      kind: 'admin',
      keyId: BOOTSTRAP.id,
      scopes: new Set(ADMIN_SCOPES),
      ...signedFor,
    });
  });

  test(`${form}: a key without the scope is recognized and forbidden`, async () => {
    const at = await service();
    const { message } = await refused(at, await show(at.key), 'forbidden', 'users:write');
    assert.equal(message, 'The admin key does not have the scope users:write.');
  });

  test(`${form}: a wrong secret and an unknown, expired or revoked key are refused in the same way`, async () => {
    const at = await service();
    const wrong = await refused(at, await show({ ...at.key, secret: 'wrong' }));
    const wrongInMemory = await refused(at, await show({ ...BOOTSTRAP, secret: 'wrong' }));
    const unknown = await refused(at, await show({ ...at.key, id: 'unknown1' }));
    at.clock.nowMs += 3_600_000;
    const expired = await refused(at, await show(at.key, at.clock.nowMs));
    at.clock.nowMs = START_MS;
    await at.records.adminKeys.revoke(at.key.id, START_MS);
    const revoked = await refused(at, await show(at.key));
    for (const error of [wrong, wrongInMemory, unknown, expired, revoked]) {
      assert.equal(error.status, 401);
      assert.equal(error.message, unknown.message);
      assert.deepEqual(error.headers, { 'www-authenticate': 'Bearer' });
    }
  });

  test(`${form}: an unknown key ID costs the same work as a wrong secret`, async () => {
    const work = async (key: AdminKeySecret) => {
      const at = await service();
      await refused(at, await show({ ...at.key, ...key }));
      return { calls: at.records.calls, opened: at.keyRing.opened };
    };
    const unknown = await work({ id: 'unknown1', secret: 'wrong' });
    assert.deepEqual(await work({ id: BOOTSTRAP.id, secret: 'wrong' }), unknown);
    const at = await service();
    await refused(at, await show({ ...at.key, secret: 'wrong' }));
    assert.deepEqual({ calls: at.records.calls, opened: at.keyRing.opened }, unknown);
  });

  test(`${form}: the last use is written at most once a minute`, async () => {
    const at = await service();
    const touched = () => at.records.calls.filter((call) => call === 'adminKeys.touch').length;
    for (const afterMs of [0, 1_000, 59_999]) {
      at.clock.nowMs = START_MS + afterMs;
      await ask(at, await show(at.key));
    }
    assert.equal(touched(), 1);
    at.clock.nowMs = START_MS + 60_000;
    await ask(at, await show(at.key));
    assert.equal(touched(), 2);
    await ask(at, await show(BOOTSTRAP));
    assert.equal(touched(), 2);
  });
}

test('a complete admin key as AWS access key ID is explained, without the part after its ID', async () => {
  const at = await service();
  const whole = `pg_${at.key.id}_${at.key.secret}`;
  const { message, status } = await refused(at, await signed({ ...at.key, id: whole }));
  assert.equal(status, 401);
  assert.match(message, /^The access key id is a whole admin key\. Of pg_<id>_<secret>, use <id> as the access key id/);
  assert.ok(!message.includes(at.key.id) && !JSON.stringify(at.records.appended).includes(at.key.secret));
});

test('a key in memory disappears with its setting', async () => {
  const at = await service();
  const runtime = createTestRuntime({ clock: at.clock, records: at.records, keyRing: at.keyRing });
  await refused({ ...at, runtime: runtime as typeof at.runtime }, bearer(BOOTSTRAP));
});

test('refuses missing and duplicate credentials, an end user’s token, and another scheme', async () => {
  const at = await service();
  const good = `Bearer pg_${at.key.id}_${at.key.secret}`;
  const headers = [
    [],
    ['Authorization', ''],
    ['Authorization', good, 'Authorization', good],
    ['Authorization', 'Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2ln'],
    ['Authorization', `Basic ${Buffer.from(`${at.key.id}:${at.key.secret}`).toString('base64')}`],
    ['Authorization', `Bearer pg_${at.key.id}`],
    ['Authorization', `Bearer pg_${at.key.id}_`],
    ['Authorization', `Bearer ${at.key.id}_${at.key.secret}`],
    ['X-Authorization', good],
  ];
  for (const rawHeaders of headers) await refused(at, { ...bearer(at.key), rawHeaders });
});

test('a signature for the Cognito-compatible API is invalid at the routes, and vice versa', async () => {
  const at = await service();
  await refused(at, await signed(at.key, START_MS, 'cognito-idp'));
  const request = await signed(at.key, START_MS, 'cognito-idp');
  const caller = await verifyAdminKey(at.runtime, request, 'cognito-idp', 'users:read');
  assert.equal(caller.keyId, at.key.id);
});

test('refuses a signature that is more than five minutes old', async () => {
  const at = await service();
  const request = await signed(at.key);
  at.clock.nowMs += 300_001;
  await refused(at, request);
});

test('a key whose signing secret was encrypted with lost keys still works as bearer', async () => {
  const at = await service();
  const runtime = { ...at.runtime, keyRing: createTestKeyRing() };
  await ask({ ...at, runtime }, bearer(at.key));
  await refused({ ...at, runtime }, await signed(at.key));
  await refused({ ...at, runtime }, await signed({ ...at.key, secret: 'undefined' }));
});

const WRONG_SIGNATURE =
  'The request signature we calculated does not match the signature you provided. Check your secret access key and signing method.';
const UNKNOWN = 'The security token included in the request is invalid.';

test("the reason of a refusal is known where Cognito's words are used, with the ID of an existing key", async () => {
  const at = await service();
  const verifyForReason = (request: RawRequest, scope: NewAdminKey['scopes'][number] = 'users:read') =>
    verifyAdminKey(at.runtime, request, 'poolgate', scope).then(
      () => assert.fail('accepted'),
      (error: unknown) => {
        assert.ok(error instanceof AdminKeyError, String(error));
        return [error.reason, error.message, error.keyId];
      },
    );
  const { id } = at.key;
  const nobody = { ...at.key, id: 'unknown1' };
  const wrong = { ...at.key, secret: 'wrong' };
  assert.deepEqual(await verifyForReason(bearer(nobody)), ['unknown_key', UNKNOWN, undefined]);
  assert.deepEqual(await verifyForReason(await signed(nobody)), ['unknown_key', UNKNOWN, undefined]);
  assert.deepEqual(await verifyForReason(bearer(wrong)), ['unknown_key', UNKNOWN, id]);
  assert.deepEqual(await verifyForReason(await signed(wrong)), ['mismatch', WRONG_SIGNATURE, id]);
  const scopeless = 'The admin key does not have the scope users:write.';
  assert.deepEqual(await verifyForReason(bearer(at.key), 'users:write'), ['out_of_scope', scopeless, id]);
  const without = { ...bearer(at.key), rawHeaders: [] };
  assert.deepEqual(await verifyForReason(without), ['missing', 'Missing Authentication Token', undefined]);
  at.clock.nowMs += 3_600_000;
  assert.deepEqual(await verifyForReason(bearer(at.key)), ['unknown_key', UNKNOWN, id]);
  assert.deepEqual(await verifyForReason(await signed(at.key, at.clock.nowMs)), ['unknown_key', UNKNOWN, id]);
  at.clock.nowMs -= 1;
  assert.equal((await ask(at, bearer(at.key))).keyId, id);
  await at.records.adminKeys.revoke(id, START_MS);
  assert.deepEqual(await verifyForReason(bearer(at.key)), ['unknown_key', UNKNOWN, id]);
});

test('a signature for another region is valid if the Cognito-compatible API accepts any, and never at a route', async () => {
  const at = await service();
  const anywhere = createTestRuntime({ ...at, adminKeys: [BOOTSTRAP] }, { cognitoApiRegions: 'any' });
  const elsewhere = await signed(BOOTSTRAP, START_MS, 'cognito-idp', 'eu-west-1');
  const caller = await verifyAdminKey(anywhere, elsewhere, 'cognito-idp', 'users:read');
  assert.equal(caller.region, 'eu-west-1');
  await assert.rejects(verifyAdminKey(at.runtime, elsewhere, 'cognito-idp', 'users:read'), { reason: 'misscoped' });
  const forRoutes = await signed(BOOTSTRAP, START_MS, 'poolgate', 'eu-west-1');
  await assert.rejects(verifyAdminKey(anywhere, forRoutes, 'poolgate', 'users:read'), { reason: 'misscoped' });
});

test('no caller is let in while the store or the pool fails, and no key is recorded as refused', async () => {
  const at = await service();
  const down = async () => {
    throw new Error('store down');
  };
  for (const method of ['find', 'touch'] as const) {
    const records = { ...at.records, adminKeys: { ...at.records.adminKeys, [method]: down } };
    await assert.rejects(ask({ ...at, runtime: { ...at.runtime, records } }, bearer(at.key)), {
      message: 'store down',
    });
  }
  const provider = { ...at.runtime.provider, describe: async () => undefined };
  const error = await refused({ ...at, runtime: { ...at.runtime, provider } }, await signed(at.key), 'unavailable');
  assert.equal(error.retryAfterSeconds, 1);
  assert.deepEqual(at.records.appended, []);
  const records = { ...at.records, adminKeys: { ...at.records.adminKeys, insert: down } };
  await assert.rejects(createAdminKey({ ...at.runtime, records }, NEW_KEY), { message: 'store down' });
});

test('a refusal is returned after it is recorded', async () => {
  const at = await service();
  const recorded = Promise.withResolvers<void>();
  const records = { ...at.records, events: { ...at.records.events, tryAppend: () => recorded.promise } };
  let isRefused = false;
  const refusal = refused({ ...at, runtime: { ...at.runtime, records } }, bearer({ id: 'x', secret: 'y' })).then(() => {
    isRefused = true;
  });
  await new Promise(setImmediate);
  assert.equal(isRefused, false);
  recorded.resolve();
  await refusal;
});

test('the stored key does not contain its secret', async () => {
  const { key, records } = await service();
  const stored = records.keysById.get(key.id);
  assert.match(key.id, /^[a-z0-9]{20}$/);
  assert.equal(Buffer.from(key.secret, 'base64url').length, 32);
  assert.ok(!JSON.stringify(stored).includes(key.secret));
  assert.deepEqual(
    { ...stored, secretDigestHex: '', signingSecretEncrypted: '' },
    {
      id: key.id,
      secretDigestHex: '',
      signingSecretEncrypted: '',
      scopes: ['users:read'],
      label: 'tests',
      createdAtMs: START_MS,
      expiresAtMs: START_MS + 3_600_000,
      lastUsedAtMs: null,
      createdBy: null,
      revokedAtMs: null,
    },
  );
});

test('a key has a label of up to 128 characters, each scope once, and a lifetime of at least a second', async () => {
  const { runtime, records, clock } = await service();
  const { id, secret } = await createAdminKey(runtime, {
    label: 'x'.repeat(128),
    scopes: ['users:read', 'users:write', 'users:read'],
    lifetimeSeconds: 1,
  });
  const made = records.keysById.get(id);
  assert.deepEqual([made?.scopes, made?.expiresAtMs], [['users:read', 'users:write'], START_MS + 1000]);
  clock.nowMs += 999;
  assert.equal((await authenticateAdmin(runtime, bearer({ id, secret }), 'users:write', CALL)).keyId, id);
});

test("a key with invalid settings is the caller's fault", async () => {
  const { runtime } = await service();
  const faults: readonly (readonly [RegExp, Partial<NewAdminKey>])[] = [
    [/^RangeError: label/, { label: '' }],
    [/^RangeError: label/, { label: 'x'.repeat(129) }],
    [/^RangeError: scopes/, { scopes: [] }],
    [/^RangeError: scopes/, { scopes: ['everything' as 'users:read'] }],
    [/^RangeError: lifetimeSeconds/, { lifetimeSeconds: 0 }],
    [/^RangeError: lifetimeSeconds/, { lifetimeSeconds: -1 }],
    [/^RangeError: lifetimeSeconds/, { lifetimeSeconds: 1.5 }],
    [/^RangeError: lifetimeSeconds/, { lifetimeSeconds: Number.NaN }],
  ];
  for (const [expected, fault] of faults)
    await assert.rejects(createAdminKey(runtime, { ...NEW_KEY, ...fault }), expected);
});

test('a refused key is recorded once a minute per network, by its ID if it exists, never with what was sent', async () => {
  const at = await service();
  await refused(at, bearer({ ...at.key, secret: 'planted-secret' }));
  await refused(at, bearer({ ...at.key, secret: 'planted-secret' }));
  at.clock.nowMs += 60_000;
  await refused(at, bearer({ id: 'planted-id', secret: 'planted-secret' }));
  at.clock.nowMs += 60_000;
  await refused(at, bearer(at.key), 'forbidden', 'users:write');
  assert.deepEqual(
    at.records.appended.map(({ type, outcome, actor, details }) => ({ type, outcome, actor, details })),
    [
      {
        type: 'admin.refused',
        outcome: 'failure',
        actor: { kind: 'anonymous', id: null },
        details: { reason: 'unknown_key', key: at.key.id },
      },
      {
        type: 'admin.refused',
        outcome: 'failure',
        actor: { kind: 'anonymous', id: null },
        details: { reason: 'unknown_key' },
      },
      {
        type: 'admin.refused',
        outcome: 'failure',
        actor: { kind: 'admin', id: at.key.id },
        details: { reason: 'out_of_scope', key: at.key.id, scopes: 'users:write' },
      },
    ],
  );
  assert.doesNotMatch(JSON.stringify(at.records.appended), /planted/);
});

test('refused keys from many networks do not flood the log, and missing credentials are not recorded', async () => {
  const at = await service();
  for (let network = 0; network < 100; network++) {
    const call = { ...CALL, sourceAddress: `10.${network}.0.1` };
    await assert.rejects(authenticateAdmin(at.runtime, bearer({ id: 'x', secret: 'y' }), 'users:read', call));
  }
  assert.equal(at.records.appended.length, 60);
  at.clock.nowMs += 60_000;
  await refused(at, { ...bearer(at.key), rawHeaders: [] });
  assert.equal(at.records.appended.length, 60);
  // Setting the clock back suppresses nothing.
  at.clock.nowMs -= 3_600_000;
  await refused(at, bearer({ id: 'x', secret: 'y' }));
  assert.equal(at.records.appended.length, 61);
});

test("before its body is read, a request counts as an administrator's if its key is active and a bearer has the secret", async () => {
  const at = await service();
  const { id, secret } = at.key;
  const asBearer = (keySecret: string, keyId = id) => mayBeAdmin(at.runtime, `Bearer pg_${keyId}_${keySecret}`);
  const asSigner = (keyId = id) =>
    mayBeAdmin(at.runtime, `AWS4-HMAC-SHA256 Credential=${keyId}/20200101/us-east-1/cognito-idp/aws4_request`);
  const both = async () => [await asBearer(secret), await asSigner()];
  assert.deepEqual(await both(), [true, true]);
  assert.deepEqual([await asBearer(BOOTSTRAP.secret, BOOTSTRAP.id), await asSigner(BOOTSTRAP.id)], [true, true]);
  assert.deepEqual(
    [await asBearer('wrong'), await asBearer(secret, 'unknown1'), await asSigner('unknown1')],
    [false, false, false],
  );
  assert.deepEqual([await mayBeAdmin(at.runtime), await mayBeAdmin(at.runtime, 'Bearer eyJ.e30.c2ln')], [false, false]);
  at.clock.nowMs += 3_600_000;
  assert.deepEqual(await both(), [false, false], 'expired');
  at.clock.nowMs = START_MS;
  await at.records.adminKeys.revoke(id, START_MS);
  assert.deepEqual(await both(), [false, false], 'revoked');
});
