import { createAdminKey } from '@poolgate/gateway';
import type { Invocation, RunCommand } from '../command-line/command.ts';
import { CommandError, UsageError } from '../command-line/command.ts';
import { findAdminKeyState } from './admin-key-list.ts';
import { recordOperatorEvent } from './operator-event.ts';
import { printNewAdminKey } from './print-new-admin-key.ts';
import { withContainer } from './with-container.ts';

const HOUR_MS = 3_600_000;
const DEFAULT_HOURS = '24';
const MAX_HOURS = 720;

function parseOverlapHours(invocation: Invocation): number {
  const [hours = DEFAULT_HOURS] = invocation.values('overlap');
  const count = /^\d{1,3}$/.test(hours) ? Number(hours) : -1;
  if (count < 0 || count > MAX_HOURS) throw new UsageError(`--overlap must be a whole number from 0 to ${MAX_HOURS}`);
  return count;
}

/** Returns the ids of the keys that a key created, and of those that these created. */
function listDescendants(
  keys: readonly { readonly id: string; readonly createdBy: string | null }[],
  id: string,
): readonly string[] {
  const children = keys.filter(({ createdBy }) => createdBy === id).map((key) => key.id);
  return children.flatMap((child) => [child, ...listDescendants(keys, child)]);
}

/**
 * Creates the successor of an admin key and lets the old key expire later, so that its users have time to switch. A successor has the creator of the old
 * key, and ends with it.
 */
export const runAdminKeyRotate: RunCommand = async (invocation, terminal) => {
  const [id = ''] = invocation.operands;
  const hours = parseOverlapHours(invocation);
  return withContainer(terminal, async (container) => {
    const { records, clock } = container;
    const active = (await records.adminKeys.list()).filter((key) => findAdminKeyState(key, clock.now()) === 'good');
    const old = active.find((key) => key.id === id);
    if (old === undefined) throw new CommandError(`no active admin key has the ID ${id}`);
    const { label, scopes, createdAtMs, expiresAtMs, createdBy } = old;
    const lifetimeSeconds = Math.ceil((expiresAtMs - createdAtMs) / 1000);
    const creator = createdBy === null ? {} : { createdBy };
    const made = await createAdminKey(container, { label, scopes, lifetimeSeconds, ...creator });
    const nowMs = clock.now();
    const endsAtMs = Math.min(nowMs + hours * HOUR_MS, expiresAtMs);
    if (!(await records.adminKeys.shortenLife(id, endsAtMs, nowMs))) {
      await records.adminKeys.revoke(made.id, nowMs);
      throw new CommandError(`the admin key ${id} was revoked at the same time`);
    }
    await recordOperatorEvent(container, 'admin_key.rotated', { key_id: id, successor_id: made.id });
    printNewAdminKey(made, scopes, invocation, terminal);
    terminal.err(`${id} is valid until ${new Date(endsAtMs).toISOString()}`);
    const descendants = listDescendants(active, id);
    if (descendants.length > 0) terminal.err(`The keys that it created expire no later: ${descendants.join(', ')}`);
    return 0;
  });
};
