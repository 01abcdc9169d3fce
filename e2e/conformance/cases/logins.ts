import assert from 'node:assert/strict';
import { secureRandom, startClient } from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
import {
  enterCode,
  otherCode,
  respond,
  type Step,
  startChoiceLogin,
} from '../../../packages/pool/src/testing/login.ts';
import { CALL, PASSWORD } from '../../../packages/pool/src/testing/pool.ts';
import { answerTo, challenge, outcome, srpLogin } from '../../../packages/pool/src/testing/srp-login.ts';
import { tokensOf } from '../../../packages/pool/src/testing/tokens.ts';
import type { Case, Subject } from '../subject.ts';
import { assertRefuses, confirmed, invited, loggedIn, newLoggedInUser, unknownUser, userAsAdmin } from '../users.ts';

const FRESH = 'Another-Horse2!';
const WRONG = 'Wrong-Horse1!';

/** A login by SRP through the administrators' operations, as far as the challenge. */
async function adminChallenge({ operations, userPoolId, clientId }: Subject, name: string) {
  const start = startClient({ engine: openSslEngine, random: secureRandom });
  const output = await operations.adminInitiateAuth(
    {
      UserPoolId: userPoolId,
      ClientId: clientId,
      AuthFlow: 'USER_SRP_AUTH',
      AuthParameters: { USERNAME: name, SRP_A: start.srpAHex },
    },
    CALL,
  );
  return { start, output, parameters: output.ChallengeParameters ?? {} };
}

async function atSelection(subject: Subject): Promise<{ readonly name: string; readonly step: Step }> {
  const { name } = await confirmed(subject);
  const step = await startChoiceLogin(subject, name);
  assert.equal(step.ChallengeName, 'SELECT_CHALLENGE');
  return { name, step };
}

/** How logins begin and go on. */
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
        const { Username } = await subject.operations.adminGetUser(identifiers, CALL);
        const { AuthenticationResult } = await subject.operations.adminInitiateAuth(
          {
            UserPoolId: subject.userPoolId,
            ClientId: subject.clientId,
            AuthFlow: 'REFRESH_TOKEN_AUTH',
            AuthParameters: { REFRESH_TOKEN: tokens.refresh, USERNAME: Username },
          },
          CALL,
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
        const proof = answerTo(subject, await adminChallenge(subject, name));
        const answer = { ...proof, UserPoolId: subject.userPoolId };
        tokensOf(await subject.operations.adminRespondToAuthChallenge(answer, CALL));
      },
    },
    {
      does: 'refuses a proof of another password',
      async run(subject) {
        const { name } = await confirmed(subject);
        const proof = answerTo(subject, await adminChallenge(subject, name), WRONG);
        const answer = { ...proof, UserPoolId: subject.userPoolId };
        const act = subject.operations.adminRespondToAuthChallenge(answer, CALL);
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
          const { output, parameters } = await challenge(subject, user);
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
          const act = operations.initiateAuth({ ClientId: clientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters }, CALL);
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
        await assertRefuses(enterCode(subject, step, name, otherCode(code)), 'CodeMismatchException');
        tokensOf(await enterCode(subject, step, name, code));
        await assertRefuses(enterCode(subject, step, name, code), 'NotAuthorizedException', 'invalid_session');
      },
    },
  ],
  RespondToAuthChallenge: [
    {
      does: 'takes a proof of the password, and refuses another one like an unknown user',
      async run(subject) {
        const { name } = await confirmed(subject);
        tokensOf(await srpLogin(subject, name));
        for (const [user, password] of [
          [name, WRONG],
          [unknownUser(subject).name, PASSWORD],
        ] as const) {
          await assertRefuses(srpLogin(subject, user, password), 'NotAuthorizedException', 'invalid_credentials');
        }
      },
    },
    {
      does: 'takes a password that was chosen as the way to log in',
      async run(subject) {
        const { name, step } = await atSelection(subject);
        tokensOf(await respond(subject, step, name, { ANSWER: 'PASSWORD', PASSWORD }));
      },
    },
    {
      does: 'takes a new password in place of a temporary one',
      async run(subject) {
        const user = await invited(subject);
        const step = await srpLogin(subject, user.name);
        assert.equal(step.ChallengeName, 'NEW_PASSWORD_REQUIRED');
        const { requiredAttributes = '', userAttributes = '' } = step.ChallengeParameters ?? {};
        assert.ok(Array.isArray(JSON.parse(requiredAttributes)));
        assert.equal(JSON.parse(userAttributes).email, user.name);
        const weak = respond(subject, step, user.name, { NEW_PASSWORD: 'weak' });
        await assertRefuses(weak, 'InvalidPasswordException');
        tokensOf(await respond(subject, step, user.name, { NEW_PASSWORD: FRESH }));
        assert.equal((await userAsAdmin(subject, user)).UserStatus, 'CONFIRMED');
        await loggedIn(subject, user, FRESH);
      },
    },
    {
      does: 'takes no session twice, and none that nobody gave out',
      async run(subject) {
        const { name, step } = await atSelection(subject);
        tokensOf(await respond(subject, step, name, { ANSWER: 'PASSWORD', PASSWORD }));
        const again = respond(subject, step, name, { ANSWER: 'PASSWORD', PASSWORD });
        await assertRefuses(again, 'NotAuthorizedException', 'invalid_session');
        const invented = { ...step, Session: 'a-session-that-nobody-gave-out' };
        const act = respond(subject, invented, name, { ANSWER: 'PASSWORD', PASSWORD });
        await assertRefuses(act, 'NotAuthorizedException', 'invalid_session');
      },
    },
    {
      does: 'takes no proof twice',
      async run(subject) {
        const { name } = await confirmed(subject);
        const answer = answerTo(subject, await challenge(subject, name));
        assert.equal(await outcome(subject.operations.respondToAuthChallenge(answer, CALL)), 'tokens');
        await assertRefuses(subject.operations.respondToAuthChallenge(answer, CALL), 'NotAuthorizedException');
      },
    },
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
