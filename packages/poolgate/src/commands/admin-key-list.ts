import type { AdminKeyRecord } from '@poolgate/gateway/records';
import type { RunCommand } from '../command-line/command.ts';
import { printList } from './print-list.ts';
import { withContainer } from './with-container.ts';

const toIsoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Whether a key is valid. */
export function findAdminKeyState(
  { revokedAtMs, expiresAtMs }: Pick<AdminKeyRecord, 'revokedAtMs' | 'expiresAtMs'>,
  nowMs: number,
): 'good' | 'expired' | 'revoked' {
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs <= nowMs ? 'expired' : 'good';
}

function toJsonFields(record: AdminKeyRecord, nowMs: number) {
  const { id, label, scopes, createdAtMs, expiresAtMs, createdBy, lastUsedAtMs, revokedAtMs } = record;
  return {
    id,
    label,
    scopes,
    state: findAdminKeyState(record, nowMs),
    created_at: toIsoTime(createdAtMs),
    expires_at: toIsoTime(expiresAtMs),
    created_by: createdBy,
    last_used_at: toIsoTime(lastUsedAtMs),
    revoked_at: toIsoTime(revokedAtMs),
  };
}

const SINCE = {
  good: ({ expires_at }) => `valid until ${expires_at}`,
  expired: ({ expires_at }) => `expired ${expires_at}`,
  revoked: ({ revoked_at }) => `revoked ${revoked_at}`,
} as const satisfies Record<ReturnType<typeof findAdminKeyState>, (key: ReturnType<typeof toJsonFields>) => string>;

function toTableCells(record: AdminKeyRecord, nowMs: number): readonly string[] {
  const key = toJsonFields(record, nowMs);
  const lastUse = key.last_used_at === null ? 'never used' : `last used ${key.last_used_at}`;
  return [key.id, key.label, key.scopes.join(','), SINCE[key.state](key), lastUse];
}

const COLUMNS = ['ID', 'LABEL', 'SCOPES', 'STATE', 'LAST USE'] as const;

/** Prints one admin key a line, without its secret. */
export const runAdminKeyList: RunCommand = async (invocation, terminal) =>
  withContainer(terminal, async ({ records, clock }) => {
    const nowMs = clock.now();
    const list = {
      columns: COLUMNS,
      empty: 'There are no admin keys. Make one: poolgate admin-key create <label> --scope users:read',
      rows: await records.adminKeys.list(),
      cells: (record: AdminKeyRecord) => toTableCells(record, nowMs),
      facts: (record: AdminKeyRecord) => toJsonFields(record, nowMs),
    };
    await printList(list, invocation, terminal);
    return 0;
  });
