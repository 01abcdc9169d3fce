import type { GatewayRecords } from '@poolgate/gateway/records';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { StoreUnavailable } from '../errors.ts';
import { appendEventTo } from '../events/append.ts';
import { eventPage } from '../events/page.ts';
import { appendEventsSeparately, type EventOptions } from '../events/separate-write.ts';
import { sweepEvents } from '../events/sweeps.ts';
import { statement } from '../statement.ts';
import { runSweeps, sweepOfTable, tryEach } from '../sweep.ts';
import { adminKeys } from './admin-keys.ts';
import { deliveries } from './deliveries.ts';
import { idempotency } from './idempotency.ts';
import { localDevices } from './local-devices.ts';
import { localPasskeys } from './local-passkeys.ts';
import { localUsers } from './local-users.ts';
import { pendingSrp } from './pending-srp.ts';
import { rates } from './rates.ts';
import { revocations } from './revocations.ts';
import { webSessions } from './web-sessions.ts';
import { webTickets } from './web-tickets.ts';
import { webhooks } from './webhooks.ts';

const SWEEPS = [
  sweepOfTable({ table: 'endings', key: ['user_pool_id', 'subject'], expiresAt: 'expires_at_ms' }),
  sweepOfTable({ table: 'pending_srp', key: ['digest_hex'], expiresAt: 'expires_at_ms' }),
  sweepOfTable({ table: 'rates', key: ['name'], expiresAt: 'whole_at_ms' }),
  sweepOfTable({ table: 'idempotency_keys', key: ['digest_hex'], expiresAt: 'expires_at_ms' }),
  sweepOfTable({ table: 'web_tickets', key: ['digest_hex'], expiresAt: 'expires_at_ms' }),
  sweepOfTable({ table: 'web_sessions', key: ['id_digest_hex'], expiresAt: 'expires_at_ms' }),
];

// A table of ours, not a constant: the schema must be there as well.
const probe = statement((db) => db.selectFrom('pools').select('id').limit(1));

// A row that changes each time, so that something is written. A sweep may take it.
const probeOfWrites = statement((db) =>
  db
    .insertInto('rates')
    .values({ name: 'readiness', whole_at_ms: 0 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ whole_at_ms: sql<number>`rates.whole_at_ms + 1` })),
);

async function answers(asked: () => Promise<unknown>): Promise<boolean> {
  try {
    await asked();
    return true;
  } catch (error) {
    if (error instanceof StoreUnavailable) return false;
    throw error;
  }
}

/** The gateway's port on a database. */
export function gatewayRecords(
  { reads, writes, deferredWrites, write }: Omit<Database, 'withSchema' | 'close'>,
  { onLost, mostAnonymous }: EventOptions,
): GatewayRecords {
  return {
    upsertLocalUser: (user, nowMs) => localUsers.findOrInsert(reads, writes, user, nowMs),
    localUser: (userPoolId, sub) => localUsers.get(reads, userPoolId, sub),
    setWebauthnEnabled: (userPoolId, sub, isEnabled, nowMs) =>
      localUsers.setWebauthnEnabled(writes, userPoolId, sub, isEnabled, nowMs),
    setPasswordResetRequired: (user, isRequired, nowMs) =>
      localUsers.setPasswordResetRequired(writes, user, isRequired, nowMs),
    deleteLocalUser: (userPoolId, sub) => write((executor) => localUsers.delete(executor, userPoolId, sub)),
    putLocalPasskey: (passkey) => localPasskeys.put(writes, passkey),
    localPasskeys: (userPoolId, sub) => localPasskeys.list(reads, userPoolId, sub),
    deleteLocalPasskey: (userPoolId, sub, credentialId) => localPasskeys.delete(writes, userPoolId, sub, credentialId),
    putLocalDevice: (device) => localDevices.put(writes, device),
    localDevices: (userPoolId, sub, deviceKeys) => localDevices.among(reads, userPoolId, sub, deviceKeys),
    deleteLocalDevice: (userPoolId, sub, deviceKey) => localDevices.delete(writes, userPoolId, sub, deviceKey),
    recordRevocation: (ending) => revocations.record(writes, ending),
    revocations: (userPoolId, subjects, nowMs) => revocations.among(reads, userPoolId, subjects, nowMs),
    putPendingSrp: (pending) => pendingSrp.put(deferredWrites, pending),
    pendingSrp: (digestHex, nowMs) => pendingSrp.get(reads, digestHex, nowMs),
    consumePendingSrp: (digestHex, nowMs) => pendingSrp.take(writes, digestHex, nowMs),
    takeRates: (asked, nowMs) => rates.take(deferredWrites, asked, nowMs),
    insertAdminKey: (key) => adminKeys.insert(writes, key),
    adminKey: (id) => adminKeys.get(reads, id),
    adminKeys: () => adminKeys.list(reads),
    touchAdminKey: (id, nowMs) => adminKeys.touch(writes, id, nowMs),
    revokeAdminKey: (id, nowMs) => adminKeys.revoke(writes, id, nowMs),
    shortenAdminKeyLife: (id, expiresAtMs, nowMs) => adminKeys.shorten(writes, id, expiresAtMs, nowMs),
    appendEvent: (event) => write((writer) => appendEventTo(writer, event)),
    tryAppendEvent: (event) => appendEventsSeparately({ write }, [event], onLost),
    events: (filter, limit, cursor) => eventPage(reads, filter, limit, cursor),
    insertWebhook: (webhook) => webhooks.insert(writes, webhook),
    webhooks: () => webhooks.list(reads),
    deleteWebhook: (id) => webhooks.delete(writes, id),
    leaseDeliveries: (nowMs, leasedUntilMs, limit) => deliveries.lease(writes, nowMs, leasedUntilMs, limit),
    finishDelivery: (webhookId, eventId) => deliveries.finish(writes, webhookId, eventId),
    postponeDelivery: (webhookId, eventId, nextTryAtMs, failure) =>
      deliveries.postpone(writes, webhookId, eventId, nextTryAtMs, failure),
    deadLetterDelivery: (webhookId, eventId, nowMs, failure) =>
      deliveries.deadLetter(writes, webhookId, eventId, nowMs, failure),
    deadDeliveries: (webhookId, limit) => deliveries.dead(reads, webhookId, limit),
    claimIdempotencyKey: (claim, nowMs) => idempotency.claim(reads, writes, claim, nowMs),
    storeIdempotentAnswer: (digestHex, answerEncrypted, expiresAtMs) =>
      idempotency.answer(writes, digestHex, answerEncrypted, expiresAtMs),
    releaseIdempotencyKey: (digestHex) => idempotency.release(writes, digestHex),
    webSessions: webSessions({ reads, writes, write }),
    webTickets: webTickets({ writes }),
    ready: () => answers(() => reads.run(probe, {})),
    takesWrites: () => answers(() => deferredWrites.run(probeOfWrites, {})),
    async sweep(nowMs) {
      await tryEach([
        () => runSweeps(writes, SWEEPS, nowMs),
        () => sweepEvents({ write, writes }, nowMs, mostAnonymous),
      ]);
    },
  };
}
