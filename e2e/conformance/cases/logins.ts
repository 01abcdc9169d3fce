import assert from 'node:assert/strict';
import { secureRandom, startClient } from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
import {
  createOtherCode,
  enterCode,
  type LoginOutput,
  respondToChallenge,
  startChoiceLogin,
} from '../../../packages/pool/src/testing/test-logins.ts';
import { PASSWORD, TEST_CALL } from '../../../packages/pool/src/testing/test-pool.ts';
import {
  computeSrpAnswer,
  describeOutcome,
  loginBySrp,
  startSrpLogin,
} from '../../../packages/pool/src/testing/test-srp-logins.ts';
import { requireTokens } from '../../../packages/pool/src/testing/test-tokens.ts';
import type { Case, Subject } from '../subject.ts';
import { assertRefuses, confirmed, invited, loggedIn, newLoggedInUser, unknownUser, userAsAdmin } from '../users.ts';

const FRESH = 'Another-Horse2!';
const WRONG = 'Wrong-Horse1!';

/** An SRP login through the administrators' operations, up to the challenge. */
async function adminChallenge({ operations, userPoolId, clientId }: Subject, name: string) {
  const start = startClient({ engine: openSslEngine, random: secureRandom });
  const output = await operations.adminInitiateAuth(
    {
      UserPoolId: userPoolId,
      ClientId: clientId,
      AuthFlow: 'USER_SRP_AUTH',
      AuthParameters: { USERNAME: name, SRP_A: start.srpAHex },
    },
    TEST_CALL,
  );
  return { start, output, parameters: output.ChallengeParameters ?? {} };
}

async function atSelection(subject: Subject): Promise<{ readonly name: string; readonly step: LoginOutput }> {
  const { name } = await confirmed(subject);
  const step = await startChoiceLogin(subject, name);
  assert.equal(step.ChallengeName, 'SELECT_CHALLENGE');
  return { name, step };
}

/** How logins start and continue. */
export const LOGIN_CASES = {
  AdminInitiateAuth: [
    {
      does: 'begins a login by SRP',
      async run(subject) {
        const { name } = await confirmed(subject);
        const { output, parameters } = await adminChallenge(subject, name);
        assert.equal(output.ChallengeName, 'PASSWORD_VERIFIER');
        for (const key of ['SALT', 'SRP_B', 'SECRET_BLOCK', 'USER_ID_FOR_SRP']) assert.ok(parameters[key], key);
      },
    },
    {
      does: 'refreshes',
      async run(subject) {
        const { identifiers, tokens } = await newLoggedInUser(subject);
        const { Username } = await subject.operations.adminGetUser(identifiers, TEST_CALL);
        const { AuthenticationResult } = await subject.operations.adminInitiateAuth(
          {
            UserPoolId: subject.userPoolId,
            ClientId: subject.clientId,
            AuthFlow: 'REFRESH_TOKEN_AUTH',
            AuthParameters: { REFRESH_TOKEN: tokens.refresh, USERNAME: Username },
          },
          TEST_CALL,
        );
        assert.ok(AuthenticationResult?.AccessToken);
      },
    },
  ],
  AdminRespondToAuthChallenge: [
    {
      does: 'takes a proof of the password',
      async run(subject) {
        const { name } = await confirmed(subject);
        const proof = computeSrpAnswer(subject, await adminChallenge(subject, name));
        const answer = { ...proof, UserPoolId: subject.userPoolId };
        requireTokens(await subject.operations.adminRespondToAuthChallenge(answer, TEST_CALL));
      },
    },
    {
      does: 'refuses a proof of another password',
      async run(subject) {
        const { name } = await confirmed(subject);
        const proof = computeSrpAnswer(subject, await adminChallenge(subject, name), WRONG);
        const answer = { ...proof, UserPoolId: subject.userPoolId };
        const act = subject.operations.adminRespondToAuthChallenge(answer, TEST_CALL);
        await assertRefuses(act, 'NotAuthorizedException', 'invalid_credentials');
      },
    },
  ],
  InitiateAuth: [
    {
      does: 'begins a login by SRP, for users who are there and who are not alike',
      async run(subject) {
        const { name } = await confirmed(subject);
        for (const user of [name, unknownUser(subject).name]) {
          const { output, parameters } = await startSrpLogin(subject, user);
          assert.equal(output.ChallengeName, 'PASSWORD_VERIFIER');
          assert.match(parameters.SALT ?? '', /^[\da-f]{1,32}$/);
          assert.match(parameters.SRP_B ?? '', /^[\da-f]{700,768}$/);
          assert.ok(parameters.SECRET_BLOCK && parameters.USER_ID_FOR_SRP && parameters.USERNAME);
        }
      },
    },
    {
      does: 'asks which way to log in, and takes the answer',
      async run(subject) {
        const { step } = await atSelection(subject);
        assert.ok(step.AvailableChallenges?.includes('PASSWORD_SRP') && step.AvailableChallenges.includes('PASSWORD'));
        assert.ok((step.Session ?? '').length >= 20);
      },
    },
    {
      does: 'refuses an unusable SRP_A',
      async run({ operations, clientId, newAddress }) {
        for (const SRP_A of ['0', '']) {
          const AuthParameters = { USERNAME: newAddress(), SRP_A };
          const act = operations.initiateAuth(
            { ClientId: clientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters },
            TEST_CALL,
          );
          await assert.rejects(act, { name: 'ProviderError' });
        }
      },
    },
    {
      does: 'logs in with a code that was sent',
      needs: ['codes'],
      async run(subject) {
        const { name } = await confirmed(subject);
        const step = await startChoiceLogin(subject, name, { PREFERRED_CHALLENGE: 'EMAIL_OTP' });
        assert.equal(step.ChallengeName, 'EMAIL_OTP');
        const code = subject.codeTo(name);
        await assertRefuses(enterCode(subject, step, name, createOtherCode(code)), 'CodeMismatchException');
        requireTokens(await enterCode(subject, step, name, code));
        await assertRefuses(enterCode(subject, step, name, code), 'NotAuthorizedException', 'invalid_session');
      },
    },
  ],
  RespondToAuthChallenge: [
    {
      does: 'takes a proof of the password, and refuses another one like an unknown user',
      async run(subject) {
        const { name } = await confirmed(subject);
        requireTokens(await loginBySrp(subject, name));
        for (const [user, password] of [
          [name, WRONG],
          [unknownUser(subject).name, PASSWORD],
        ] as const) {
          await assertRefuses(loginBySrp(subject, user, password), 'NotAuthorizedException', 'invalid_credentials');
        }
      },
    },
    {
      does: 'takes a password that was chosen as the way to log in',
      async run(subject) {
        const { name, step } = await atSelection(subject);
        requireTokens(await respondToChallenge(subject, step, name, { ANSWER: 'PASSWORD', PASSWORD }));
      },
    },
    {
      does: 'takes a new password in place of a temporary one',
      async run(subject) {
        const user = await invited(subject);
        const step = await loginBySrp(subject, user.name);
        assert.equal(step.ChallengeName, 'NEW_PASSWORD_REQUIRED');
        const { requiredAttributes = '', userAttributes = '' } = step.ChallengeParameters ?? {};
        assert.ok(Array.isArray(JSON.parse(requiredAttributes)));
        assert.equal(JSON.parse(userAttributes).email, user.name);
        const weak = respondToChallenge(subject, step, user.name, { NEW_PASSWORD: 'weak' });
        await assertRefuses(weak, 'InvalidPasswordException');
        requireTokens(await respondToChallenge(subject, step, user.name, { NEW_PASSWORD: FRESH }));
        assert.equal((await userAsAdmin(subject, user)).UserStatus, 'CONFIRMED');
        await loggedIn(subject, user, FRESH);
      },
    },
    {
      does: 'takes no session twice, and none that nobody gave out',
      async run(subject) {
        const { name, step } = await atSelection(subject);
        requireTokens(await respondToChallenge(subject, step, name, { ANSWER: 'PASSWORD', PASSWORD }));
        const again = respondToChallenge(subject, step, name, { ANSWER: 'PASSWORD', PASSWORD });
        await assertRefuses(again, 'NotAuthorizedException', 'invalid_session');
        const invented = { ...step, Session: 'a-session-that-nobody-gave-out' };
        const act = respondToChallenge(subject, invented, name, { ANSWER: 'PASSWORD', PASSWORD });
        await assertRefuses(act, 'NotAuthorizedException', 'invalid_session');
      },
    },
    {
      does: 'takes no proof twice',
      async run(subject) {
        const { name } = await confirmed(subject);
        const answer = computeSrpAnswer(subject, await startSrpLogin(subject, name));
        assert.equal(await describeOutcome(subject.operations.respondToAuthChallenge(answer, TEST_CALL)), 'tokens');
        await assertRefuses(subject.operations.respondToAuthChallenge(answer, TEST_CALL), 'NotAuthorizedException');
      },
    },
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
