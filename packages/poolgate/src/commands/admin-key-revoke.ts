import type { RunCommand } from '../command-line/command.ts';
import { CommandError } from '../command-line/command.ts';
import { recordOperatorEvent } from './operator-event.ts';
import { withContainer } from './with-container.ts';

/** Revokes an admin key. */
export const runAdminKeyRevoke: RunCommand = async (invocation, terminal) => {
  const [id = ''] = invocation.operands;
  return withContainer(terminal, async (container) => {
    const { records, clock } = container;
    if (!(await records.adminKeys.revoke(id, clock.now())))
      throw new CommandError(`no active admin key has the ID ${id}`);
    await recordOperatorEvent(container, 'admin_key.revoked', { key_id: id });
    terminal.out(`revoked ${id}`);
    return 0;
  });
};
