import type { IdentityProvider, Output } from '@poolgate/provider';
import type { Invocation, RunCommand } from '../command-line/command.ts';
import { UsageError } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { printList } from './print-list.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withPool } from './with-container.ts';

/** Cognito's maximum page size. */
const PAGE = 60;
const MAX_PRECEDENCE = 2_147_483_647;

function parseGroupOptions(invocation: Invocation) {
  const [Description] = invocation.values('description');
  const [precedence] = invocation.values('precedence');
  if (precedence !== undefined && !(/^\d{1,10}$/.test(precedence) && Number(precedence) <= MAX_PRECEDENCE)) {
    throw new UsageError(`--precedence must be a whole number from 0 to ${MAX_PRECEDENCE}`);
  }
  return {
    ...(Description === undefined ? {} : { Description }),
    ...(precedence === undefined ? {} : { Precedence: Number(precedence) }),
  };
}

/** Creates a group. */
export const runGroupCreate: RunCommand = async (invocation, terminal) => {
  const [GroupName = ''] = invocation.operands;
  const settings = parseGroupOptions(invocation);
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    const input = { UserPoolId, GroupName, ...settings };
    await translateProviderErrors(provider.operations.createGroup(input, OPERATOR_CALL_CONTEXT));
    terminal.out(`created ${GroupName}`);
    return 0;
  });
};

/** Changes a group. */
export const runGroupUpdate: RunCommand = async (invocation, terminal) => {
  const [GroupName = ''] = invocation.operands;
  const settings = parseGroupOptions(invocation);
  if (Object.keys(settings).length === 0) throw new UsageError('name --description or --precedence');
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    const input = { UserPoolId, GroupName, ...settings };
    await translateProviderErrors(provider.operations.updateGroup(input, OPERATOR_CALL_CONTEXT));
    terminal.out(`changed ${GroupName}`);
    return 0;
  });
};

/** Deletes a group. */
export const runGroupDelete: RunCommand = async (invocation, terminal) => {
  const [GroupName = ''] = invocation.operands;
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    await translateProviderErrors(provider.operations.deleteGroup({ UserPoolId, GroupName }, OPERATOR_CALL_CONTEXT));
    terminal.out(`deleted ${GroupName}`);
    return 0;
  });
};

/** Adds a user to a group. */
export const runGroupAddUser: RunCommand = async (invocation, terminal) => {
  const [GroupName = '', Username = ''] = invocation.operands;
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    const input = { UserPoolId, GroupName, Username };
    await translateProviderErrors(provider.operations.adminAddUserToGroup(input, OPERATOR_CALL_CONTEXT));
    terminal.out(`added ${Username} to ${GroupName}`);
    return 0;
  });
};

/** Removes a user from a group. */
export const runGroupRemoveUser: RunCommand = async (invocation, terminal) => {
  const [GroupName = '', Username = ''] = invocation.operands;
  return withPool(invocation, terminal, async ({ provider, userPoolId: UserPoolId }) => {
    const input = { UserPoolId, GroupName, Username };
    await translateProviderErrors(provider.operations.adminRemoveUserFromGroup(input, OPERATOR_CALL_CONTEXT));
    terminal.out(`removed ${Username} from ${GroupName}`);
    return 0;
  });
};

type ListedGroup = NonNullable<Output<'ListGroups'>['Groups']>[number];

async function* listAllGroups({ operations }: IdentityProvider, UserPoolId: string): AsyncGenerator<ListedGroup> {
  let place: string | undefined;
  do {
    const next = place === undefined ? {} : { NextToken: place };
    const page = await translateProviderErrors(
      operations.listGroups({ UserPoolId, Limit: PAGE, ...next }, OPERATOR_CALL_CONTEXT),
    );
    yield* page.Groups ?? [];
    place = page.NextToken;
  } while (place !== undefined);
}

function toJsonFields({ GroupName, Description, Precedence }: ListedGroup) {
  return { group_name: GroupName, description: Description ?? null, precedence: Precedence ?? null };
}

/** Prints one group a line, or one JSON object a line. */
export const runGroupList: RunCommand = async (invocation, terminal) =>
  withPool(invocation, terminal, async ({ provider, userPoolId }) => {
    const list = {
      columns: ['GROUP', 'PRECEDENCE', 'DESCRIPTION'],
      empty: 'The pool has no groups. Create one: poolgate group create <name>',
      rows: listAllGroups(provider, userPoolId),
      cells: ({ GroupName, Precedence, Description }: ListedGroup) => [
        GroupName,
        Precedence?.toString() ?? '-',
        Description ?? '-',
      ],
      facts: toJsonFields,
    };
    await printList(list, invocation, terminal);
    return 0;
  });
