import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  answerAtPath,
  countStatuses,
  enrollAuthenticator,
  type PendingChallenge,
  startCodeLogin,
} from '../support/requests/pending-challenges.ts';
import { createSignedClaim, createVerifierAnswer, startSrpLogin } from '../support/routes/route-srp.ts';
import {
  addUser,
  assertProblem,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const GUESSES = 100;
const WRONG_CODES = 10;
const WRONG_PASSWORDS = 5;

const VARIANTS: readonly ((email: string) => string)[] = [
  (email) => email,
  (email) => email.toUpperCase(),
  (email) => email.replace(/^./, (letter) => letter.toUpperCase()),
  (email) => email.replace('example', 'eXaMpLe'),
];

describe('parallel answers over HTTP at every entry point', () => {
  let service: TestService;
  let users = 0;
  before(async () => {
    service = await startTestService({ firstFactors: ['PASSWORD', 'EMAIL_OTP'] });
  });
  after(() => service.close());

  async function somebody(): Promise<string> {
    users += 1;
    const email = `parallel-${users}@example.com`;
    await addUser(service, email);
    return email;
  }

  it('of 100 parallel wrong codes on 20 challenges with different spellings of one name, ten are checked', async () => {
    const email = await somebody();
    const code = await enrollAuthenticator(service, email);
    const challenges: PendingChallenge[] = [];
    for (let index = 0; index < 20; index += 1) {
      challenges.push(await startCodeLogin(service, spelled(email, index)));
    }
    const answers = await Promise.all(
      Array.from({ length: GUESSES }, (_, index) => {
        const challenge = challenges[index % challenges.length];
        assert.ok(challenge);
        return answerAtPath(service, index, challenge, wrongCode(code, index));
      }),
    );
    assert.deepEqual(countStatuses(answers), { 400: WRONG_CODES, 429: GUESSES - WRONG_CODES });
    for (const answer of answers.filter(({ status }) => status === 429)) assert.ok(answer.headers['retry-after']);
    assertProblem(
      await answerAtPath(service, 0, await startCodeLogin(service, email), code()),
      429,
      'too_many_requests',
    );
  });

  it('of 100 parallel wrong passwords at two entry points with four spellings, five are checked', async () => {
    const email = await somebody();
    const attempts = Array.from({ length: GUESSES }, (_, index) =>
      service.post(index % 2 ? '/login' : '/api/cognito/login', {
        username: spelled(email, index),
        password: 'Wrong-Horse1!',
      }),
    );
    assert.deepEqual(countStatuses(await Promise.all(attempts)), {
      401: WRONG_PASSWORDS,
      429: GUESSES - WRONG_PASSWORDS,
    });
    const challenge = await startSrpLogin(service, email);
    const proof = createVerifierAnswer(challenge, createSignedClaim(service, challenge));
    assertProblem(await service.post('/login/auth-challenge', proof), 429, 'too_many_requests');
    assertProblem(await service.post('/login', { username: email, password: PASSWORD }), 429, 'too_many_requests');
  });

  const spelled = (email: string, index: number): string => VARIANTS[index % VARIANTS.length]?.(email) ?? email;

  /** Six digits that no nearby step has. */
  function wrongCode(shown: (steps: number) => string, index: number): string {
    const code = String(index * 7919)
      .padStart(6, '0')
      .slice(-6);
    return [-2, -1, 0, 1, 2].some((steps) => shown(steps) === code) ? '999999' : code;
  }
});
