import type { Run } from './command.ts';
import { CommandError } from './command.ts';
import { recordOperatorEvent } from './operator-event.ts';
import { withHouse } from './with-house.ts';

/** Revokes an admin key. */
export const adminKeyRevoke: Run = async (invocation, terminal) => {
  const [id = ''] = invocation.words;
  return withHouse(terminal, async (house) => {
    const { records, clock } = house;
    if (!(await records.revokeAdminKey(id, clock.now())))
      throw new CommandError(`there is no admin key ${id} to revoke`);
    await recordOperatorEvent(house, 'admin_key.revoked', { key_id: id });
    terminal.out(`revoked ${id}`);
    return 0;
  });
};
