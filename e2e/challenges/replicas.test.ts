import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClientAddress } from '../support/requests/exchange.ts';
import {
  answerAtPath,
  countStatuses,
  enrollAuthenticator,
  startCodeLogin,
} from '../support/requests/pending-challenges.ts';
import { openReplicas, type Replicas } from '../support/services/replicas.ts';
import { addUser, assertProblem, type TestService } from '../support/services/test-service.ts';

const GUESSES = 100;
const WRONG_CODES = 10;

describe('challenges answered at two services on one PostgreSQL', () => {
  let replicas: Replicas;
  let one: TestService;
  let other: TestService;
  let users = 0;
  before(async () => {
    replicas = await openReplicas();
    ({ one, other } = replicas);
  });
  after(() => replicas?.close());

  const at = (index: number): TestService => (index % 2 === 0 ? one : other);

  async function somebody(): Promise<string> {
    users += 1;
    const email = `replicated-${users}@example.com`;
    await addUser(one, email);
    return email;
  }

  it('of 100 parallel wrong codes at both, ten are checked, and both then lock', async () => {
    const email = await somebody();
    const code = await enrollAuthenticator(one, email);
    const challenges = await Promise.all(Array.from({ length: 6 }, (_, index) => startCodeLogin(at(index), email)));
    const wrong = code() === '000000' ? '111111' : '000000';
    const answers = await Promise.all(
      Array.from({ length: GUESSES }, (_, index) => {
        const challenge = challenges[index % challenges.length];
        assert.ok(challenge);
        return answerAtPath(at(index), index, challenge, wrong);
      }),
    );
    assert.deepEqual(countStatuses(answers), { 400: WRONG_CODES, 429: GUESSES - WRONG_CODES });
    for (const service of [one, other]) {
      assertProblem(
        await answerAtPath(service, 0, await startCodeLogin(service, email), code()),
        429,
        'too_many_requests',
      );
    }
  });

  it('a user gets five codes at once from both together', async () => {
    const email = await somebody();
    const asked = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        at(index).ask('GET', '/login/passkey/challenge/email_otp', {
          headers: createClientAddress(),
          body: { username: email },
        }),
      ),
    );
    assert.deepEqual(countStatuses(asked), { 200: 5, 429: 7 });
    const sent = new Set([one, other].flatMap((service) => service.outbox?.list(email) ?? []));
    assert.equal(sent.size, 5);
  });
});
