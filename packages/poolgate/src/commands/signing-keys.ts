import { presentSigningKey } from '@poolgate/gateway';
import type { SigningKeyDescription, SigningKeyOperations } from '@poolgate/provider';
import type { Invocation, RunCommand, Terminal } from '../command-line/command.ts';
import { CommandError } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { printList } from './print-list.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { type CommandContainer, withPool } from './with-container.ts';

function requireSigningKeys({ provider, configuration }: CommandContainer): SigningKeyOperations {
  const { signing_keys } = provider.extensions;
  if (signing_keys !== undefined) return signing_keys;
  throw new CommandError(
    `this command needs the embedded pool, but IDP_PROVIDER is ${configuration.settings.provider}`,
  );
}

function printKeys(keys: readonly SigningKeyDescription[], invocation: Invocation, terminal: Terminal): Promise<void> {
  const rows = keys.map(presentSigningKey);
  const list = {
    columns: ['KEY ID', 'TOKENS', 'ALGORITHM', 'STATE'],
    empty: 'The pool has no signing keys.',
    rows,
    cells: ({ key_id, token_use, algorithm, signs, retired_at }: (typeof rows)[number]) => [
      key_id,
      token_use,
      algorithm,
      signs ? 'signs' : `signed until ${retired_at ?? 'another key came'}`,
    ],
    facts: (row: (typeof rows)[number]) => row,
  };
  return printList(list, invocation, terminal);
}

/** Prints the published keys, and which of them sign. */
export const runKeysList: RunCommand = (invocation, terminal) =>
  withPool(invocation, terminal, async (container) => {
    const call = requireSigningKeys(container).list({ UserPoolId: container.userPoolId }, OPERATOR_CALL_CONTEXT);
    await printKeys((await translateProviderErrors(call)).Keys, invocation, terminal);
    return 0;
  });

/** Creates new signing keys, and prints which keys sign. Running services use them within seconds. */
export const runKeysRotate: RunCommand = (invocation, terminal) =>
  withPool(invocation, terminal, async (container) => {
    const call = requireSigningKeys(container).rotate({ UserPoolId: container.userPoolId }, OPERATOR_CALL_CONTEXT);
    await printKeys((await translateProviderErrors(call)).Keys, invocation, terminal);
    return 0;
  });
