import type { AdminKeyRecord } from '@poolgate/gateway/records';
import type { Run } from './command.ts';
import { printList } from './listing.ts';
import { withContainer } from './with-container.ts';

const day = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Whether a key opens anything. */
export function stateOf(
  { revokedAtMs, expiresAtMs }: Pick<AdminKeyRecord, 'revokedAtMs' | 'expiresAtMs'>,
  nowMs: number,
): 'good' | 'expired' | 'revoked' {
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs <= nowMs ? 'expired' : 'good';
}

function facts(record: AdminKeyRecord, nowMs: number) {
  const { id, label, scopes, createdAtMs, expiresAtMs, lastUsedAtMs, revokedAtMs } = record;
  return {
    id,
    label,
    scopes,
    state: stateOf(record, nowMs),
    created_at: day(createdAtMs),
    expires_at: day(expiresAtMs),
    last_used_at: day(lastUsedAtMs),
    revoked_at: day(revokedAtMs),
  };
}

const SINCE = {
  good: ({ expires_at }) => `good until ${expires_at}`,
  expired: ({ expires_at }) => `expired ${expires_at}`,
  revoked: ({ revoked_at }) => `revoked ${revoked_at}`,
} as const satisfies Record<ReturnType<typeof stateOf>, (key: ReturnType<typeof facts>) => string>;

function cells(record: AdminKeyRecord, nowMs: number): readonly string[] {
  const key = facts(record, nowMs);
  const lastUse = key.last_used_at === null ? 'never used' : `last used ${key.last_used_at}`;
  return [key.id, key.label, key.scopes.join(','), SINCE[key.state](key), lastUse];
}

const COLUMNS = ['ID', 'LABEL', 'SCOPES', 'STATE', 'LAST USE'] as const;

/** Prints one admin key a line, never its secret. */
export const adminKeyList: Run = async (invocation, terminal) =>
  withContainer(terminal, async ({ records, clock }) => {
    const nowMs = clock.now();
    const list = {
      columns: COLUMNS,
      empty: 'There are no admin keys. Make one: poolgate admin-key create <label> --scope users:read',
      rows: await records.adminKeys.list(),
      cells: (record: AdminKeyRecord) => cells(record, nowMs),
      facts: (record: AdminKeyRecord) => facts(record, nowMs),
    };
    await printList(list, invocation, terminal);
    return 0;
  });
