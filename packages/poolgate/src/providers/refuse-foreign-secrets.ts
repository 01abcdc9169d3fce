import type { GatewayRecords } from '@poolgate/gateway/records';
import type { PoolStore } from '@poolgate/pool/store';
import { StartError } from '../process/start-error.ts';
import type { ServiceKeyRing } from '../secrets/key-ring.ts';

const ENCRYPTED_BY_OTHERS = {
  development: 'it was encrypted with development secrets',
  unknown: 'it was encrypted with a secret that is not in POOLGATE_SECRET',
} as const;

type FirstPool = Pick<PoolStore, 'pools'>;

/** @throws StartError the first pool was encrypted with a secret that this service lacks */
export async function refuseForeignSecrets(store: FirstPool, keyRing: ServiceKeyRing): Promise<void> {
  const first = await store.pools.first();
  if (first !== undefined) requireKnownSecret(keyRing, first.secretEncrypted);
}

/**
 * Refuses to replace the content of a store that this service could not run on. It may be the store of another service.
 * @throws StartError its first pool or an admin key was encrypted with a secret that this service lacks
 */
export async function refuseForeignContent(
  store: FirstPool,
  { adminKeys }: Pick<GatewayRecords, 'adminKeys'>,
  keyRing: ServiceKeyRing,
): Promise<void> {
  await refuseForeignSecrets(store, keyRing);
  for (const { signingSecretEncrypted } of await adminKeys.list()) requireKnownSecret(keyRing, signingSecretEncrypted);
}

function requireKnownSecret(keyRing: ServiceKeyRing, encrypted: string): void {
  const encryptedBy = keyRing.findSecretOrigin(encrypted);
  if (encryptedBy === 'known') return;
  const reason = ENCRYPTED_BY_OTHERS[encryptedBy];
  throw new StartError('store_refused', `DATABASE_URL: the service refuses this store because ${reason}`);
}
