import { temporaryPassword } from '@poolgate/pool';
import type { RunCommand } from '../command-line/command.ts';
import { UsageError } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withPool } from './with-container.ts';

interface Attribute {
  readonly Name: string;
  readonly Value: string;
}

function parseAttribute(text: string): Attribute {
  const [, Name, Value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (Name === undefined || Value === undefined) throw new UsageError('--attribute must have the form name=value');
  return { Name, Value };
}

/** The operator's addresses are trusted like an administrator's. */
function addVerifiedEmail(username: string, attributes: readonly Attribute[]): readonly Attribute[] {
  const isNamed = (name: string) => attributes.some(({ Name }) => Name === name);
  if (isNamed('email_verified')) return attributes;
  const email = isNamed('email') || !username.includes('@') ? [] : [{ Name: 'email', Value: username }];
  const all = [...attributes, ...email];
  return all.some(({ Name }) => Name === 'email') ? [...all, { Name: 'email_verified', Value: 'true' }] : all;
}

/** Creates a user with a temporary password, or with a permanent one from a prompt. */
export const runUserCreate: RunCommand = async (invocation, terminal) => {
  const [username = ''] = invocation.operands;
  const attributes = addVerifiedEmail(username, invocation.values('attribute').map(parseAttribute));
  const chosen = invocation.has('permanent') ? await terminal.readSecret('Password: ') : undefined;
  return withPool(invocation, terminal, async ({ provider, userPoolId, random }) => {
    const password = chosen ?? temporaryPassword(random, { minimumLength: 16 });
    const user = { UserPoolId: userPoolId, Username: username };
    await translateProviderErrors(
      provider.operations.adminCreateUser(
        { ...user, TemporaryPassword: password, MessageAction: 'SUPPRESS', UserAttributes: attributes },
        OPERATOR_CALL_CONTEXT,
      ),
    );
    if (chosen !== undefined) {
      await translateProviderErrors(
        provider.operations.adminSetUserPassword({ ...user, Password: chosen, Permanent: true }, OPERATOR_CALL_CONTEXT),
      );
    }
    terminal.out(`created ${username}`);
    if (chosen === undefined) terminal.out(`temporary password, shown only once: ${password}`);
    return 0;
  });
};
