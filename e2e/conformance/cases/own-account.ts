import assert from 'node:assert/strict';
import { createOtherCode } from '../../../packages/pool/src/testing/test-logins.ts';
import { PASSWORD, TEST_CALL } from '../../../packages/pool/src/testing/test-pool.ts';
import { describeOutcome, loginBySrp } from '../../../packages/pool/src/testing/test-srp-logins.ts';
import type { Case } from '../subject.ts';
import {
  assertRefuses,
  confirmed,
  mapAttributes,
  newLoggedInUser,
  signedUp,
  unknownUser,
  userAsAdmin,
} from '../users.ts';

const FRESH = 'Another-Horse2!';
const NO_CODE = '123456';
/** A code that is not pending. Not every pool distinguishes whether there was one. */
const NOT_WAITED_FOR = ['CodeMismatchException', 'ExpiredCodeException'] as const;

/** What users do with their own account. */
export const OWN_ACCOUNT_CASES = {
  ChangePassword: [
    {
      does: 'takes the old password and sets a new one',
      async run(subject) {
        const { name, tokens } = await newLoggedInUser(subject);
        const change = (PreviousPassword: string) =>
          subject.operations.changePassword(
            { AccessToken: tokens.access, PreviousPassword, ProposedPassword: FRESH },
            TEST_CALL,
          );
        await assertRefuses(change('Wrong-Horse1!'), 'NotAuthorizedException', 'invalid_credentials');
        assert.deepEqual(await change(PASSWORD), {});
        assert.equal(await describeOutcome(loginBySrp(subject, name, FRESH)), 'tokens');
      },
    },
    {
      does: 'refuses a weak password',
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const weak = { AccessToken: tokens.access, PreviousPassword: PASSWORD, ProposedPassword: 'weak' };
        await assertRefuses(subject.operations.changePassword(weak, TEST_CALL), 'InvalidPasswordException');
      },
    },
  ],
  ConfirmForgotPassword: [
    {
      does: 'sets a password by the code',
      needs: ['codes'],
      async run(subject) {
        const { name } = await confirmed(subject);
        const { operations, clientId: ClientId } = subject;
        await operations.forgotPassword({ ClientId, Username: name }, TEST_CALL);
        const code = subject.codeTo(name);
        const confirm = (ConfirmationCode: string) =>
          operations.confirmForgotPassword({ ClientId, Username: name, ConfirmationCode, Password: FRESH }, TEST_CALL);
        await assertRefuses(confirm(createOtherCode(code)), 'CodeMismatchException');
        assert.deepEqual(await confirm(code), {});
        assert.equal(await describeOutcome(loginBySrp(subject, name, FRESH)), 'tokens');
        await assertRefuses(confirm(code), NOT_WAITED_FOR);
      },
    },
    {
      does: 'refuses a code that nobody asked for',
      async run(subject) {
        const { name } = await confirmed(subject);
        const answer = { ClientId: subject.clientId, Username: name, ConfirmationCode: NO_CODE, Password: FRESH };
        await assertRefuses(subject.operations.confirmForgotPassword(answer, TEST_CALL), NOT_WAITED_FOR);
      },
    },
  ],
  ConfirmSignUp: [
    {
      does: 'confirms a user by the code',
      needs: ['codes'],
      async run(subject) {
        const user = await signedUp(subject);
        const { operations, clientId: ClientId } = subject;
        const code = subject.codeTo(user.name);
        const confirm = (ConfirmationCode: string) =>
          operations.confirmSignUp({ ClientId, Username: user.name, ConfirmationCode }, TEST_CALL);
        await assertRefuses(confirm(createOtherCode(code)), 'CodeMismatchException');
        await confirm(code);
        const { UserStatus, UserAttributes } = await userAsAdmin(subject, user);
        assert.deepEqual([UserStatus, mapAttributes(UserAttributes).email_verified], ['CONFIRMED', 'true']);
        assert.equal(await describeOutcome(loginBySrp(subject, user.name)), 'tokens');
      },
    },
    {
      does: 'refuses a code that nobody waits for',
      async run(subject) {
        const { name } = await confirmed(subject);
        const answer = { ClientId: subject.clientId, Username: name, ConfirmationCode: NO_CODE };
        await assertRefuses(subject.operations.confirmSignUp(answer, TEST_CALL), [
          ...NOT_WAITED_FOR,
          'NotAuthorizedException',
        ]);
      },
    },
  ],
  DeleteUser: [
    {
      does: 'deletes the account',
      async run(subject) {
        const user = await newLoggedInUser(subject);
        assert.deepEqual(await subject.operations.deleteUser({ AccessToken: user.tokens.access }, TEST_CALL), {});
        await assertRefuses(userAsAdmin(subject, user), 'UserNotFoundException');
      },
    },
  ],
  DeleteUserAttributes: [
    {
      does: 'takes attributes away',
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const AccessToken = tokens.access;
        const { updateUserAttributes, deleteUserAttributes, getUser } = subject.operations;
        await updateUserAttributes({ AccessToken, UserAttributes: [{ Name: 'name', Value: 'Ada' }] }, TEST_CALL);
        assert.deepEqual(await deleteUserAttributes({ AccessToken, UserAttributeNames: ['name'] }, TEST_CALL), {});
        assert.equal('name' in mapAttributes((await getUser({ AccessToken }, TEST_CALL)).UserAttributes), false);
      },
    },
  ],
  ForgotPassword: [
    {
      does: 'sends a code and tells where to',
      async run(subject) {
        const { name } = await confirmed(subject);
        const { CodeDeliveryDetails } = await subject.operations.forgotPassword(
          { ClientId: subject.clientId, Username: name },
          TEST_CALL,
        );
        assert.deepEqual([CodeDeliveryDetails?.DeliveryMedium, CodeDeliveryDetails?.AttributeName], ['EMAIL', 'email']);
        assert.match(CodeDeliveryDetails?.Destination ?? '', /^\w\*\*\*@\w\*\*\*$/);
      },
    },
    {
      does: 'answers for a name that nobody has as for any other',
      async run(subject) {
        const asked = { ClientId: subject.clientId, Username: unknownUser(subject).name };
        const { CodeDeliveryDetails } = await subject.operations.forgotPassword(asked, TEST_CALL);
        assert.equal(CodeDeliveryDetails?.DeliveryMedium, 'EMAIL');
      },
    },
  ],
  GetUser: [
    {
      does: 'shows the own account',
      async run(subject) {
        const { name, tokens } = await newLoggedInUser(subject);
        const { Username, UserAttributes } = await subject.operations.getUser(
          { AccessToken: tokens.access },
          TEST_CALL,
        );
        assert.notEqual(Username, '');
        assert.deepEqual(
          [mapAttributes(UserAttributes).email, mapAttributes(UserAttributes).email_verified],
          [name, 'true'],
        );
      },
    },
  ],
  GetUserAttributeVerificationCode: [
    {
      does: 'sends a code to an address',
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const { CodeDeliveryDetails } = await subject.operations.getUserAttributeVerificationCode(
          { AccessToken: tokens.access, AttributeName: 'email' },
          TEST_CALL,
        );
        assert.deepEqual([CodeDeliveryDetails?.DeliveryMedium, CodeDeliveryDetails?.AttributeName], ['EMAIL', 'email']);
      },
    },
  ],
  GetUserAuthFactors: [
    {
      does: 'tells with what the user can log in',
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const { Username, ConfiguredUserAuthFactors = [] } = await subject.operations.getUserAuthFactors(
          { AccessToken: tokens.access },
          TEST_CALL,
        );
        assert.ok(Username !== '' && ConfiguredUserAuthFactors.includes('PASSWORD'), String(ConfiguredUserAuthFactors));
      },
    },
  ],
  ResendConfirmationCode: [
    {
      does: 'sends another code, which voids the first',
      needs: ['codes'],
      async run(subject) {
        const { name } = await signedUp(subject);
        const { operations, clientId: ClientId } = subject;
        const first = subject.codeTo(name);
        const { CodeDeliveryDetails } = await operations.resendConfirmationCode(
          { ClientId, Username: name },
          TEST_CALL,
        );
        assert.equal(CodeDeliveryDetails?.DeliveryMedium, 'EMAIL');
        const second = subject.codeTo(name);
        const confirm = (ConfirmationCode: string) =>
          operations.confirmSignUp({ ClientId, Username: name, ConfirmationCode }, TEST_CALL);
        if (first !== second) await assertRefuses(confirm(first), 'CodeMismatchException');
        await confirm(second);
      },
    },
    {
      does: 'tells where the code goes',
      async run(subject) {
        const { name } = await signedUp(subject);
        const { CodeDeliveryDetails } = await subject.operations.resendConfirmationCode(
          { ClientId: subject.clientId, Username: name },
          TEST_CALL,
        );
        assert.deepEqual([CodeDeliveryDetails?.DeliveryMedium, CodeDeliveryDetails?.AttributeName], ['EMAIL', 'email']);
      },
    },
  ],
  SignUp: [
    {
      does: 'makes a user who must confirm the address',
      async run(subject) {
        const user = unknownUser(subject);
        const { UserConfirmed, UserSub, CodeDeliveryDetails } = await subject.operations.signUp(
          {
            ClientId: subject.clientId,
            Username: user.name,
            Password: PASSWORD,
            UserAttributes: [{ Name: 'email', Value: user.name }],
          },
          TEST_CALL,
        );
        assert.deepEqual([UserConfirmed, CodeDeliveryDetails?.DeliveryMedium], [false, 'EMAIL']);
        assert.equal(mapAttributes((await userAsAdmin(subject, user)).UserAttributes).sub, UserSub);
        await assertRefuses(loginBySrp(subject, user.name), 'UserNotConfirmedException');
      },
    },
    {
      does: 'refuses a weak password, and leaves a name to who has it',
      async run(subject) {
        const { name } = await confirmed(subject);
        const signUp = (Username: string, Password: string) =>
          subject.operations.signUp(
            { ClientId: subject.clientId, Username, Password, UserAttributes: [{ Name: 'email', Value: Username }] },
            TEST_CALL,
          );
        await assertRefuses(signUp(unknownUser(subject).name, 'weak'), 'InvalidPasswordException');
        const sub = await signUp(name, `${PASSWORD}x`).then(
          ({ UserSub }) => UserSub,
          (error) => assert.equal(error.code, 'UsernameExistsException'),
        );
        const user = await subject.operations.adminGetUser(
          { UserPoolId: subject.userPoolId, Username: name },
          TEST_CALL,
        );
        assert.equal(user.UserStatus, 'CONFIRMED');
        assert.notEqual(mapAttributes(user.UserAttributes).sub, sub);
      },
    },
  ],
  UpdateUserAttributes: [
    {
      does: 'changes attributes',
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const AccessToken = tokens.access;
        const { updateUserAttributes, getUser } = subject.operations;
        await updateUserAttributes({ AccessToken, UserAttributes: [{ Name: 'name', Value: 'Ada' }] }, TEST_CALL);
        assert.equal(mapAttributes((await getUser({ AccessToken }, TEST_CALL)).UserAttributes).name, 'Ada');
      },
    },
    {
      does: 'lets nobody declare an address verified',
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const UserAttributes = [{ Name: 'email_verified', Value: 'true' }];
        const act = subject.operations.updateUserAttributes({ AccessToken: tokens.access, UserAttributes }, TEST_CALL);
        await assertRefuses(act, 'NotAuthorizedException');
      },
    },
  ],
  VerifyUserAttribute: [
    {
      does: 'takes a new address by the code',
      needs: ['codes'],
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const AccessToken = tokens.access;
        const address = subject.newAddress();
        const { updateUserAttributes, verifyUserAttribute, getUser } = subject.operations;
        const sent = await updateUserAttributes(
          { AccessToken, UserAttributes: [{ Name: 'email', Value: address }] },
          TEST_CALL,
        );
        assert.equal(sent.CodeDeliveryDetailsList?.[0]?.AttributeName, 'email');
        const code = subject.codeTo(address);
        const verify = (Code: string) => verifyUserAttribute({ AccessToken, AttributeName: 'email', Code }, TEST_CALL);
        await assertRefuses(verify(createOtherCode(code)), 'CodeMismatchException');
        assert.deepEqual(await verify(code), {});
        const { email, email_verified } = mapAttributes((await getUser({ AccessToken }, TEST_CALL)).UserAttributes);
        assert.deepEqual([email, email_verified], [address, 'true']);
      },
    },
    {
      does: 'refuses a code that nobody asked for',
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const answer = { AccessToken: tokens.access, AttributeName: 'email', Code: NO_CODE };
        await assertRefuses(subject.operations.verifyUserAttribute(answer, TEST_CALL), NOT_WAITED_FOR);
      },
    },
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
