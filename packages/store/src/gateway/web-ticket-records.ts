import type { WebTicketRecord, WebTicketRecords } from '@poolgate/gateway/records';
import type { Database } from '../sql/database.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement } from '../sql/statement.ts';

const insertTicket = defineStatement((db, p: Placeholders<WebTicketRecord>) =>
  db.insertInto('web_tickets').values({
    digest_hex: p.digestHex,
    family_id: p.familyId,
    origin: p.origin,
    browser_digest_hex: p.browserDigestHex,
    return_to: p.returnTo,
    expires_at_ms: p.expiresAtMs,
  }),
);

const deleteTicket = defineStatement((db, p: Placeholders<{ digestHex: string; nowMs: number }>) =>
  db
    .deleteFrom('web_tickets')
    .where('digest_hex', '=', p.digestHex)
    .where('expires_at_ms', '>', p.nowMs)
    .returning([
      'digest_hex as digestHex',
      'family_id as familyId',
      'origin',
      'browser_digest_hex as browserDigestHex',
      'return_to as returnTo',
      'expires_at_ms as expiresAtMs',
    ]),
);

/** Stores the tickets that identify browsers to applications on other hosts. */
export function createWebTicketRecords({ writes }: Pick<Database, 'writes'>): WebTicketRecords {
  return {
    async insert(ticket) {
      await writes.run(insertTicket, ticket);
    },
    async consume(digestHex, nowMs) {
      return (await writes.run(deleteTicket, { digestHex, nowMs })).rows[0];
    },
  };
}
