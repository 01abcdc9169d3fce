import type { StackLease, StackReads, StackRepository, StackResourceRecord } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';

type Row = Omit<StackResourceRecord, 'applied' | 'described' | 'state'> & {
  readonly state: string;
  readonly applied: string;
  readonly described: string;
};

const COLUMNS = [
  'stack',
  'logical_id as logicalId',
  'type',
  'pool_id as poolId',
  'physical_id as physicalId',
  'state',
  'applied',
  'described',
  'modified_at_ms as modifiedAtMs',
] as const;

const selectOfStack = defineStatement((db, p: Placeholders<{ stack: string }>) =>
  db.selectFrom('stack_resources').select(COLUMNS).where('stack', '=', p.stack).orderBy('logical_id'),
);

const selectAll = defineStatement((db, _: Placeholders<object>) =>
  db.selectFrom('stack_resources').select(COLUMNS).orderBy('stack').orderBy('logical_id'),
);

const takeLease = defineStatement((db, p: Placeholders<StackLease>) =>
  db
    .insertInto('stacks')
    .values({ name: p.stack, lease_id: p.leaseId, lease_until_ms: p.untilMs })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({
          lease_id: eb.ref('excluded.lease_id'),
          lease_until_ms: eb.ref('excluded.lease_until_ms'),
        }))
        .where('stacks.lease_until_ms', '<=', p.nowMs),
    )
    .returning('name'),
);

const extendLease = defineStatement((db, p: Placeholders<Omit<StackLease, 'nowMs'>>) =>
  db
    .updateTable('stacks')
    .set({ lease_until_ms: p.untilMs })
    .where('name', '=', p.stack)
    .where('lease_id', '=', p.leaseId)
    .returning('name'),
);

const releaseLease = defineStatement((db, p: Placeholders<{ stack: string; leaseId: string }>) =>
  db
    .updateTable('stacks')
    .set({ lease_until_ms: 0 })
    .where('name', '=', p.stack)
    .where('lease_id', '=', p.leaseId)
    .returning('name'),
);

const putResource = defineStatement((db, p: Placeholders<Row>) =>
  db
    .insertInto('stack_resources')
    .values({
      stack: p.stack,
      logical_id: p.logicalId,
      type: p.type,
      pool_id: p.poolId,
      physical_id: p.physicalId,
      state: p.state,
      applied: p.applied,
      described: p.described,
      modified_at_ms: p.modifiedAtMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['stack', 'logical_id']).doUpdateSet((eb) => ({
        type: eb.ref('excluded.type'),
        pool_id: eb.ref('excluded.pool_id'),
        physical_id: eb.ref('excluded.physical_id'),
        state: eb.ref('excluded.state'),
        applied: eb.ref('excluded.applied'),
        described: eb.ref('excluded.described'),
        modified_at_ms: eb.ref('excluded.modified_at_ms'),
      })),
    ),
);

const deleteResource = defineStatement((db, p: Placeholders<{ stack: string; logicalId: string }>) =>
  db.deleteFrom('stack_resources').where('stack', '=', p.stack).where('logical_id', '=', p.logicalId),
);

function toResource(row: Row): StackResourceRecord {
  return {
    ...row,
    state: row.state as StackResourceRecord['state'],
    applied: JSON.parse(row.applied) as StackResourceRecord['applied'],
    described: JSON.parse(row.described) as StackResourceRecord['described'],
  };
}

/** Reads what was made from infrastructure files. */
export class SqlStackReads extends SqlRepository implements StackReads {
  async listResources(stack: string): Promise<readonly StackResourceRecord[]> {
    return (await this.executor.run(selectOfStack, { stack })).rows.map(toResource);
  }

  async listAllResources(): Promise<readonly StackResourceRecord[]> {
    return (await this.executor.run(selectAll, {})).rows.map(toResource);
  }
}

/** Reads and writes what was made from infrastructure files. */
export class SqlStackRepository extends SqlStackReads implements StackRepository {
  async takeLease(lease: StackLease): Promise<boolean> {
    return (await this.executor.run(takeLease, lease)).rows.length === 1;
  }

  async extendLease({ stack, leaseId, untilMs }: StackLease): Promise<boolean> {
    return (await this.executor.run(extendLease, { stack, leaseId, untilMs })).rows.length === 1;
  }

  async releaseLease(stack: string, leaseId: string): Promise<void> {
    await this.executor.run(releaseLease, { stack, leaseId });
  }

  async putResource(resource: StackResourceRecord): Promise<void> {
    const { applied, described } = resource;
    const texts = { applied: JSON.stringify(applied), described: JSON.stringify(described) };
    await this.executor.run(putResource, { ...resource, ...texts });
  }

  async deleteResource(stack: string, logicalId: string): Promise<void> {
    await this.executor.run(deleteResource, { stack, logicalId });
  }
}
