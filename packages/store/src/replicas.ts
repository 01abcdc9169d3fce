import type { Database } from './sql/database.ts';
import type { Placeholders } from './sql/placeholder.ts';
import { defineStatement } from './sql/statement.ts';

/** A service on this store, as announced. */
export interface AnnouncedReplica {
  readonly id: string;
  /** A name for operators. */
  readonly name: string;
  /** The ids of the keys from its secrets. A key id reveals nothing about its secret. */
  readonly keyIds: readonly string[];
  readonly seenAtMs: number;
}

/** The services on one store. */
export interface ReplicaRecords {
  /** Adds a replica, or renews its announcement. */
  announce(replica: AnnouncedReplica): Promise<void>;
  /** Removes the announcement of a replica that stops. */
  withdraw(id: string): Promise<void>;
  /** Lists the replicas whose last announcement is not older than this, by name. */
  listSeenSince(sinceMs: number): Promise<readonly AnnouncedReplica[]>;
}

interface ReplicaRow {
  readonly id: string;
  readonly name: string;
  readonly keyIds: string;
  readonly seenAtMs: number;
}

const upsertReplica = defineStatement((db, p: Placeholders<ReplicaRow>) =>
  db
    .insertInto('replicas')
    .values({ id: p.id, name: p.name, key_ids: p.keyIds, seen_at_ms: p.seenAtMs })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({ seen_at_ms: eb.ref('excluded.seen_at_ms') })),
    ),
);

const deleteReplica = defineStatement((db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('replicas').where('id', '=', p.id),
);

const selectReplicasSince = defineStatement((db, p: Placeholders<{ sinceMs: number }>) =>
  db
    .selectFrom('replicas')
    .select(['id', 'name', 'key_ids as keyIds', 'seen_at_ms as seenAtMs'])
    .where('seen_at_ms', '>=', p.sinceMs)
    .orderBy('name')
    .orderBy('id'),
);

/** Stores the announcements of services. */
export function createReplicaRecords({
  reads,
  deferredWrites,
}: Pick<Database, 'reads' | 'deferredWrites'>): ReplicaRecords {
  return {
    async announce({ keyIds, ...replica }) {
      await deferredWrites.run(upsertReplica, { ...replica, keyIds: JSON.stringify(keyIds) });
    },
    async withdraw(id) {
      await deferredWrites.run(deleteReplica, { id });
    },
    async listSeenSince(sinceMs) {
      const { rows } = await reads.run(selectReplicasSince, { sinceMs });
      return rows.map(({ keyIds, ...row }) => ({ ...row, keyIds: JSON.parse(keyIds) as readonly string[] }));
    },
  };
}
