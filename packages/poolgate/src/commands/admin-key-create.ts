import { createAdminKey } from '@poolgate/gateway';
import type { AdminScope } from '@poolgate/provider';
import { ADMIN_SCOPES } from '@poolgate/provider';
import type { Invocation, RunCommand } from '../command-line/command.ts';
import { UsageError } from '../command-line/command.ts';
import { recordOperatorEvent } from './operator-event.ts';
import { printNewAdminKey } from './print-new-admin-key.ts';
import { withContainer } from './with-container.ts';

const DAY_SECONDS = 86_400;
const DEFAULT_DAYS = '365';
const MAX_DAYS = 3650;

function parseAdminScopes(invocation: Invocation): readonly AdminScope[] {
  const given = invocation.values('scope');
  const scopes = ADMIN_SCOPES.filter((scope) => given.includes(scope));
  if (scopes.length === 0 || scopes.length < new Set(given).size) {
    throw new UsageError(`--scope must be one of: ${ADMIN_SCOPES.join(', ')}`);
  }
  return scopes;
}

function parseLifetimeSeconds(invocation: Invocation): number {
  const [days = DEFAULT_DAYS] = invocation.values('days');
  const count = /^\d{1,4}$/.test(days) ? Number(days) : 0;
  if (count < 1 || count > MAX_DAYS) throw new UsageError(`--days must be a whole number from 1 to ${MAX_DAYS}`);
  return count * DAY_SECONDS;
}

/** Creates an admin key and prints its secret, which is shown only once. */
export const runAdminKeyCreate: RunCommand = async (invocation, terminal) => {
  const [label = ''] = invocation.operands;
  const wanted = { label, scopes: parseAdminScopes(invocation), lifetimeSeconds: parseLifetimeSeconds(invocation) };
  if (label === '' || label.length > 128) throw new UsageError('the label must have 1 to 128 characters');
  return withContainer(terminal, async (container) => {
    const made = await createAdminKey(container, wanted);
    await recordOperatorEvent(container, 'admin_key.created', {
      key_id: made.id,
      label,
      scopes: wanted.scopes.join(' '),
    });
    printNewAdminKey(made, wanted.scopes, invocation, terminal);
    return 0;
  });
};
