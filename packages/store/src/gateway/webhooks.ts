import type { WebhookRecord } from '@poolgate/gateway/records';
import { type Executor, statement } from '../statement.ts';

type Row = Omit<WebhookRecord, 'events'> & { readonly events: string };

const insertWebhook = statement((db, p: Row) =>
  db.insertInto('webhooks').values({
    id: p.id,
    url: p.url,
    events: p.events,
    secret_sealed: p.secretEncrypted,
    description: p.description,
    created_at_ms: p.createdAtMs,
  }),
);

const selectWebhooks = statement((db) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'url', 'events', 'secret_sealed as secretEncrypted', 'description', 'created_at_ms as createdAtMs'])
    .orderBy('created_at_ms')
    .orderBy('id'),
);

// Its deliveries go with it.
const deleteWebhook = statement((db, p: { id: string }) =>
  db.deleteFrom('webhooks').where('id', '=', p.id).returning('id'),
);

/** Where events are posted to. */
export const webhooks = {
  async insert(writes: Executor, webhook: WebhookRecord): Promise<void> {
    await writes.run(insertWebhook, { ...webhook, events: JSON.stringify(webhook.events) });
  },

  async list(reads: Executor): Promise<readonly WebhookRecord[]> {
    const { rows } = await reads.run(selectWebhooks, {});
    return rows.map((row) => ({ ...row, events: JSON.parse(row.events) as WebhookRecord['events'] }));
  },

  async delete(writes: Executor, id: string): Promise<boolean> {
    return (await writes.run(deleteWebhook, { id })).rows.length === 1;
  },
};
