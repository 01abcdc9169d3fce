import assert from 'node:assert/strict';
import { PASSWORD, TEST_CALL } from '../../../packages/pool/src/testing/test-pool.ts';
import { describeOutcome, loginBySrp } from '../../../packages/pool/src/testing/test-srp-logins.ts';
import type { Case, Subject } from '../subject.ts';
import {
  assertNow,
  assertRefuses,
  confirmed,
  invited,
  mapAttributes,
  signedUp,
  unknownUser,
  userAsAdmin,
} from '../users.ts';

const fetchStatus = async (subject: Subject, user: Parameters<typeof userAsAdmin>[1]) =>
  (await userAsAdmin(subject, user)).UserStatus;

/** What administrators do with users. */
export const USER_CASES = {
  AdminCreateUser: [
    {
      does: 'makes a user who must change the temporary password',
      async run(subject) {
        const { identifiers, name } = unknownUser(subject);
        const { User } = await subject.operations.adminCreateUser(
          {
            ...identifiers,
            TemporaryPassword: PASSWORD,
            MessageAction: 'SUPPRESS',
            UserAttributes: [{ Name: 'email', Value: name }],
          },
          TEST_CALL,
        );
        assert.deepEqual([User?.UserStatus, User?.Enabled], ['FORCE_CHANGE_PASSWORD', true]);
        const { sub, email } = mapAttributes(User?.Attributes);
        assert.deepEqual([email, sub !== undefined], [name, true]);
        assertNow(subject, User?.UserCreateDate);
        assertNow(subject, User?.UserLastModifiedDate);
      },
    },
    {
      does: 'refuses a name that somebody has',
      async run(subject) {
        const { identifiers } = await invited(subject);
        const again = subject.operations.adminCreateUser({ ...identifiers, MessageAction: 'SUPPRESS' }, TEST_CALL);
        await assertRefuses(again, 'UsernameExistsException');
      },
    },
  ],
  AdminConfirmSignUp: [
    {
      does: 'confirms a user who signed up',
      async run(subject) {
        const user = await signedUp(subject);
        assert.equal(await fetchStatus(subject, user), 'UNCONFIRMED');
        assert.deepEqual(await subject.operations.adminConfirmSignUp(user.identifiers, TEST_CALL), {});
        assert.equal(await fetchStatus(subject, user), 'CONFIRMED');
      },
    },
  ],
  AdminDeleteUser: [
    {
      does: 'deletes a user',
      async run(subject) {
        const user = await confirmed(subject);
        assert.deepEqual(await subject.operations.adminDeleteUser(user.identifiers, TEST_CALL), {});
        await assertRefuses(userAsAdmin(subject, user), 'UserNotFoundException');
      },
    },
  ],
  AdminDeleteUserAttributes: [
    {
      does: 'takes attributes away',
      async run(subject) {
        const user = await confirmed(subject);
        const { adminUpdateUserAttributes, adminDeleteUserAttributes } = subject.operations;
        await adminUpdateUserAttributes(
          { ...user.identifiers, UserAttributes: [{ Name: 'name', Value: 'Ada' }] },
          TEST_CALL,
        );
        assert.deepEqual(
          await adminDeleteUserAttributes({ ...user.identifiers, UserAttributeNames: ['name'] }, TEST_CALL),
          {},
        );
        assert.equal('name' in mapAttributes((await userAsAdmin(subject, user)).UserAttributes), false);
      },
    },
  ],
  AdminDisableUser: [
    {
      does: 'keeps a user from logging in',
      async run(subject) {
        const user = await confirmed(subject);
        assert.deepEqual(await subject.operations.adminDisableUser(user.identifiers, TEST_CALL), {});
        assert.equal((await userAsAdmin(subject, user)).Enabled, false);
        await assertRefuses(loginBySrp(subject, user.name), 'NotAuthorizedException');
      },
    },
  ],
  AdminEnableUser: [
    {
      does: 'lets a disabled user log in again',
      async run(subject) {
        const user = await confirmed(subject);
        await subject.operations.adminDisableUser(user.identifiers, TEST_CALL);
        assert.deepEqual(await subject.operations.adminEnableUser(user.identifiers, TEST_CALL), {});
        assert.equal((await userAsAdmin(subject, user)).Enabled, true);
        assert.equal(await describeOutcome(loginBySrp(subject, user.name)), 'tokens');
      },
    },
  ],
  AdminGetUser: [
    {
      does: 'shows a user, with every attribute as text',
      async run(subject) {
        const user = await confirmed(subject);
        const { Username, UserStatus, Enabled, UserAttributes, ...more } = await userAsAdmin(subject, user);
        assert.deepEqual([UserStatus, Enabled], ['CONFIRMED', true]);
        const { sub, email, email_verified } = mapAttributes(UserAttributes);
        assert.deepEqual([email, email_verified], [user.name, 'true']);
        assert.ok(Username !== '' && sub !== undefined);
        assertNow(subject, more.UserCreateDate);
        assertNow(subject, more.UserLastModifiedDate);
      },
    },
  ],
  AdminGetUserAuthFactors: [
    {
      does: 'tells with what a user can log in',
      async run(subject) {
        const { identifiers } = await confirmed(subject);
        const { Username, ConfiguredUserAuthFactors = [] } = await subject.operations.adminGetUserAuthFactors(
          identifiers,
          TEST_CALL,
        );
        assert.ok(Username !== '' && ConfiguredUserAuthFactors.includes('PASSWORD'), String(ConfiguredUserAuthFactors));
      },
    },
  ],
  AdminResetUserPassword: [
    {
      does: 'asks for a new password before the next login',
      async run(subject) {
        const user = await confirmed(subject);
        assert.deepEqual(await subject.operations.adminResetUserPassword(user.identifiers, TEST_CALL), {});
        assert.equal(await fetchStatus(subject, user), 'RESET_REQUIRED');
        await assertRefuses(loginBySrp(subject, user.name), 'PasswordResetRequiredException');
      },
    },
  ],
  AdminSetUserPassword: [
    {
      does: 'sets a password for good',
      async run(subject) {
        const user = await invited(subject);
        const fresh = { ...user.identifiers, Password: 'Another-Horse2!', Permanent: true };
        assert.deepEqual(await subject.operations.adminSetUserPassword(fresh, TEST_CALL), {});
        assert.equal(await fetchStatus(subject, user), 'CONFIRMED');
        assert.equal(await describeOutcome(loginBySrp(subject, user.name, 'Another-Horse2!')), 'tokens');
      },
    },
    {
      does: 'sets a password that must be changed',
      async run(subject) {
        const user = await confirmed(subject);
        const fresh = { ...user.identifiers, Password: 'Another-Horse2!', Permanent: false };
        await subject.operations.adminSetUserPassword(fresh, TEST_CALL);
        assert.equal(await fetchStatus(subject, user), 'FORCE_CHANGE_PASSWORD');
        assert.equal(await describeOutcome(loginBySrp(subject, user.name, 'Another-Horse2!')), 'NEW_PASSWORD_REQUIRED');
      },
    },
    {
      does: 'refuses a weak password',
      async run(subject) {
        const { identifiers } = await confirmed(subject);
        const weak = subject.operations.adminSetUserPassword(
          { ...identifiers, Password: 'weak', Permanent: true },
          TEST_CALL,
        );
        await assertRefuses(weak, 'InvalidPasswordException');
      },
    },
  ],
  AdminUpdateUserAttributes: [
    {
      does: 'changes attributes',
      async run(subject) {
        const user = await confirmed(subject);
        const UserAttributes = [{ Name: 'name', Value: 'Ada Ä' }];
        assert.deepEqual(
          await subject.operations.adminUpdateUserAttributes({ ...user.identifiers, UserAttributes }, TEST_CALL),
          {},
        );
        assert.equal(mapAttributes((await userAsAdmin(subject, user)).UserAttributes).name, 'Ada Ä');
      },
    },
    {
      does: 'refuses attributes that the pool does not have',
      async run(subject) {
        const { identifiers } = await confirmed(subject);
        const UserAttributes = [{ Name: 'custom:nonesuch', Value: 'x' }];
        const act = subject.operations.adminUpdateUserAttributes({ ...identifiers, UserAttributes }, TEST_CALL);
        await assertRefuses(act, 'InvalidParameterException');
      },
    },
  ],
  AdminUserGlobalSignOut: [
    {
      does: 'ends every login of a user',
      async run(subject) {
        const user = await confirmed(subject);
        const { AuthenticationResult } = await loginBySrp(subject, user.name);
        assert.deepEqual(await subject.operations.adminUserGlobalSignOut(user.identifiers, TEST_CALL), {});
        const AccessToken = AuthenticationResult?.AccessToken ?? '';
        await assertRefuses(
          subject.operations.getUser({ AccessToken }, TEST_CALL),
          'NotAuthorizedException',
          'invalid_token',
        );
      },
    },
  ],
  GetCSVHeader: [
    {
      does: 'names the columns of a file of users',
      async run({ operations, userPoolId }) {
        const { UserPoolId, CSVHeader = [] } = await operations.getCSVHeader({ UserPoolId: userPoolId }, TEST_CALL);
        assert.equal(UserPoolId, userPoolId);
        for (const column of ['cognito:username', 'email', 'email_verified', 'cognito:mfa_enabled']) {
          assert.ok(CSVHeader.includes(column), column);
        }
      },
    },
  ],
  ListUsers: [
    {
      does: 'finds a user by address',
      async run(subject) {
        const { name } = await confirmed(subject);
        const { Users = [] } = await subject.operations.listUsers(
          { UserPoolId: subject.userPoolId, Filter: `email = "${name}"` },
          TEST_CALL,
        );
        assert.deepEqual(
          Users.map((user) => [mapAttributes(user.Attributes).email, user.UserStatus, user.Enabled]),
          [[name, 'CONFIRMED', true]],
        );
        assertNow(subject, Users[0]?.UserCreateDate);
      },
    },
    {
      does: 'gives pages, and only the attributes that are asked for',
      async run(subject) {
        await confirmed(subject);
        await confirmed(subject);
        const asked = { UserPoolId: subject.userPoolId, Limit: 1, AttributesToGet: ['email'] };
        const first = await subject.operations.listUsers(asked, TEST_CALL);
        assert.ok(first.PaginationToken);
        const second = await subject.operations.listUsers(
          { ...asked, PaginationToken: first.PaginationToken },
          TEST_CALL,
        );
        assert.notEqual(first.Users?.[0]?.Username, second.Users?.[0]?.Username);
        assert.deepEqual(Object.keys(mapAttributes(first.Users?.[0]?.Attributes)), ['email']);
      },
    },
    {
      does: 'refuses a filter that is none',
      async run({ operations, userPoolId }) {
        const act = operations.listUsers({ UserPoolId: userPoolId, Filter: 'email like "a"' }, TEST_CALL);
        await assertRefuses(act, 'InvalidParameterException');
      },
    },
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
