import { type Access, type Input, OPERATIONS, type OperationName, requireMethod } from '@poolgate/provider';
import { TEST_CALL } from '../../packages/pool/src/testing/test-pool.ts';
import { OTHER_FIELDS } from '../support/oauth/token-endpoints.ts';
import type { Case, Subject } from './subject.ts';
import { assertRefuses, unknownUser } from './users.ts';

function call({ operations }: Subject, name: OperationName, input: object): Promise<unknown> {
  return requireMethod(operations, name)(input as Input<OperationName>, TEST_CALL);
}

/** The members that an operation on a named user requires in addition to the name. */
const OF_NAMED_USER: Partial<Readonly<Record<OperationName, object>>> = {
  AdminConfirmSignUp: {},
  AdminDeleteUser: {},
  AdminDeleteUserAttributes: { UserAttributeNames: ['name'] },
  AdminDisableUser: {},
  AdminEnableUser: {},
  AdminGetUser: {},
  AdminGetUserAuthFactors: {},
  AdminListDevices: {},
  AdminListGroupsForUser: {},
  AdminListUserSessions: {},
  AdminResetUserPassword: {},
  AdminRevokeUserSession: { SessionId: `tkn${'0'.repeat(25)}` },
  AdminSetUserMFAPreference: { SoftwareTokenMfaSettings: { Enabled: false } },
  AdminSetUserPassword: { Password: 'Correct-Horse1!', Permanent: true },
  AdminUpdateUserAttributes: { UserAttributes: [{ Name: 'name', Value: 'Eve' }] },
  AdminUserGlobalSignOut: {},
};

const TAKES_TOKENS: readonly Access[] = ['access-token', 'access-token-or-session'];

function noToken(name: OperationName): Case {
  return {
    does: 'refuses what is no access token',
    async run(subject) {
      const act = call(subject, name, { AccessToken: 'a.b.c', ...OTHER_FIELDS[name] });
      await assertRefuses(act, 'NotAuthorizedException', 'invalid_token');
    },
  };
}

function noUser(name: OperationName, more: object): Case {
  return {
    does: 'refuses a user who is not there',
    async run(subject) {
      const { identifiers } = unknownUser(subject);
      await assertRefuses(call(subject, name, { ...identifiers, ...more }), 'UserNotFoundException');
    },
  };
}

function noPool(name: OperationName, more: object): Case {
  return {
    does: 'refuses a pool that is not there',
    async run(subject) {
      const named = { ...unknownUser(subject).identifiers, UserPoolId: 'us-east-1_NoSuchPool' };
      await assertRefuses(call(subject, name, { ...named, ...more }), 'ResourceNotFoundException', 'pool_not_found');
    },
  };
}

/** What every operation of a kind rejects. */
export function commonRefusals(name: OperationName): readonly Case[] {
  const more = OF_NAMED_USER[name];
  return [
    ...(TAKES_TOKENS.includes(OPERATIONS[name].access) ? [noToken(name)] : []),
    ...(more === undefined ? [] : [noUser(name, more), noPool(name, more)]),
  ];
}
