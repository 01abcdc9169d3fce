import type { AuthenticatorReads, AuthenticatorRepository, TotpRecord } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineChange, defineStatement, type Writer } from '../sql/statement.ts';
import { selectNearestKey } from './nearest-key.ts';

const COLUMNS = [
  'pool_id as poolId',
  'username',
  'state',
  'secret_sealed as secretEncrypted',
  'name',
  'last_step as lastStep',
  'created_at_ms as createdAtMs',
] as const;

type TotpState = TotpRecord['state'];

interface FactorId {
  readonly poolId: string;
  readonly username: string;
  readonly state: TotpState;
}

// For a user without an authenticator, another user's is read and discarded, so that it takes as long.
const selectFactor = defineStatement((db, p: Placeholders<FactorId>) =>
  db
    .selectFrom('totp_factors')
    .select(COLUMNS)
    .where('pool_id', '=', p.poolId)
    .where(
      'username',
      '=',
      selectNearestKey({ table: 'totp_factors', column: 'username' }, { poolId: p.poolId, key: p.username }),
    )
    .where('state', '=', p.state),
);

const upsertFactor = defineStatement((db, p: Placeholders<TotpRecord>) =>
  db
    .insertInto('totp_factors')
    .values({
      pool_id: p.poolId,
      username: p.username,
      state: p.state,
      secret_sealed: p.secretEncrypted,
      name: p.name,
      last_step: p.lastStep,
      created_at_ms: p.createdAtMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['pool_id', 'username', 'state']).doUpdateSet((eb) => ({
        secret_sealed: eb.ref('excluded.secret_sealed'),
        name: eb.ref('excluded.name'),
        last_step: eb.ref('excluded.last_step'),
        created_at_ms: eb.ref('excluded.created_at_ms'),
      })),
    ),
);

const deleteFactor = defineStatement((db, p: Placeholders<FactorId>) =>
  db
    .deleteFrom('totp_factors')
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('state', '=', p.state)
    .returning(COLUMNS),
);

const useStep = defineChange((db, p: Placeholders<{ poolId: string; username: string; step: number }>) =>
  db
    .updateTable('totp_factors')
    .set({ last_step: p.step })
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('state', '=', 'active')
    .where('last_step', '<', p.step)
    .returning('state'),
);

function toTotp(row: Omit<TotpRecord, 'state'> & { readonly state: string }): TotpRecord {
  return { ...row, state: row.state as TotpState };
}

/** Reads authenticator applications. */
export class SqlAuthenticatorReads extends SqlRepository implements AuthenticatorReads {
  async byState(poolId: string, username: string, state: TotpState): Promise<TotpRecord | undefined> {
    const [nearest] = (await this.executor.run(selectFactor, { poolId, username, state })).rows.map(toTotp);
    return nearest?.username === username ? nearest : undefined;
  }
}

/** Reads and writes authenticator applications. */
export class SqlAuthenticatorRepository extends SqlAuthenticatorReads implements AuthenticatorRepository {
  declare protected readonly executor: Writer;

  constructor(writer: Writer) {
    super(writer);
  }

  async put(totp: TotpRecord): Promise<void> {
    await this.executor.run(upsertFactor, totp);
  }

  async take(poolId: string, username: string, state: TotpState): Promise<TotpRecord | undefined> {
    return (await this.executor.run(deleteFactor, { poolId, username, state })).rows.map(toTotp)[0];
  }

  async useStep(poolId: string, username: string, step: number): Promise<void> {
    void this.executor.enqueueChange(useStep, { poolId, username, step });
  }
}
