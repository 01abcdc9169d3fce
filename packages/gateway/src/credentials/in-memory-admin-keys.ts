import type { GatewayDeps } from '../kernel/deps.ts';
import type { AdminKeyRecord } from '../records/index.ts';
import { createAdminKeyRecord } from './admin-key-secret.ts';

/** The admin keys of this process only. */
export interface InMemoryAdminKeys {
  readonly keys: ReadonlyMap<string, AdminKeyRecord>;
  /** A key that no one has, to compare with if an id is unknown. */
  readonly decoy: AdminKeyRecord;
}

const DECOY_SECRET_BYTES = 32;

export function createInMemoryAdminKeys({
  adminKeys,
  keyRing,
  random,
}: Pick<GatewayDeps, 'adminKeys' | 'keyRing' | 'random'>): InMemoryAdminKeys {
  return {
    keys: new Map(
      adminKeys.map(({ id, secret, scopes }) => [id, { ...createAdminKeyRecord(keyRing, id, secret), scopes }]),
    ),
    decoy: createAdminKeyRecord(keyRing, 'decoy', Buffer.from(random(DECOY_SECRET_BYTES)).toString('base64url')),
  };
}
