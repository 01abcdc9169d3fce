import type { SigningKeyReads, SigningKeyRecord, SigningKeyRepository } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';

const selectKeys = defineStatement((db, p: Placeholders<{ poolId: string }>) =>
  db
    .selectFrom('signing_keys')
    .select([
      'pool_id as poolId',
      'kid',
      'purpose',
      'algorithm',
      'n',
      'e',
      'x',
      'y',
      'private_sealed as privateEncrypted',
      'created_at_ms as createdAtMs',
      'retired_at_ms as retiredAtMs',
    ])
    .where('pool_id', '=', p.poolId)
    .orderBy('created_at_ms')
    .orderBy('kid'),
);

const insertKey = defineStatement((db, p: Placeholders<SigningKeyRecord>) =>
  db.insertInto('signing_keys').values({
    pool_id: p.poolId,
    kid: p.kid,
    purpose: p.purpose,
    algorithm: p.algorithm,
    n: p.n,
    e: p.e,
    x: p.x,
    y: p.y,
    private_sealed: p.privateEncrypted,
    created_at_ms: p.createdAtMs,
    retired_at_ms: p.retiredAtMs,
  }),
);

const retireKey = defineStatement((db, p: Placeholders<{ poolId: string; kid: string; nowMs: number }>) =>
  db
    .updateTable('signing_keys')
    .set({ retired_at_ms: p.nowMs })
    .where('pool_id', '=', p.poolId)
    .where('kid', '=', p.kid)
    .where('retired_at_ms', 'is', null),
);

/** Reads the keys that sign a pool's tokens, oldest first. */
export class SqlSigningKeyReads extends SqlRepository implements SigningKeyReads {
  async listOf(poolId: string): Promise<readonly SigningKeyRecord[]> {
    const { rows } = await this.executor.run(selectKeys, { poolId });
    return rows.map((row) => ({
      ...row,
      purpose: row.purpose as SigningKeyRecord['purpose'],
      algorithm: row.algorithm as SigningKeyRecord['algorithm'],
    }));
  }
}

/** Reads and writes the keys that sign a pool's tokens, oldest first. */
export class SqlSigningKeyRepository extends SqlSigningKeyReads implements SigningKeyRepository {
  async insert(key: SigningKeyRecord): Promise<void> {
    await this.executor.run(insertKey, key);
  }

  async retireExcept(poolId: string, kids: readonly string[], nowMs: number): Promise<void> {
    const { rows } = await this.executor.run(selectKeys, { poolId });
    for (const { kid } of rows) if (!kids.includes(kid)) await this.executor.run(retireKey, { poolId, kid, nowMs });
  }
}
