import { presentClient } from '@poolgate/gateway';
import type { RunCommand } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { printClient } from './print-client.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withPool } from './with-container.ts';

/** Prints an app client, without its secrets. */
export const runClientShow: RunCommand = async (invocation, terminal) => {
  const [ClientId = ''] = invocation.operands;
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    const { UserPoolClient } = await translateProviderErrors(
      provider.operations.describeUserPoolClient({ UserPoolId, ClientId }, OPERATOR_CALL_CONTEXT),
    );
    const client = await translateProviderErrors(presentClient(provider, UserPoolClient, OPERATOR_CALL_CONTEXT));
    printClient(client, undefined, invocation, terminal);
    return 0;
  });
};
