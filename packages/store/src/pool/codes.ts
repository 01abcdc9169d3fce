import type { CodePurpose, CodeReads, CodeRecord, CodeRepository } from '@poolgate/pool/store';
import type { Placeholders } from '../placeholder.ts';
import { Repository } from '../repository.ts';
import { ONE_ROW, statement } from '../statement.ts';

const upsertCode = statement((db, p: Placeholders<CodeRecord>) =>
  db
    .insertInto('codes')
    .values({
      pool_id: p.poolId,
      username: p.username,
      purpose: p.purpose,
      digest_hex: p.digestHex,
      channel: p.channel,
      destination: p.destination,
      expires_at_ms: p.expiresAtMs,
      created_at_ms: p.createdAtMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['pool_id', 'username', 'purpose']).doUpdateSet((eb) => ({
        digest_hex: eb.ref('excluded.digest_hex'),
        channel: eb.ref('excluded.channel'),
        destination: eb.ref('excluded.destination'),
        expires_at_ms: eb.ref('excluded.expires_at_ms'),
        created_at_ms: eb.ref('excluded.created_at_ms'),
      })),
    ),
);

// For a user who has no code the next one is read and thrown away, so that it takes as long.
const selectCode = statement((db, p: Placeholders<{ poolId: string; username: string; purpose: CodePurpose }>) =>
  db
    .selectFrom('codes')
    .select([
      'pool_id as poolId',
      'username',
      'purpose',
      'digest_hex as digestHex',
      'channel',
      'destination',
      'expires_at_ms as expiresAtMs',
      'created_at_ms as createdAtMs',
    ])
    .where('pool_id', '=', p.poolId)
    .where((eb) => eb(eb.refTuple('username', 'purpose'), '>=', eb.tuple(p.username, p.purpose)))
    .orderBy('username')
    .orderBy('purpose')
    .limit(ONE_ROW),
);

const consumeCode = statement(
  (db, p: Placeholders<{ poolId: string; username: string; purpose: CodePurpose; digestHex: string }>) =>
    db
      .deleteFrom('codes')
      .where('pool_id', '=', p.poolId)
      .where('username', '=', p.username)
      .where('purpose', '=', p.purpose)
      .where('digest_hex', '=', p.digestHex)
      .returning('username'),
);

const deleteCode = statement((db, p: Placeholders<{ poolId: string; username: string; purpose: CodePurpose }>) =>
  db
    .deleteFrom('codes')
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('purpose', '=', p.purpose),
);

/** Reads codes that were sent to users. */
export class DatabaseCodeReads extends Repository implements CodeReads {
  async byPurpose(poolId: string, username: string, purpose: CodePurpose): Promise<CodeRecord | undefined> {
    const { rows } = await this.executor.run(selectCode, { poolId, username, purpose });
    const nearest = rows[0] as CodeRecord | undefined;
    return nearest?.username === username && nearest.purpose === purpose ? nearest : undefined;
  }
}

/** Reads and writes codes that were sent to users. */
export class DatabaseCodes extends DatabaseCodeReads implements CodeRepository {
  async put(code: CodeRecord): Promise<void> {
    await this.executor.run(upsertCode, code);
  }

  async consume(poolId: string, username: string, purpose: CodePurpose, digestHex: string): Promise<boolean> {
    return (await this.executor.run(consumeCode, { poolId, username, purpose, digestHex })).rows.length === 1;
  }

  async delete(poolId: string, username: string, purpose: CodePurpose): Promise<void> {
    await this.executor.run(deleteCode, { poolId, username, purpose });
  }
}
