import type { AdminKeyRecord, AdminKeyRecords } from '@poolgate/gateway/records';
import { sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement } from '../sql/statement.ts';

type Row = Omit<AdminKeyRecord, 'scopes'> & { readonly scopes: string };

/**
 * The earliest time in a column of a key and the chain of its creators. Read with the key, so that it also applies to keys that are
 * created while a creator changes.
 */
const selectEarliest = (column: 'expires_at_ms' | 'revoked_at_ms') =>
  sql`(${sql`
  with recursive chain (created_by, at_ms) as (
    select self.created_by, self.${sql.ref(column)} from admin_keys as self where self.id = admin_keys.id
    union select creator.created_by, creator.${sql.ref(column)} from admin_keys as creator
      join chain on creator.id = chain.created_by
  ) select min(chain.at_ms) from chain`})`;

// A key that was revoked itself keeps its own time.
const revokedAtMs = sql<number | null>`coalesce(admin_keys.revoked_at_ms, ${selectEarliest('revoked_at_ms')})`;
const expiresAtMs = selectEarliest('expires_at_ms').$castTo<number>();

const COLUMNS = [
  'id',
  'secret_digest_hex as secretDigestHex',
  'signing_secret_sealed as signingSecretEncrypted',
  'scopes',
  'label',
  'created_at_ms as createdAtMs',
  expiresAtMs.as('expiresAtMs'),
  'last_used_at_ms as lastUsedAtMs',
  'created_by as createdBy',
  revokedAtMs.as('revokedAtMs'),
] as const;

const selectKey = defineStatement((db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('admin_keys').select(COLUMNS).where('id', '=', p.id),
);

const selectKeys = defineStatement((db) =>
  db.selectFrom('admin_keys').select(COLUMNS).orderBy('created_at_ms').orderBy('id'),
);

const insertKey = defineStatement((db, p: Placeholders<Row>) =>
  db.insertInto('admin_keys').values({
    id: p.id,
    secret_digest_hex: p.secretDigestHex,
    signing_secret_sealed: p.signingSecretEncrypted,
    scopes: p.scopes,
    label: p.label,
    created_at_ms: p.createdAtMs,
    expires_at_ms: p.expiresAtMs,
    last_used_at_ms: p.lastUsedAtMs,
    revoked_at_ms: p.revokedAtMs,
    created_by: p.createdBy,
  }),
);

const touchKey = defineStatement((db, p: Placeholders<{ id: string; nowMs: number }>) =>
  db
    .updateTable('admin_keys')
    .set({ last_used_at_ms: p.nowMs })
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('last_used_at_ms', 'is', null), eb('last_used_at_ms', '<', p.nowMs)])),
);

const shortenKey = defineStatement((db, p: Placeholders<{ id: string; expiresAtMs: number; nowMs: number }>) =>
  db
    .updateTable('admin_keys')
    .set((eb) => ({
      expires_at_ms: eb
        .case()
        .when('expires_at_ms', '>', p.expiresAtMs)
        .then(p.expiresAtMs)
        .else(eb.ref('expires_at_ms'))
        .end(),
    }))
    .where('id', '=', p.id)
    .where('revoked_at_ms', 'is', null)
    .where('expires_at_ms', '>', p.nowMs)
    .returning('id'),
);

const revokeKey = defineStatement((db, p: Placeholders<{ id: string; nowMs: number }>) =>
  db
    .updateTable('admin_keys')
    .set({ revoked_at_ms: p.nowMs })
    .where('id', '=', p.id)
    .where('revoked_at_ms', 'is', null)
    .returning('id'),
);

function toAdminKey(row: Row): AdminKeyRecord {
  return { ...row, scopes: JSON.parse(row.scopes) as AdminKeyRecord['scopes'] };
}

/** Stores admin keys. */
export function createAdminKeyRecords({ reads, writes }: Pick<Database, 'reads' | 'writes'>): AdminKeyRecords {
  return {
    async insert(key) {
      await writes.run(insertKey, { ...key, scopes: JSON.stringify(key.scopes) });
    },
    async find(id) {
      return (await reads.run(selectKey, { id })).rows.map(toAdminKey)[0];
    },
    async list() {
      return (await reads.run(selectKeys, {})).rows.map(toAdminKey);
    },
    async touch(id, nowMs) {
      await writes.run(touchKey, { id, nowMs });
    },
    async shortenLife(id, expiresAtMs, nowMs) {
      return (await writes.run(shortenKey, { id, expiresAtMs, nowMs })).rows.length === 1;
    },
    async revoke(id, nowMs) {
      return (await writes.run(revokeKey, { id, nowMs })).rows.length === 1;
    },
  };
}
