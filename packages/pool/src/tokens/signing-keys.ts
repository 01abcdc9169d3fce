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

/** Cognito's longest token life, a day, and a minute for replicas that have not yet seen that a key is retired. */
const PUBLISHED_AFTER_RETIREMENT_MS = (24 * 60 + 1) * 60_000;

/** Makes one key for each kind of token. */
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
 * The records of keys that were made elsewhere, in place of new ones. Their ids are thumbprints.
 * @throws {RangeError} naming the key that is none, or that is both
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

/** Puts new keys in place of the active ones. Tokens that those signed stay good. */
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

/** Makes a new pair of keys for a pool, of the kind that it has; it signs at once here, and within seconds on other replicas. */
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

/** What the keys of a pool sign with: the newest ones that are active. */
export function findActiveAlgorithm(keys: readonly SigningKeyRecord[]): SigningAlgorithm | undefined {
  return keys.findLast(({ retiredAtMs }) => retiredAtMs === null)?.algorithm;
}

/** The keys that sign a pool's tokens now. */
export async function requireJwtSigners(
  ports: KeyRingPort & KeyCachePort & StoreReads<'signingKeys'>,
  pool: PoolRecord,
): Promise<Readonly<Record<Purpose, JwtSigner>>> {
  const records = await listKeyRecords(ports, pool);
  return { access: requireJwtSigner(ports, records, 'access'), id: requireJwtSigner(ports, records, 'id') };
}

/** The newest one that is active, which comes last: two replicas that rotate at the same time may leave two. */
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

/** The public key of a key id, if it signs or signed tokens of this kind and is still published. */
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

/** Another replica may have rotated a moment ago: one read by key, for a decoy key id too, so that those delay nobody. */
function rereadKeys(ports: PublishedKeyPorts, pool: PoolRecord): Promise<readonly SigningKeyRecord[]> {
  ports.keyCache.signingKeys.delete(pool.id);
  return listPublishedRecords(ports, pool);
}

/** The public keys of a pool as they are now: the active ones, and retired ones while a token of theirs can be alive. */
export async function listPublishedKeys(ports: PublishedKeyPorts, pool: PoolRecord): Promise<readonly PublicKey[]> {
  return (await rereadKeys(ports, pool)).map(toJwk);
}

async function listPublishedRecords(ports: PublishedKeyPorts, pool: PoolRecord): Promise<readonly SigningKeyRecord[]> {
  const nowMs = ports.clock.now();
  return (await listKeyRecords(ports, pool)).filter((key) => isPublishedKey(key, nowMs));
}

/** The published keys of a pool as they are now, and which of them sign. */
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

/** Whether a key signs, or a token that it signed can be alive. */
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
