import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import { type CognitoReply, createSuccessReply, startCognitoServer } from '../testing/cognito-server.ts';
import { openTestProvider, POOL_ID } from '../testing/test-provider.ts';

const MODULUS = Buffer.alloc(256, 0xa5).toString('base64url');

function key(kid: string, more: object = {}) {
  return { alg: 'RS256', e: 'AQAB', kid, kty: 'RSA', n: MODULUS, use: 'sig', ...more };
}

const TWO = createSuccessReply({ keys: [key('one'), key('two')] });

test('the keys are read where the pool publishes them, without a signature', async () => {
  await using server = await startCognitoServer(() => TWO);
  using provider = openTestProvider(server.url);
  assert.deepEqual(await provider.signingKeys(POOL_ID), [key('one'), key('two')]);
  assert.equal(server.receivedRequests[0]?.path, `/${POOL_ID}/.well-known/jwks.json`);
  assert.equal(provider.countCredentialLookups(), 0);
});

test('a configured address is used instead', async () => {
  await using server = await startCognitoServer(() => TWO);
  using provider = openTestProvider('http://127.0.0.1:1', { jwksUrl: `${server.url}/elsewhere.json` });
  assert.equal((await provider.signingKeys(POOL_ID))?.length, 2);
  assert.equal(server.receivedRequests[0]?.path, '/elsewhere.json');
});

test('many parallel callers cause one request, and so does a flood of unknown key IDs', async () => {
  await using server = await startCognitoServer(() => TWO);
  using provider = openTestProvider(server.url);
  await Promise.all(Array.from({ length: 50 }, () => provider.signingKeys(POOL_ID)));
  for (let more = 0; more < 50; more += 1) await provider.signingKeys(POOL_ID);
  assert.equal(server.receivedRequests.length, 1);
});

test('a later request for an unknown key ID gets the current keys', async () => {
  await using server = await startCognitoServer(() => TWO);
  using provider = openTestProvider(server.url);
  await provider.signingKeys(POOL_ID);
  server.setReply(() => createSuccessReply({ keys: [key('two'), key('three')] }));
  provider.time.advance(1_000);
  assert.deepEqual(
    (await provider.signingKeys(POOL_ID))?.map(({ kid }) => kid),
    ['two', 'three'],
  );
});

const ILL: Readonly<Record<string, CognitoReply>> = {
  'a broken connection': 'reset',
  'a cut answer': 'cut',
  'a failure': { status: 500, body: '{}' },
  'a redirection': { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' },
  'no JSON': { body: '<html>' },
  'no object': { body: 'null' },
  'an empty set': createSuccessReply({ keys: [] }),
  'keys of other kinds only': createSuccessReply({
    keys: [key('ec', { kty: 'EC' }), key('enc', { use: 'enc' }), key('hs', { alg: 'HS256' })],
  }),
  'an endless answer': { body: JSON.stringify({ keys: [key('one')], pad: 'x'.repeat(100_000) }) },
};

for (const [name, reply] of Object.entries(ILL)) {
  test(`${name}: the last keys stay valid, and without any it is unavailable`, async () => {
    await using server = await startCognitoServer(() => reply);
    using fresh = openTestProvider(server.url);
    await assert.rejects(fresh.signingKeys(POOL_ID), (error) => {
      assert.ok(error instanceof ProviderError);
      assert.deepEqual([error.code, error.reason], ['InternalErrorException', 'provider_unavailable']);
      assert.equal(error.retryAfterSeconds, 5);
      return true;
    });
    server.setReply(() => TWO);
    using provider = openTestProvider(server.url);
    await provider.signingKeys(POOL_ID);
    server.setReply(() => reply);
    provider.time.advance(3_600_000);
    assert.equal((await provider.signingKeys(POOL_ID))?.length, 2);
    // While it fails, not every caller requests it.
    const asked = server.receivedRequests.length;
    await provider.signingKeys(POOL_ID);
    assert.equal(server.receivedRequests.length, asked);
    server.setReply(() => createSuccessReply({ keys: [key('new')] }));
    provider.time.advance(5_000);
    assert.deepEqual(
      (await provider.signingKeys(POOL_ID))?.map(({ kid }) => kid),
      ['new'],
    );
  });
}

test('late keys are waited for no longer than any response', async () => {
  await using server = await startCognitoServer(() => 'hang');
  using provider = openTestProvider(server.url);
  const reading = provider.signingKeys(POOL_ID);
  await server.waitForRequests(1);
  provider.time.advance(5_000);
  await assert.rejects(reading, { reason: 'provider_unavailable' });
});

test('unusable keys among good ones are skipped', async () => {
  const odd = [
    null,
    'text',
    key(''),
    key('ec', { kty: 'EC' }),
    key('bad', { n: '!' }),
    key('short', { n: MODULUS.slice(8) }),
    { kid: 'bare' },
  ];
  await using server = await startCognitoServer(() => createSuccessReply({ keys: [...odd, key('good')] }));
  using provider = openTestProvider(server.url);
  assert.deepEqual(await provider.signingKeys(POOL_ID), [key('good')]);
});

test('a key set is read up to 64 KiB, with keys from 2,048 bits on and a numeric exponent', async () => {
  const padded = (length: number): string => {
    const body = JSON.stringify({ keys: [key('one')], pad: '' });
    return body.replace('"pad":""', `"pad":"${'x'.repeat(length - body.length)}"`);
  };
  const read = async (reply: CognitoReply): Promise<number | undefined> => {
    await using server = await startCognitoServer(() => reply);
    using provider = openTestProvider(server.url);
    return await provider.signingKeys(POOL_ID).then(
      (keys) => keys?.length,
      () => undefined,
    );
  };
  assert.deepEqual([await read({ body: padded(65_536) }), await read({ body: padded(65_537) })], [1, undefined]);
  const modulus = (bits: number): string =>
    Buffer.from((1n << BigInt(bits - 1)).toString(16).padStart(2 * Math.ceil(bits / 8), '0'), 'hex').toString(
      'base64url',
    );
  for (const [bits, count] of [
    [2_047, undefined],
    [2_048, 1],
    [16_384, 1],
    [16_385, undefined],
  ] as const) {
    assert.equal(await read(createSuccessReply({ keys: [key('n', { n: modulus(bits) })] })), count, String(bits));
  }
  for (const [e, count] of [
    ['AQ', undefined],
    ['Aw', 1],
    [Buffer.alloc(8, 255).toString('base64url'), 1],
    [Buffer.alloc(9, 1).toString('base64url'), undefined],
    ['AAAA', undefined],
  ] as const) {
    assert.equal(await read(createSuccessReply({ keys: [key('e', { e })] })), count, e);
  }
});

test('a pool that is not the configured one has no keys and no description', async () => {
  await using server = await startCognitoServer(() => TWO);
  using provider = openTestProvider(server.url);
  assert.equal(await provider.signingKeys('us-east-1_Another1'), undefined);
  assert.equal(await provider.describe('us-east-1_Another1'), undefined);
  assert.equal(server.receivedRequests.length, 0);
});
