import type { PoolRuntime } from '../runtime.ts';
import type { ClientRecord, PoolRecord } from '../store/records.ts';
import { encryptClientSecret, encryptPoolSecret } from './pools.ts';

const SECRET_BYTES = 32;

/** The record of a new pool, with a secret of its own. */
export function newPool(
  context: PoolRuntime,
  { id, name, region, settings }: Pick<PoolRecord, 'id' | 'name' | 'region' | 'settings'>,
): PoolRecord {
  const nowMs = context.clock.now();
  const secretEncrypted = encryptPoolSecret(context, id, context.random(SECRET_BYTES));
  return { id, name, region, settings, secretEncrypted, createdAtMs: nowMs, modifiedAtMs: nowMs };
}

/** The record of a new client; public unless it is given a secret. */
export function newClient(
  context: PoolRuntime,
  { poolId, id, name, settings }: Pick<ClientRecord, 'poolId' | 'id' | 'name' | 'settings'>,
  secret?: string,
): ClientRecord {
  const nowMs = context.clock.now();
  const secretsEncrypted = secret === undefined ? [] : [encryptClientSecret(context, poolId, id, secret)];
  return { poolId, id, name, settings, secretsEncrypted, createdAtMs: nowMs, modifiedAtMs: nowMs };
}
