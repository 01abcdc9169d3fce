import { createAppClient, type NewClient, presentClient } from '@poolgate/gateway';
import type { RunCommand } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { explainIssuer } from '../providers/issuer-notice.ts';
import { parseClientOptions } from './client-options.ts';
import { printClient } from './print-client.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withPool } from './with-container.ts';

/** Creates an app client, and prints its secret, if any, only once. */
export const runClientCreate: RunCommand = async (invocation, terminal) => {
  const [client_name = ''] = invocation.operands;
  const more = { client_name, ...(invocation.has('secret') ? { generate_secret: true } : {}) };
  const wanted = parseClientOptions<NewClient>('new', invocation, more);
  return withPool(invocation, terminal, async ({ provider, userPoolId, configuration: { settings } }) => {
    const { UserPoolClient } = await translateProviderErrors(
      createAppClient(provider, userPoolId, wanted, OPERATOR_CALL_CONTEXT),
    );
    const client = await translateProviderErrors(presentClient(provider, UserPoolClient, OPERATOR_CALL_CONTEXT));
    printClient(client, UserPoolClient?.ClientSecret, invocation, terminal);
    if (client.callback_urls.length > 0) {
      const notice = await explainIssuer({ provider, settings, userPoolId, baseUrl: settings.baseUrl });
      if (notice !== undefined) terminal.err(notice);
    }
    return 0;
  });
};
