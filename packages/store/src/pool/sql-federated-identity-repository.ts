import type {
  FederatedIdentityKey,
  FederatedIdentityReads,
  FederatedIdentityRecord,
  FederatedIdentityRepository,
} from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';

type Row = Omit<FederatedIdentityRecord, 'isByRule' | 'isPrimary'> &
  Readonly<Record<'isByRule' | 'isPrimary', boolean | 0 | 1>>;
type PoolKey = FederatedIdentityKey & { readonly poolId: string };

const COLUMNS = [
  'pool_id as poolId',
  'provider_name as providerName',
  'attribute',
  'value',
  'username',
  'issuer',
  'is_primary as isPrimary',
  'is_by_rule as isByRule',
  'created_at_ms as createdAtMs',
] as const;

const selectIdentity = defineStatement((db, p: Placeholders<PoolKey>) =>
  db
    .selectFrom('federated_identities')
    .select(COLUMNS)
    .where('pool_id', '=', p.poolId)
    .where('provider_name', '=', p.providerName)
    .where('attribute', '=', p.attribute)
    .where('value', '=', p.value),
);

const selectIdentities = defineStatement((db, p: Placeholders<{ poolId: string; username: string }>) =>
  db
    .selectFrom('federated_identities')
    .select(COLUMNS)
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .orderBy('created_at_ms')
    .orderBy('provider_name')
    .orderBy('value'),
);

const insertIdentity = defineStatement((db, p: Placeholders<FederatedIdentityRecord>) =>
  db.insertInto('federated_identities').values({
    pool_id: p.poolId,
    provider_name: p.providerName,
    attribute: p.attribute,
    value: p.value,
    username: p.username,
    issuer: p.issuer,
    is_primary: p.isPrimary,
    is_by_rule: p.isByRule,
    created_at_ms: p.createdAtMs,
  }),
);

const deleteIdentity = defineStatement((db, p: Placeholders<PoolKey>) =>
  db
    .deleteFrom('federated_identities')
    .where('pool_id', '=', p.poolId)
    .where('provider_name', '=', p.providerName)
    .where('attribute', '=', p.attribute)
    .where('value', '=', p.value)
    .returning('username'),
);

const deleteLinks = defineStatement((db, p: Placeholders<{ poolId: string; username: string; isPrimary: boolean }>) =>
  db
    .deleteFrom('federated_identities')
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('is_primary', '=', p.isPrimary),
);

function toIdentity(row: Row): FederatedIdentityRecord {
  return { ...row, isByRule: Boolean(row.isByRule), isPrimary: Boolean(row.isPrimary) };
}

/** Reads the accounts at other identity providers that sign users in. */
export class SqlFederatedIdentityReads extends SqlRepository implements FederatedIdentityReads {
  async byKey(poolId: string, key: FederatedIdentityKey): Promise<FederatedIdentityRecord | undefined> {
    const { providerName, attribute, value } = key;
    const { rows } = await this.executor.run(selectIdentity, { poolId, providerName, attribute, value });
    return rows.map(toIdentity)[0];
  }

  async listOf(poolId: string, username: string): Promise<readonly FederatedIdentityRecord[]> {
    return (await this.executor.run(selectIdentities, { poolId, username })).rows.map(toIdentity);
  }
}

/** Reads and writes them. */
export class SqlFederatedIdentityRepository extends SqlFederatedIdentityReads implements FederatedIdentityRepository {
  async insert(identity: FederatedIdentityRecord): Promise<void> {
    await this.executor.run(insertIdentity, identity);
  }

  async delete(poolId: string, { providerName, attribute, value }: FederatedIdentityKey): Promise<boolean> {
    const key = { poolId, providerName, attribute, value };
    return (await this.executor.run(deleteIdentity, key)).rows.length === 1;
  }

  async deleteLinksOf(poolId: string, username: string): Promise<void> {
    await this.executor.run(deleteLinks, { poolId, username, isPrimary: false });
  }
}
