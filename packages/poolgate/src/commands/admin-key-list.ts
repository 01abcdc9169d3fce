import type { GatewayRecords } from '@poolgate/gateway/records';
import type { Run } from './command.ts';
import { withHouse } from './with-house.ts';

type AdminKeyRecord = Awaited<ReturnType<GatewayRecords['adminKeys']>>[number];

const day = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function facts({ id, label, scopes, createdAtMs, expiresAtMs, lastUsedAtMs, revokedAtMs }: AdminKeyRecord) {
  return {
    id,
    label,
    scopes,
    created_at: day(createdAtMs),
    expires_at: day(expiresAtMs),
    last_used_at: day(lastUsedAtMs),
    revoked_at: day(revokedAtMs),
  };
}

function asText(record: AdminKeyRecord, nowMs: number): string {
  const expired = record.expiresAtMs <= nowMs ? 'expired' : `good until ${day(record.expiresAtMs)}`;
  const state = record.revokedAtMs === null ? expired : 'revoked';
  return [record.id, record.label, record.scopes.join(','), state].join('\t');
}

/** Prints one admin key a line, never its secret. */
export const adminKeyList: Run = async (invocation, terminal) =>
  withHouse(terminal, async ({ records, clock }) => {
    for (const record of await records.adminKeys()) {
      terminal.out(invocation.has('json') ? JSON.stringify(facts(record)) : asText(record, clock.now()));
    }
    return 0;
  });
