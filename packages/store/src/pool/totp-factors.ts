import type { TotpRecord } from '@poolgate/pool/store';
import { type Executor, statement } from '../statement.ts';

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

const selectFactor = statement((db, p: FactorId) =>
  db
    .selectFrom('totp_factors')
    .select(COLUMNS)
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('state', '=', p.state),
);

const upsertFactor = statement((db, p: TotpRecord) =>
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

const deleteFactor = statement((db, p: FactorId) =>
  db
    .deleteFrom('totp_factors')
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('state', '=', p.state)
    .returning(COLUMNS),
);

const useStep = statement((db, p: { poolId: string; username: string; step: number }) =>
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

/** Authenticator applications: a pending and an active one a user. */
export const totpFactors = {
  async get(executor: Executor, poolId: string, username: string, state: TotpState): Promise<TotpRecord | undefined> {
    return (await executor.run(selectFactor, { poolId, username, state })).rows.map(toTotp)[0];
  },

  async put(executor: Executor, totp: TotpRecord): Promise<void> {
    await executor.run(upsertFactor, totp);
  },

  async take(executor: Executor, poolId: string, username: string, state: TotpState): Promise<TotpRecord | undefined> {
    return (await executor.run(deleteFactor, { poolId, username, state })).rows.map(toTotp)[0];
  },

  /** True for exactly one caller, and only for a step after all that were used. */
  async useStep(executor: Executor, poolId: string, username: string, step: number): Promise<boolean> {
    return (await executor.run(useStep, { poolId, username, step })).rows.length === 1;
  },
};
