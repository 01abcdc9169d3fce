import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { toJwkThumbprint } from '../settings/supplied-keys.ts';
import type { EventRecord, PoolStore, SigningKeyRecord } from '../store/index.ts';
import { createEventPorts, createTestPoolRecord, KEY_RING_PORT } from '../testing/test-ports.ts';
import {
  createSuppliedSigningKeys,
  findPublicKey,
  listPublishedKeys,
  requireJwtSigners,
  rotateSigningKeys,
} from './signing-keys.ts';
import { createKeyCache } from './token-ports.ts';

const NOW_MS = 1_800_000_000_000;
/** The maximum lifetime of tokens, a day, and a minute. */
const PUBLISHED_MS = 86_460_000;

const ports = { ...createEventPorts(NOW_MS), ...KEY_RING_PORT };
const pool = createTestPoolRecord();
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { n = '', e = '' } = publicKey.export({ format: 'jwk' });

const RSA = { algorithm: 'RS256', x: '', y: '' } as const;

function keyRecord(kid: string, more: Partial<SigningKeyRecord> = {}): SigningKeyRecord {
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  const privateEncrypted = ports.keyRing.encrypt('signing-key', pkcs8, `${pool.id}/${kid}`);
  const times = { createdAtMs: NOW_MS, retiredAtMs: null };
  return { poolId: pool.id, kid, purpose: 'access', ...RSA, n, e, privateEncrypted, ...times, ...more };
}

/** An instance on a store with these keys, oldest first. */
function withKeys(...keys: readonly SigningKeyRecord[]) {
  const store = {
    signingKeys: { listOf: async (id: string) => (id === pool.id ? keys : []) },
    write: async () => {
      throw new Error('the store is down');
    },
  };
  return { ...ports, keyCache: createKeyCache(ports.clock), store: store as unknown as PoolStore };
}

const ID = keyRecord('id', { purpose: 'id' });

test('the newest key of each kind that is not retired signs', async () => {
  const keys = [keyRecord('older'), keyRecord('newer'), keyRecord('retired', { retiredAtMs: NOW_MS }), ID];
  const signers = await requireJwtSigners(withKeys(...keys), pool);
  for (const [purpose, kid] of [
    ['access', 'newer'],
    ['id', 'id'],
  ] as const) {
    const { header, key } = signers[purpose];
    assert.deepEqual(JSON.parse(Buffer.from(header, 'base64url').toString()), { kid, alg: 'RS256' });
    assert.ok(key.equals(privateKey));
  }
});

test('nothing signs if a kind has no key, or one that this instance cannot read', async () => {
  const moved = keyRecord('moved', { privateEncrypted: keyRecord('elsewhere').privateEncrypted });
  const rows = [
    [[], { name: 'TypeError', message: 'the pool has no active signing key' }],
    [[ID, keyRecord('retired', { retiredAtMs: NOW_MS })], { message: 'the pool has no active signing key' }],
    [[keyRecord('access')], { message: 'the pool has no active signing key' }],
    [[moved, ID], { code: 'InternalErrorException', message: /\(signing-key\) cannot be decrypted/ }],
  ] as const;
  for (const [keys, refusal] of rows) {
    await assert.rejects(requireJwtSigners(withKeys(...keys), pool), refusal);
  }
});

test('a key is published until its last token has expired, to the millisecond', async () => {
  const keys = withKeys(
    keyRecord('gone', { retiredAtMs: NOW_MS - PUBLISHED_MS }),
    keyRecord('last', { retiredAtMs: NOW_MS - PUBLISHED_MS + 1 }),
    keyRecord('active'),
    ID,
  );
  assert.deepEqual(
    await listPublishedKeys(keys, pool),
    ['last', 'active', 'id'].map((kid) => ({ alg: 'RS256', e, kid, kty: 'RSA', n, use: 'sig' })),
  );
  for (const kid of ['last', 'active']) assert.ok((await findPublicKey(keys, pool, 'access', kid))?.equals(publicKey));
  for (const kid of ['gone', 'unknown', 'id']) assert.equal(await findPublicKey(keys, pool, 'access', kid), undefined);
  assert.ok((await findPublicKey(keys, pool, 'id', 'id'))?.equals(publicKey));
});

test('imported keys sign under their thumbprints, each its own kind of token', async () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const supplied = { access: privateKey.export({ format: 'jwk' }), id: other.privateKey.export({ format: 'jwk' }) };
  const records = createSuppliedSigningKeys(ports, pool.id, supplied);
  const otherNumbers = (({ n: modulus = '', e: exponent = '' }) => ({ n: modulus, e: exponent }))(supplied.id);
  const times = { createdAtMs: NOW_MS, retiredAtMs: null };
  assert.deepEqual(
    records.map(({ privateEncrypted: _, ...shown }) => shown),
    [
      { poolId: pool.id, kid: toJwkThumbprint({ n, e }), purpose: 'access', ...RSA, n, e, ...times },
      { poolId: pool.id, kid: toJwkThumbprint(otherNumbers), purpose: 'id', ...RSA, ...otherNumbers, ...times },
    ],
  );
  const signers = await requireJwtSigners(withKeys(...records), pool);
  assert.ok(signers.access.key.equals(privateKey) && signers.id.key.equals(other.privateKey));
});

test('a rotation replaces the signing key of each kind, and is recorded', async () => {
  const written: unknown[] = [];
  const transaction = {
    signingKeys: {
      insert: async ({ purpose, kid }: SigningKeyRecord) => void written.push([purpose, kid.length]),
      retireExcept: async (...given: unknown[]) => void written.push(given),
    },
    events: { append: async ({ type, details }: EventRecord) => void written.push([type, details]) },
  };
  const write = async (work: (given: unknown) => Promise<unknown>) => work(transaction);
  const instance = withKeys(keyRecord('access'), ID);
  await rotateSigningKeys({ ...instance, store: { ...instance.store, write } as unknown as PoolStore }, pool);
  const [, , retired = [], ...rest] = written as (readonly unknown[])[];
  assert.deepEqual(written.slice(0, 2), [
    ['access', 44],
    ['id', 44],
  ]);
  assert.deepEqual([retired[0], (retired[1] as readonly string[]).length, retired[2]], [pool.id, 2, NOW_MS]);
  assert.deepEqual(rest, [['pool.updated', { what: 'signing_keys' }]]);
});

test('a rotation that is not written is reported as failed', async () => {
  await assert.rejects(rotateSigningKeys(withKeys(keyRecord('access'), ID), pool), { message: 'the store is down' });
});
