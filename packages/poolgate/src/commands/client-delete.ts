import type { RunCommand } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withPool } from './with-container.ts';

/** Deletes an app client. */
export const runClientDelete: RunCommand = async (invocation, terminal) => {
  const [ClientId = ''] = invocation.operands;
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    await translateProviderErrors(
      provider.operations.deleteUserPoolClient({ UserPoolId, ClientId }, OPERATOR_CALL_CONTEXT),
    );
    terminal.out(`deleted ${ClientId}`);
    return 0;
  });
};
