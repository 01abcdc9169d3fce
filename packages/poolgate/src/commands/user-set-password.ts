import type { Run } from './command.ts';
import { OPERATOR_CALL } from './operator-call.ts';
import { withReadableErrors } from './provider-errors.ts';
import { withContainer } from './with-container.ts';

/** Sets the password of a user: a permanent one, or one that must be changed at the next login. */
export const userSetPassword: Run = async (invocation, terminal) => {
  const [username = ''] = invocation.words;
  const Password = await terminal.readSecret('New password: ');
  return withContainer(terminal, async ({ provider, userPoolId }) => {
    const Permanent = !invocation.has('temporary');
    await withReadableErrors(
      provider.operations.adminSetUserPassword(
        { UserPoolId: userPoolId, Username: username, Password, Permanent },
        OPERATOR_CALL,
      ),
    );
    terminal.out(`the password of ${username} is set`);
    return 0;
  });
};
