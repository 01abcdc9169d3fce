import type { WebhookRecord, WebhookRecords } from '@poolgate/gateway/records';
import type { Database } from '../sql/database.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement } from '../sql/statement.ts';

type Row = Omit<WebhookRecord, 'events'> & { readonly events: string };

const insertWebhook = defineStatement((db, p: Placeholders<Row>) =>
  db.insertInto('webhooks').values({
    id: p.id,
    url: p.url,
    events: p.events,
    secret_sealed: p.secretEncrypted,
    description: p.description,
    created_at_ms: p.createdAtMs,
  }),
);

const selectWebhooks = defineStatement((db) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'url', 'events', 'secret_sealed as secretEncrypted', 'description', 'created_at_ms as createdAtMs'])
    .orderBy('created_at_ms')
    .orderBy('id'),
);

// Its deliveries are deleted with it.
const deleteWebhook = defineStatement((db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('webhooks').where('id', '=', p.id).returning('id'),
);

/** Stores webhooks. */
export function createWebhookRecords({ reads, writes }: Pick<Database, 'reads' | 'writes'>): WebhookRecords {
  return {
    async insert(webhook) {
      await writes.run(insertWebhook, { ...webhook, events: JSON.stringify(webhook.events) });
    },
    async list() {
      const { rows } = await reads.run(selectWebhooks, {});
      return rows.map((row) => ({ ...row, events: JSON.parse(row.events) as WebhookRecord['events'] }));
    },
    async delete(id) {
      return (await writes.run(deleteWebhook, { id })).rows.length === 1;
    },
  };
}
