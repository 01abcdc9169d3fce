import { hostname } from 'node:os';
import type { AnnouncedReplica, ReplicaRecords } from '@poolgate/store';
import type { System } from '../process/system.ts';
import type { ServiceKeyRing } from './key-ring.ts';

const RENEWED_EVERY_MS = 15_000;

/** A replica with an older announcement no longer runs. The clocks of replicas differ by up to a minute. */
export const REPLICA_LIVE_MS = 120_000;

const ID_BYTES = 12;

interface AnnouncementParts extends System {
  readonly replicas: ReplicaRecords;
  readonly keyRing: Pick<ServiceKeyRing, 'keyIds'>;
}

/**
 * Announces this service and its secrets to all processes on the store, and renews the announcement until it stops.
 * @returns stops it and withdraws the announcement
 */
export async function announceReplica({
  replicas,
  keyRing,
  clock,
  timer,
  random,
}: AnnouncementParts): Promise<() => Promise<void>> {
  const id = Buffer.from(random(ID_BYTES)).toString('base64url');
  const facts = { id, name: `${hostname()} (process ${process.pid})`, keyIds: keyRing.keyIds };
  const announce = (): Promise<void> => replicas.announce({ ...facts, seenAtMs: clock.now() });
  let renewal = announce();
  await renewal;
  let cancel = (): void => {};
  const renewLater = (): void => {
    cancel = timer.after(RENEWED_EVERY_MS, () => {
      // The next one may succeed. Readiness reports a store that does not answer.
      renewal = announce().catch(() => {});
      void renewal.then(renewLater);
    });
  };
  renewLater();
  let isStopped = false;
  return async () => {
    if (isStopped) return;
    isStopped = true;
    cancel();
    await renewal;
    cancel();
    await replicas.withdraw(id).catch(() => {});
  };
}

/** Returns the live replicas that cannot decrypt what this key encrypts. */
export async function findReplicasWithoutKey(
  replicas: ReplicaRecords,
  keyId: string,
  nowMs: number,
): Promise<readonly AnnouncedReplica[]> {
  const live = await replicas.listSeenSince(nowMs - REPLICA_LIVE_MS);
  return live.filter(({ keyIds }) => !keyIds.includes(keyId));
}
