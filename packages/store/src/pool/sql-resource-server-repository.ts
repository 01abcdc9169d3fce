import type { Page, ResourceServerReads, ResourceServerRecord, ResourceServerRepository } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { toPage, toRowLimit } from '../sql/row-pages.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement, type Writer } from '../sql/statement.ts';
import { lockPool } from './sql-pool-repository.ts';

type Row = Omit<ResourceServerRecord, 'scopes'> & { readonly scopes: string };

const COLUMNS = [
  'pool_id as poolId',
  'identifier',
  'name',
  'scopes',
  'created_at_ms as createdAtMs',
  'modified_at_ms as modifiedAtMs',
] as const;

interface ServerId {
  readonly poolId: string;
  readonly identifier: string;
}

const selectServer = defineStatement((db, p: Placeholders<ServerId>) =>
  db
    .selectFrom('resource_servers')
    .select(COLUMNS)
    .where('pool_id', '=', p.poolId)
    .where('identifier', '=', p.identifier),
);

const selectServers = defineStatement((db, p: Placeholders<{ poolId: string; after: string; limit: number }>) =>
  db
    .selectFrom('resource_servers')
    .select(COLUMNS)
    .where('pool_id', '=', p.poolId)
    .where('identifier', '>', p.after)
    .orderBy('identifier')
    .limit(p.limit),
);

const countServers = defineStatement((db, p: Placeholders<{ poolId: string }>) =>
  db
    .selectFrom('resource_servers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('pool_id', '=', p.poolId),
);

const insertServer = defineStatement((db, p: Placeholders<Row>) =>
  db.insertInto('resource_servers').values({
    pool_id: p.poolId,
    identifier: p.identifier,
    name: p.name,
    scopes: p.scopes,
    created_at_ms: p.createdAtMs,
    modified_at_ms: p.modifiedAtMs,
  }),
);

const updateServer = defineStatement((db, p: Placeholders<Omit<Row, 'createdAtMs'>>) =>
  db
    .updateTable('resource_servers')
    .set({ name: p.name, scopes: p.scopes, modified_at_ms: p.modifiedAtMs })
    .where('pool_id', '=', p.poolId)
    .where('identifier', '=', p.identifier)
    .returning('identifier'),
);

const deleteServer = defineStatement((db, p: Placeholders<ServerId>) =>
  db
    .deleteFrom('resource_servers')
    .where('pool_id', '=', p.poolId)
    .where('identifier', '=', p.identifier)
    .returning('identifier'),
);

function toResourceServer(row: Row): ResourceServerRecord {
  return { ...row, scopes: JSON.parse(row.scopes) as ResourceServerRecord['scopes'] };
}

/** Reads resource servers. */
export class SqlResourceServerReads extends SqlRepository implements ResourceServerReads {
  async byIdentifier(poolId: string, identifier: string): Promise<ResourceServerRecord | undefined> {
    return (await this.executor.run(selectServer, { poolId, identifier })).rows.map(toResourceServer)[0];
  }

  /** @throws RangeError for a limit below 1 */
  async list(poolId: string, limit: number, cursor: string | undefined): Promise<Page<ResourceServerRecord>> {
    // No identifier sorts before the empty text.
    const place = { poolId, after: cursor ?? '', limit: toRowLimit(limit) };
    const { rows } = await this.executor.run(selectServers, place);
    return toPage(rows.map(toResourceServer), limit, ({ identifier }) => identifier);
  }
}

/** Reads and writes resource servers. */
export class SqlResourceServerRepository extends SqlResourceServerReads implements ResourceServerRepository {
  declare protected readonly executor: Writer;

  constructor(writer: Writer) {
    super(writer);
  }

  async lockAndCount(poolId: string): Promise<number> {
    await lockPool(this.executor, poolId);
    return this.readCount(countServers, { poolId });
  }

  async insert(server: ResourceServerRecord): Promise<void> {
    await this.executor.run(insertServer, { ...server, scopes: JSON.stringify(server.scopes) });
  }

  async update(
    poolId: string,
    identifier: string,
    { name, scopes, modifiedAtMs }: Pick<ResourceServerRecord, 'name' | 'scopes' | 'modifiedAtMs'>,
  ): Promise<boolean> {
    const change = { poolId, identifier, name, scopes: JSON.stringify(scopes), modifiedAtMs };
    return (await this.executor.run(updateServer, change)).rows.length === 1;
  }

  async delete(poolId: string, identifier: string): Promise<boolean> {
    return (await this.executor.run(deleteServer, { poolId, identifier })).rows.length === 1;
  }
}
