import type { Database } from './sql/database.ts';
import type { Placeholders } from './sql/placeholder.ts';
import { defineStatement } from './sql/statement.ts';

/** A service on this store, as it announced itself. */
export interface AnnouncedReplica {
  readonly id: string;
  /** Tells an operator which process it is. */
  readonly name: string;
  /** The ids of the keys that its secrets give. A key id reveals nothing about its secret. */
  readonly keyIds: readonly string[];
  readonly seenAtMs: number;
}

/** The services that run on one store. */
export interface ReplicaRecords {
  /** Adds a replica, or renews its announcement. */
  announce(replica: AnnouncedReplica): Promise<void>;
  /** Removes the announcement of a replica that stops. */
  withdraw(id: string): Promise<void>;
  /** The replicas that announced themselves at this time or later, by name. */
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

/** The announcements of the services on a database. */
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
