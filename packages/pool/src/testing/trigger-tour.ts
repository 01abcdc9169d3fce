import * as handlers from '../../../../examples/triggers/handlers.ts';
import { TRIGGER_DEFINITIONS } from '../triggers/trigger-definitions.ts';
import { addTestProvider, signInAtProvider } from './test-federation.ts';
import { sentCode } from './test-logins.ts';
import { createCallFromNewAddress, createVerifiedEmail, PASSWORD, TEST_CALL, type TestPool } from './test-pool.ts';
import { formatTriggerArn, type TestTrigger } from './test-triggers.ts';

const EXAMPLES = {
  DefineAuthChallenge: handlers.defineAuthChallenge,
  CreateAuthChallenge: handlers.createAuthChallenge,
  VerifyAuthChallengeResponse: handlers.verifyAuthChallengeResponse,
} as unknown as Readonly<Record<string, TestTrigger>>;

/** The functions of a tour. Those of a custom login come from the examples; the others change nothing. */
export const TOUR_FUNCTIONS: Record<string, TestTrigger> = {
  ...Object.fromEntries(Object.values(TRIGGER_DEFINITIONS).map(({ name }) => [name, (event) => event])),
  ...EXAMPLES,
};

/** The settings of a pool with all triggers. The pre-token trigger has one of three versions. */
export const TOUR_CONFIG: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(TOUR_FUNCTIONS)
    .filter((name) => name !== 'PreTokenGeneration')
    .map((name) => [name, formatTriggerArn(name)]),
);

/** The client settings that the tour needs. */
export const TOUR_CLIENT = {
  client: { allowedFlows: ['CUSTOM_AUTH', 'USER_AUTH', 'USER_PASSWORD_AUTH'] as const },
};

/** The passwords that the tour sends. */
export const TOUR_PASSWORDS = [PASSWORD, 'Wrong-Horse1!', 'Brand-New-Horse1!', 'Temporary-Horse1!'] as const;

const [, WRONG, NEW, TEMPORARY] = TOUR_PASSWORDS;
const ADA = 'ada@example.com';

/** Causes a call of every trigger by every kind of request, with trigger data wherever a request can contain it. */
export async function runTriggerTour(pool: TestPool): Promise<void> {
  const { operations, userPoolId: UserPoolId } = pool;
  const ClientMetadata = { told: 'by the client' };
  const ValidationData = [{ Name: 'shown', Value: 'by the client' }];
  const ada = { ClientId: pool.clientId, Username: ADA, ClientMetadata };
  await operations.signUp({ ...ada, Password: PASSWORD, ValidationData }, createCallFromNewAddress());
  await operations.resendConfirmationCode(ada, createCallFromNewAddress());
  await operations.confirmSignUp({ ...ada, ConfirmationCode: sentCode(pool, ADA) }, TEST_CALL);
  await operations.forgotPassword(ada, createCallFromNewAddress());
  const reset = { ConfirmationCode: sentCode(pool, ADA), Password: NEW };
  await operations.confirmForgotPassword({ ...ada, ...reset }, TEST_CALL);
  const token = { AccessToken: await tourLogins(pool, ClientMetadata), ClientMetadata };
  await operations.getUserAttributeVerificationCode({ ...token, AttributeName: 'email' }, TEST_CALL);
  const UserAttributes = [{ Name: 'email', Value: 'ada2@example.com' }];
  await operations.updateUserAttributes({ ...token, UserAttributes }, TEST_CALL);
  const bob = { UserPoolId, Username: 'bob@example.com', UserAttributes: createVerifiedEmail('bob@example.com') };
  const invited = { ...bob, TemporaryPassword: TEMPORARY, ValidationData, ClientMetadata };
  await operations.adminCreateUser(invited, TEST_CALL);
  const federated = { ProviderName: 'Corp', ClientId: await addTestProvider(pool, 'Corp') };
  await signInAtProvider(pool, federated, { sub: 'eve', email: 'eve@login.example.com' });
}

/** Logs in with a code, with a wrong and the right password, and by decision of triggers. Returns the last access token. */
async function tourLogins(
  { operations, clientId: ClientId }: TestPool,
  ClientMetadata: Readonly<Record<string, string>>,
): Promise<string> {
  const begin = (
    AuthFlow: 'CUSTOM_AUTH' | 'USER_AUTH' | 'USER_PASSWORD_AUTH',
    more: Readonly<Record<string, string>>,
  ) =>
    operations.initiateAuth(
      { ClientId, AuthFlow, AuthParameters: { USERNAME: ADA, ...more }, ClientMetadata },
      createCallFromNewAddress(),
    );
  await begin('USER_AUTH', { PREFERRED_CHALLENGE: 'EMAIL_OTP' });
  await begin('USER_PASSWORD_AUTH', { PASSWORD: WRONG }).catch(() => {});
  await begin('USER_PASSWORD_AUTH', { PASSWORD: NEW });
  const { Session = '' } = await begin('CUSTOM_AUTH', {});
  const answer = { ChallengeName: 'CUSTOM_CHALLENGE', ChallengeResponses: { USERNAME: ADA, ANSWER: 'blue' } } as const;
  const answered = await operations.respondToAuthChallenge({ ClientId, Session, ClientMetadata, ...answer }, TEST_CALL);
  return answered.AuthenticationResult?.AccessToken ?? '';
}
