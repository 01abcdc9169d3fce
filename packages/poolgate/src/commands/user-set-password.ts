import type { RunCommand } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withPool } from './with-container.ts';

/** Sets a user's password: permanent, or to be changed at the next login. */
export const runUserSetPassword: RunCommand = async (invocation, terminal) => {
  const [username = ''] = invocation.operands;
  const Password = await terminal.readSecret('New password: ');
  return withPool(invocation, terminal, async ({ provider, userPoolId }) => {
    const Permanent = !invocation.has('temporary');
    await translateProviderErrors(
      provider.operations.adminSetUserPassword(
        { UserPoolId: userPoolId, Username: username, Password, Permanent },
        OPERATOR_CALL_CONTEXT,
      ),
    );
    terminal.out(`the password of ${username} was set`);
    return 0;
  });
};
