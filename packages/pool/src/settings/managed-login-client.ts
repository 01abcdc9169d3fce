import type { ClientRecord, PoolRecord } from '../store/records.ts';
import { DEFAULT_CLIENT_SETTINGS } from './default-settings.ts';
import type { PagePolicy } from './page-policy.ts';

const PREFIX = 'managedlogin_';

/**
 * Returns the id of the app client with which a pool's pages sign users in. It contains the pool id in a form that an app client id allows.
 */
export function toManagedLoginClientId(poolId: string): string {
  return `${PREFIX}${poolId.replaceAll('-', '_')}`;
}

/** Returns the pool of such an id; undefined for the id of any other client. The last `_` is part of the pool id; the others replace `-`. */
export function readManagedLoginPoolId(clientId: string): string | undefined {
  if (!clientId.startsWith(PREFIX)) return undefined;
  const [, region, name] = /^(.+)_([^_]+)$/.exec(clientId.slice(PREFIX.length)) ?? [];
  return region === undefined ? undefined : `${region.replaceAll('_', '-')}_${name}`;
}

/**
 * Creates the app client with which a pool's pages sign users in. The pool's operator does not see it, cannot change it, and needs none for
 * the pages. It is the same for every application, because the session at the pages is the single sign-on. It therefore reads and writes
 * only the attributes that all these applications may.
 */
export function createManagedLoginClient(
  { id, createdAtMs }: PoolRecord,
  { readAttributes, writeAttributes }: PagePolicy,
): ClientRecord {
  return {
    id: toManagedLoginClientId(id),
    poolId: id,
    name: 'Managed login',
    settings: { ...DEFAULT_CLIENT_SETTINGS, readAttributes, writeAttributes },
    secretsEncrypted: [],
    createdAtMs,
    modifiedAtMs: createdAtMs,
  };
}
