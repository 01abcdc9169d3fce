import type { AdminKeyRecord, AdminKeyRecords } from '@poolgate/gateway/records';
import { sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement } from '../sql/statement.ts';

type Row = Omit<AdminKeyRecord, 'scopes'> & { readonly scopes: string };

/** When a key was revoked, or a key in the chain of its creators. Read with the key, so a key that is created meanwhile ends as well. */
const revokedAtMs = sql<number | null>`coalesce(admin_keys.revoked_at_ms, (
  with recursive creators (created_by, revoked_at_ms) as (
    select created_by, revoked_at_ms from admin_keys as creator where creator.id = admin_keys.created_by
    union select creator.created_by, creator.revoked_at_ms from admin_keys as creator
      join creators on creator.id = creators.created_by
  ) select min(creators.revoked_at_ms) from creators))`.as('revokedAtMs');

const COLUMNS = [
  'id',
  'secret_digest_hex as secretDigestHex',
  'signing_secret_sealed as signingSecretEncrypted',
  'scopes',
  'label',
  'created_at_ms as createdAtMs',
  'expires_at_ms as expiresAtMs',
  'last_used_at_ms as lastUsedAtMs',
  'created_by as createdBy',
  revokedAtMs,
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
