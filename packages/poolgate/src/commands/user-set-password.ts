import type { Run } from './command.ts';
import { OPERATOR_CALL } from './operator-call.ts';
import { refusable } from './refusals.ts';
import { withHouse } from './with-house.ts';

/** Sets the password of a user: a permanent one, or one that must be changed at the next login. */
export const userSetPassword: Run = async (invocation, terminal) => {
  const [username = ''] = invocation.words;
  const Password = await terminal.readSecret('New password: ');
  return withHouse(terminal, async ({ provider, userPoolId }) => {
    const Permanent = !invocation.has('temporary');
    await refusable(
      provider.operations.adminSetUserPassword(
        { UserPoolId: userPoolId, Username: username, Password, Permanent },
        OPERATOR_CALL,
      ),
    );
    terminal.out(`the password of ${username} is set`);
    return 0;
  });
};
