import type { ClientRecord, PoolRecord } from '../store/records.ts';
import { DEFAULT_CLIENT_SETTINGS } from './default-settings.ts';

const PREFIX = 'managedlogin_';

/** The id of the app client through which the pages of a pool sign users in. A pool id as an app client id can hold it. */
export function toManagedLoginClientId(poolId: string): string {
  return `${PREFIX}${poolId.replaceAll('-', '_')}`;
}

/** The pool of such an id; undefined for the id of any other client. Only the last `_` of a pool id was one. */
export function readManagedLoginPoolId(clientId: string): string | undefined {
  if (!clientId.startsWith(PREFIX)) return undefined;
  const [, region, name] = /^(.+)_([^_]+)$/.exec(clientId.slice(PREFIX.length)) ?? [];
  return region === undefined ? undefined : `${region.replaceAll('_', '-')}_${name}`;
}

/**
 * The app client through which the pages of a pool sign users in. The operator of the pool does not see it, cannot change it, and needs none
 * for the pages. It is the same for every application, because the session at the pages is the single sign-on.
 */
export function createManagedLoginClient({ id, createdAtMs }: PoolRecord): ClientRecord {
  return {
    id: toManagedLoginClientId(id),
    poolId: id,
    name: 'Managed login',
    settings: DEFAULT_CLIENT_SETTINGS,
    secretsEncrypted: [],
    createdAtMs,
    modifiedAtMs: createdAtMs,
  };
}
