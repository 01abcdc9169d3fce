import type { DeadMessage } from '@poolgate/pool';
import type { Invocation, RunCommand } from '../command-line/command.ts';
import { UsageError } from '../command-line/command.ts';
import { printList } from './print-list.ts';
import { withNamedEmbeddedPool } from './with-container.ts';

const DEFAULT_LIMIT = '100';

function parseLimit(invocation: Invocation): number {
  const [text = DEFAULT_LIMIT] = invocation.values('limit');
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 1000) throw new UsageError('--limit must be a whole number from 1 to 1000');
  return limit;
}

const toIsoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function toJsonFields({ id, channel, tries, lastFailure, createdAtMs, deadAtMs }: DeadMessage) {
  return { id, channel, tries, failure: lastFailure, created_at: toIsoTime(createdAtMs), dead_at: toIsoTime(deadAtMs) };
}

function toTableCells(message: DeadMessage): readonly (string | undefined)[] {
  const { id, channel, tries, failure, dead_at } = toJsonFields(message);
  return [id, channel, dead_at ?? undefined, failure ?? undefined, `${tries} tries`];
}

const COLUMNS = ['ID', 'CHANNEL', 'GIVEN UP AT', 'FAILURE', 'TRIES'] as const;

/** Prints one failed message a line, whose content and recipient are not stored. */
export const runMessagesDead: RunCommand = async (invocation, terminal) => {
  const limit = parseLimit(invocation);
  return withNamedEmbeddedPool(invocation, terminal, async ({ userPoolId }, pool) => {
    const rows = await pool.deadMessages(userPoolId, limit);
    await printList(
      {
        columns: COLUMNS,
        empty: 'There are no undeliverable messages.',
        rows,
        cells: toTableCells,
        facts: toJsonFields,
      },
      invocation,
      terminal,
    );
    return 0;
  });
};
