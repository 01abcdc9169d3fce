import type { NamedLockRepository } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';

// Written, not read, so that PostgreSQL locks the row until the write ends. SQLite runs one write at a time anyway.
const writeRow = defineStatement((db, p: Placeholders<{ name: string; expiresAtMs: number }>) =>
  db
    .insertInto('locks')
    .values({ name: p.name, expires_at_ms: p.expiresAtMs })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ expires_at_ms: eb.ref('excluded.expires_at_ms') })),
    ),
);

/** Takes named locks for writes. */
export class SqlNamedLockRepository extends SqlRepository implements NamedLockRepository {
  async lock(name: string, expiresAtMs: number): Promise<void> {
    await this.executor.run(writeRow, { name, expiresAtMs });
  }
}
