import type { ClockPort, KeyRingPort, RandomPort } from '../kernel/ports.ts';
import type { ClientRecord, PoolRecord } from '../store/records.ts';
import { encryptClientSecret, encryptPoolSecret } from './pools-and-clients.ts';

const SECRET_BYTES = 32;

/** Creates the record of a new pool, with its own secret. */
export function createPoolRecord(
  ports: ClockPort & RandomPort & KeyRingPort,
  { id, name, region, settings }: Pick<PoolRecord, 'id' | 'name' | 'region' | 'settings'>,
): PoolRecord {
  const nowMs = ports.clock.now();
  const secretEncrypted = encryptPoolSecret(ports, id, ports.random(SECRET_BYTES));
  return { id, name, region, settings, secretEncrypted, createdAtMs: nowMs, modifiedAtMs: nowMs };
}

/** Creates the record of a new client, which is public without a secret. */
export function createClientRecord(
  ports: ClockPort & KeyRingPort,
  { poolId, id, name, settings }: Pick<ClientRecord, 'poolId' | 'id' | 'name' | 'settings'>,
  secret?: string,
): ClientRecord {
  const nowMs = ports.clock.now();
  const secretsEncrypted = secret === undefined ? [] : [encryptClientSecret(ports, poolId, id, secret)];
  return { poolId, id, name, settings, secretsEncrypted, createdAtMs: nowMs, modifiedAtMs: nowMs };
}
