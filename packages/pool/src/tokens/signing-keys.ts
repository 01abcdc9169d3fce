import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { PublicKey, SigningAlgorithm, SigningKeyDescription } from '@poolgate/provider';
import { recordEvent } from '../kernel/audit-events.ts';
import type {
  ClockPort,
  EventPorts,
  KeyRingPort,
  RandomPort,
  StoreReads,
  StoreWrites,
  Transaction,
} from '../kernel/ports.ts';
import { decryptionFailedError } from '../settings/pools-and-clients.ts';
import { parseSuppliedKeys, type SuppliedKeys, toJwkThumbprint } from '../settings/supplied-keys.ts';
import type { PoolRecord, SigningKeyRecord } from '../store/records.ts';
import { createJwtSigner, type JwtSigner } from './jwt.ts';
import { generatePrivateKey, type PublicNumbers, toJwk, toPublicNumbers } from './signing-algorithms.ts';
import type { KeyCachePort, PublishedKeyPorts } from './token-ports.ts';

type Purpose = SigningKeyRecord['purpose'];

const PURPOSES: readonly Purpose[] = ['access', 'id'];

/** Cognito's maximum token lifetime, a day, and a minute for replicas that have not noticed yet that a key is retired. */
const PUBLISHED_AFTER_RETIREMENT_MS = (24 * 60 + 1) * 60_000;

/** Generates one key for each kind of token. */
export function generateSigningKeys(
  ports: ClockPort & RandomPort & KeyRingPort,
  poolId: string,
  algorithm: SigningAlgorithm = 'RS256',
): Promise<readonly SigningKeyRecord[]> {
  return Promise.all(
    PURPOSES.map(async (purpose) => {
      const privateKey = await generatePrivateKey(algorithm);
      const kid = Buffer.from(ports.random(32)).toString('base64');
      return createSigningKeyRecord(ports, { poolId, kid, purpose, ...toPublicNumbers(privateKey) }, privateKey);
    }),
  );
}

/**
 * Creates the records of supplied keys instead of new ones. Their ids are thumbprints.
 * @throws {RangeError} with the name of an invalid or duplicate key
 */
export function createSuppliedSigningKeys(
  ports: ClockPort & KeyRingPort,
  poolId: string,
  supplied: SuppliedKeys,
): readonly SigningKeyRecord[] {
  const keys = parseSuppliedKeys(supplied);
  return PURPOSES.map((purpose) => {
    const numbers = toPublicNumbers(keys[purpose]);
    return createSigningKeyRecord(ports, { poolId, kid: toJwkThumbprint(numbers), purpose, ...numbers }, keys[purpose]);
  });
}

function createSigningKeyRecord(
  ports: ClockPort & KeyRingPort,
  facts: PublicNumbers & Pick<SigningKeyRecord, 'poolId' | 'kid' | 'purpose'>,
  privateKey: KeyObject,
): SigningKeyRecord {
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  return {
    ...facts,
    privateEncrypted: ports.keyRing.encrypt('signing-key', pkcs8, `${facts.poolId}/${facts.kid}`),
    createdAtMs: ports.clock.now(),
    retiredAtMs: null,
  };
}

/** Replaces the active keys with new ones. Tokens from the old keys stay valid. */
export async function replaceSigningKeys(
  transaction: Transaction<'signingKeys'>,
  poolId: string,
  keys: readonly SigningKeyRecord[],
  nowMs: number,
): Promise<void> {
  for (const key of keys) await transaction.signingKeys.insert(key);
  const kids = keys.map((key) => key.kid);
  await transaction.signingKeys.retireExcept(poolId, kids, nowMs);
}

/** Generates a new key pair for a pool, of the same kind. This replica signs with it at once, others within seconds. */
export async function rotateSigningKeys(
  ports: EventPorts & KeyRingPort & KeyCachePort & StoreReads<'signingKeys'> & StoreWrites<'events' | 'signingKeys'>,
  pool: PoolRecord,
): Promise<void> {
  const algorithm = findActiveAlgorithm(await ports.store.signingKeys.listOf(pool.id));
  const keys = await generateSigningKeys(ports, pool.id, algorithm);
  await ports.store.write(async (transaction) => {
    await replaceSigningKeys(transaction, pool.id, keys, ports.clock.now());
    await recordEvent(ports, transaction, { type: 'pool.updated', pool, details: { what: 'signing_keys' } });
  });
  ports.keyCache.signingKeys.delete(pool.id);
}

/** The algorithm of a pool's newest active keys. */
export function findActiveAlgorithm(keys: readonly SigningKeyRecord[]): SigningAlgorithm | undefined {
  return keys.findLast(({ retiredAtMs }) => retiredAtMs === null)?.algorithm;
}

/** Returns the keys that currently sign a pool's tokens. */
export async function requireJwtSigners(
  ports: KeyRingPort & KeyCachePort & StoreReads<'signingKeys'>,
  pool: PoolRecord,
): Promise<Readonly<Record<Purpose, JwtSigner>>> {
  const records = await listKeyRecords(ports, pool);
  return { access: requireJwtSigner(ports, records, 'access'), id: requireJwtSigner(ports, records, 'id') };
}

/** The newest active one, which comes last, because two replicas that rotate at the same time may leave two. */
function findSigningKey(records: readonly SigningKeyRecord[], purpose: Purpose): SigningKeyRecord | undefined {
  return records.findLast((key) => key.purpose === purpose && key.retiredAtMs === null);
}

function requireJwtSigner(
  ports: KeyRingPort & KeyCachePort,
  records: readonly SigningKeyRecord[],
  purpose: Purpose,
): JwtSigner {
  const record = findSigningKey(records, purpose);
  if (record === undefined) throw new TypeError('the pool has no active signing key');
  return ports.keyCache.signers.getOrCreate(record.kid, () =>
    createJwtSigner(record.kid, decryptPrivateKey(ports, record)),
  );
}

function decryptPrivateKey(ports: KeyRingPort, record: SigningKeyRecord): KeyObject {
  const pkcs8 = ports.keyRing.decrypt('signing-key', record.privateEncrypted, `${record.poolId}/${record.kid}`);
  if (pkcs8 === undefined) throw decryptionFailedError('signing-key');
  return createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
}

/** Returns the public key of a key id, if it signs or signed tokens of this kind and is still published. */
export async function findPublicKey(
  ports: PublishedKeyPorts,
  pool: PoolRecord,
  purpose: Purpose,
  kid: string,
): Promise<KeyObject | undefined> {
  const isWanted = (key: SigningKeyRecord) => key.kid === kid && key.purpose === purpose;
  const known = (await listPublishedRecords(ports, pool)).find(isWanted);
  const record = known ?? (await rereadKeys(ports, pool)).find(isWanted);
  if (record === undefined) return undefined;
  return ports.keyCache.publicKeys.getOrCreate(kid, () => createPublicKey({ key: toJwk(record), format: 'jwk' }));
}

/** Another replica may have just rotated. It takes one read by key, even for an invented key id, so such ids delay no one else. */
function rereadKeys(ports: PublishedKeyPorts, pool: PoolRecord): Promise<readonly SigningKeyRecord[]> {
  ports.keyCache.signingKeys.delete(pool.id);
  return listPublishedRecords(ports, pool);
}

/** Lists the current public keys of a pool: the active ones, and retired ones while a token of theirs can be valid. */
export async function listPublishedKeys(ports: PublishedKeyPorts, pool: PoolRecord): Promise<readonly PublicKey[]> {
  return (await rereadKeys(ports, pool)).map(toJwk);
}

async function listPublishedRecords(ports: PublishedKeyPorts, pool: PoolRecord): Promise<readonly SigningKeyRecord[]> {
  const nowMs = ports.clock.now();
  return (await listKeyRecords(ports, pool)).filter((key) => isPublishedKey(key, nowMs));
}

/** Lists the published keys of a pool, and which of them sign. */
export async function describeSigningKeys(
  ports: PublishedKeyPorts,
  pool: PoolRecord,
): Promise<readonly SigningKeyDescription[]> {
  const records = await rereadKeys(ports, pool);
  const signing = PURPOSES.map((purpose) => findSigningKey(records, purpose)?.kid);
  return records.map(({ kid, purpose, algorithm, createdAtMs, retiredAtMs }) => ({
    KeyId: kid,
    TokenUse: purpose,
    Algorithm: algorithm,
    Signs: signing.includes(kid),
    CreatedAt: createdAtMs / 1_000,
    ...(retiredAtMs === null ? {} : { RetiredAt: retiredAtMs / 1_000 }),
  }));
}

/** Whether a key signs, or one of its tokens can still be valid. */
export function isPublishedKey({ retiredAtMs }: Pick<SigningKeyRecord, 'retiredAtMs'>, nowMs: number): boolean {
  return retiredAtMs === null || retiredAtMs > nowMs - PUBLISHED_AFTER_RETIREMENT_MS;
}

async function listKeyRecords(
  ports: KeyCachePort & StoreReads<'signingKeys'>,
  pool: PoolRecord,
): Promise<readonly SigningKeyRecord[]> {
  const keys = await ports.keyCache.signingKeys.getOrLoad(pool.id, () => ports.store.signingKeys.listOf(pool.id));
  return keys ?? [];
}
