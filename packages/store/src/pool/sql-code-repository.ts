import type { CodePurpose, CodeReads, CodeRecord, CodeRepository, DecoyCode } from '@poolgate/pool/store';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement, defineStatementPair, LIMIT_ONE, type Writer } from '../sql/statement.ts';
import { selectNearestKey } from './nearest-key.ts';

type CodeRow = CodeRecord & { isDecoy: boolean; decoySubject: string; decoyExpiresAtMs: number };

const castToText = (value: Expression<string>): RawBuilder<string> => sql`cast(${value} as text)`;
const castToInteger = (value: Expression<number>): RawBuilder<number> => sql`cast(${value} as bigint)`;

// Both rows use the same text, so that a database parses and plans the same for both.
const upsertCodeOrDecoy = defineStatementPair((db, p: Placeholders<CodeRow>) => [
  db
    .insertInto('codes')
    .columns([
      'pool_id',
      'username',
      'purpose',
      'digest_hex',
      'channel',
      'destination',
      'expires_at_ms',
      'created_at_ms',
    ])
    .expression(
      db
        .selectNoFrom([
          castToText(p.poolId).as('pool_id'),
          castToText(p.username).as('username'),
          castToText(p.purpose).as('purpose'),
          castToText(p.digestHex).as('digest_hex'),
          castToText(p.channel).as('channel'),
          castToText(p.destination).as('destination'),
          castToInteger(p.expiresAtMs).as('expires_at_ms'),
          castToInteger(p.createdAtMs).as('created_at_ms'),
        ])
        .where(sql<boolean>`${p.isDecoy} = false`),
    )
    .onConflict((conflict) =>
      conflict.columns(['pool_id', 'username', 'purpose']).doUpdateSet((eb) => ({
        digest_hex: eb.ref('excluded.digest_hex'),
        channel: eb.ref('excluded.channel'),
        destination: eb.ref('excluded.destination'),
        expires_at_ms: eb.ref('excluded.expires_at_ms'),
        created_at_ms: eb.ref('excluded.created_at_ms'),
      })),
    ),
  db
    .insertInto('lockouts')
    .columns(['pool_id', 'subject', 'failures', 'last_failure_at_ms', 'locked_until_ms', 'expires_at_ms'])
    .expression(
      db
        .selectNoFrom([
          castToText(p.poolId).as('pool_id'),
          castToText(p.decoySubject).as('subject'),
          sql.lit(1).as('failures'),
          castToInteger(p.createdAtMs).as('last_failure_at_ms'),
          sql.lit(0).as('locked_until_ms'),
          castToInteger(p.decoyExpiresAtMs).as('expires_at_ms'),
        ])
        .where(sql<boolean>`${p.isDecoy} = true`),
    )
    .onConflict((conflict) =>
      conflict.columns(['pool_id', 'subject']).doUpdateSet((eb) => ({
        last_failure_at_ms: eb.ref('excluded.last_failure_at_ms'),
        expires_at_ms: eb.ref('excluded.expires_at_ms'),
      })),
    ),
]);

// For a user without a code, another user's is read and discarded, so that it takes as long. A user has a few codes at most.
const selectCode = defineStatement((db, p: Placeholders<{ poolId: string; username: string; purpose: CodePurpose }>) =>
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
    .where(
      'username',
      '=',
      selectNearestKey({ table: 'codes', column: 'username' }, { poolId: p.poolId, key: p.username }),
    )
    .orderBy(sql`case when purpose = ${p.purpose} then 0 else 1 end`)
    .limit(LIMIT_ONE),
);

const consumeCode = defineStatement(
  (db, p: Placeholders<{ poolId: string; username: string; purpose: CodePurpose; digestHex: string }>) =>
    db
      .deleteFrom('codes')
      .where('pool_id', '=', p.poolId)
      .where('username', '=', p.username)
      .where('purpose', '=', p.purpose)
      .where('digest_hex', '=', p.digestHex)
      .returning('username'),
);

const deleteCode = defineStatement((db, p: Placeholders<{ poolId: string; username: string; purpose: CodePurpose }>) =>
  db
    .deleteFrom('codes')
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('purpose', '=', p.purpose),
);

/** Reads codes that were sent to users. */
export class SqlCodeReads extends SqlRepository implements CodeReads {
  async byPurpose(poolId: string, username: string, purpose: CodePurpose): Promise<CodeRecord | undefined> {
    const { rows } = await this.executor.run(selectCode, { poolId, username, purpose });
    const nearest = rows[0] as CodeRecord | undefined;
    return nearest?.username === username && nearest.purpose === purpose ? nearest : undefined;
  }
}

/** Reads and writes codes that were sent to users. */
export class SqlCodeRepository extends SqlCodeReads implements CodeRepository {
  declare protected readonly executor: Writer;

  constructor(writer: Writer) {
    super(writer);
  }

  async put(code: CodeRecord, decoy?: DecoyCode): Promise<void> {
    void this.executor.enqueueBoth(upsertCodeOrDecoy, {
      ...code,
      isDecoy: decoy !== undefined,
      decoySubject: decoy?.subject ?? '',
      decoyExpiresAtMs: decoy?.expiresAtMs ?? 0,
    });
  }

  async consume(poolId: string, username: string, purpose: CodePurpose, digestHex: string): Promise<boolean> {
    return (await this.executor.run(consumeCode, { poolId, username, purpose, digestHex })).rows.length === 1;
  }

  async delete(poolId: string, username: string, purpose: CodePurpose): Promise<void> {
    await this.executor.run(deleteCode, { poolId, username, purpose });
  }
}
