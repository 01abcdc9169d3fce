import { createDomainInput, readPoolDomains } from '@poolgate/gateway';
import type { RunCommand } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { printList } from './print-list.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withPool } from './with-container.ts';

/** Gives the pool a domain, which enables the OAuth endpoints. */
export const runDomainCreate: RunCommand = async (invocation, terminal) => {
  const [domain = ''] = invocation.operands;
  const [certificate_arn] = invocation.values('certificate-arn');
  const wanted = { domain, ...(certificate_arn === undefined ? {} : { certificate_arn }) };
  return withPool(invocation, terminal, async ({ provider, userPoolId }) => {
    const input = createDomainInput(provider, userPoolId, wanted);
    await translateProviderErrors(provider.operations.createUserPoolDomain(input, OPERATOR_CALL_CONTEXT));
    terminal.out(`created ${domain}`);
    return 0;
  });
};

/** Deletes a domain. */
export const runDomainDelete: RunCommand = async (invocation, terminal) => {
  const [Domain = ''] = invocation.operands;
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    await translateProviderErrors(
      provider.operations.deleteUserPoolDomain({ UserPoolId, Domain }, OPERATOR_CALL_CONTEXT),
    );
    terminal.out(`deleted ${Domain}`);
    return 0;
  });
};

/** Prints one domain a line, or one JSON object a line. */
export const runDomainList: RunCommand = async (invocation, terminal) =>
  withPool(invocation, terminal, async ({ provider, userPoolId }) => {
    const rows = await translateProviderErrors(readPoolDomains(provider, userPoolId, OPERATOR_CALL_CONTEXT));
    const list = {
      columns: ['DOMAIN', 'KIND'],
      empty: 'The pool has no domain and therefore no OAuth endpoints. Create one: poolgate domain create <prefix>',
      rows,
      cells: ({ domain, custom }: (typeof rows)[number]) => [domain, custom ? 'custom' : 'prefix'],
      facts: (row: (typeof rows)[number]) => ({ ...row }),
    };
    await printList(list, invocation, terminal);
    return 0;
  });
