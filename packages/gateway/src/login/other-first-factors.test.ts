import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addUser } from '@poolgate/pool/testing';
import { formatTimestamp } from '@poolgate/srp';
import { type PoolService, startPoolService } from '../testing/pool-service.ts';

describe('a locked password', () => {
  let service: PoolService;
  before(async () => {
    service = await startPoolService({ pool: { firstFactors: ['PASSWORD', 'EMAIL_OTP'] } });
    await addUser(service, 'ada@example.com');
  });
  after(() => service.close());

  it('is refused with the other ways to sign in, the same for a user and an unknown name', async () => {
    const seen = [];
    for (const username of ['ada@example.com', 'nobody@example.com']) {
      const logIn = () => service.ask('POST', '/login', { body: { username, password: 'Wrong-Horse1!' } });
      for (let times = 0; times < 5; times += 1) assert.equal((await logIn()).status, 401);
      const { status, headers, body } = await logIn();
      const { instance: _, ...shown } = body;
      assert.deepEqual([status, body.code, body.available_challenges], [429, 'too_many_requests', ['EMAIL_OTP']]);
      const srp = { username, srp_a: 'ab'.repeat(384) };
      const { body: started } = await service.ask('POST', '/login/srp', { body: srp });
      const { SECRET_BLOCK } = started.challenge_params as Readonly<Record<string, string>>;
      const challenge_value = {
        PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
        PASSWORD_CLAIM_SIGNATURE: Buffer.alloc(32).toString('base64'),
        TIMESTAMP: formatTimestamp(service.clock.now()),
      };
      const answer = { username, challenge_name: 'PASSWORD_VERIFIER', session: started.session, challenge_value };
      const answered = await service.ask('POST', '/login/challenge', { body: answer });
      assert.deepEqual([answered.status, answered.body.available_challenges], [429, ['EMAIL_OTP']]);
      seen.push([shown, headers['retry-after']]);
    }
    assert.deepEqual(seen[0], seen[1]);
  });

  it('opens with one of them, from the locked network', async () => {
    const email = 'bob@example.com';
    await addUser(service, email);
    for (let times = 0; times < 6; times += 1) {
      await service.ask('POST', '/login', { body: { username: email, password: 'Wrong-Horse1!' } });
    }
    const started = await service.ask('POST', '/login/passkey/challenge/EMAIL_OTP', { body: { username: email } });
    const code = service.sent.findLast(({ to }) => to === email)?.code;
    const answer = {
      username: email,
      challenge_name: 'EMAIL_OTP',
      session: started.body.Session,
      challenge_value: code,
    };
    const opened = await service.ask('POST', '/login/challenge', { body: answer });
    assert.equal(opened.status, 200, opened.text);
    assert.ok(opened.body.access_token);
  });
});
