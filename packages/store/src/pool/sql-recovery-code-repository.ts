import type { RecoveryCodeReads, RecoveryCodeRepository } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement, type Writer } from '../sql/statement.ts';
import { lockUser } from './lock-user.ts';

interface Owner {
  readonly poolId: string;
  readonly username: string;
}

type RecoveryCode = Owner & { readonly digestHex: string };

const countCodes = defineStatement((db, p: Placeholders<Owner>) =>
  db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username),
);

const insertCode = defineStatement((db, p: Placeholders<RecoveryCode & { nowMs: number }>) =>
  db
    .insertInto('recovery_codes')
    .values({ pool_id: p.poolId, username: p.username, digest_hex: p.digestHex, created_at_ms: p.nowMs }),
);

const deleteCodes = defineStatement((db, p: Placeholders<Owner>) =>
  db.deleteFrom('recovery_codes').where('pool_id', '=', p.poolId).where('username', '=', p.username),
);

const deleteCode = defineStatement((db, p: Placeholders<RecoveryCode>) =>
  db
    .deleteFrom('recovery_codes')
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('digest_hex', '=', p.digestHex)
    .returning('digest_hex'),
);

/** Reads recovery codes of users, as keyed digests. */
export class SqlRecoveryCodeReads extends SqlRepository implements RecoveryCodeReads {
  async count(poolId: string, username: string): Promise<number> {
    return this.readCount(countCodes, { poolId, username });
  }
}

/** Reads and writes recovery codes of users, as keyed digests. */
export class SqlRecoveryCodeRepository extends SqlRecoveryCodeReads implements RecoveryCodeRepository {
  declare protected readonly executor: Writer;

  constructor(writer: Writer) {
    super(writer);
  }

  /** Of several concurrent sets, exactly one is kept as a whole. */
  async replace(poolId: string, username: string, digestsHex: readonly string[], nowMs: number): Promise<void> {
    await lockUser(this.executor, poolId, username);
    await this.executor.run(deleteCodes, { poolId, username });
    for (const digestHex of new Set(digestsHex))
      await this.executor.run(insertCode, { poolId, username, digestHex, nowMs });
  }

  async use(poolId: string, username: string, digestHex: string): Promise<boolean> {
    return (await this.executor.run(deleteCode, { poolId, username, digestHex })).rows.length === 1;
  }
}
