import assert from 'node:assert/strict';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { formatTimestamp, hashPassword, secureRandom, signPasswordClaim, startClient } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { DEMO_USER, type Service, type StartOptions, start } from '../index.ts';

const OPTIONS: StartOptions = {
  databaseUrl: 'sqlite::memory:',
  port: 0,
  limitReads: 0,
  limitLoginSteps: 0,
  limitUserSteps: 0,
  // The clients compute in the service's own thread here, all in the same turn.
  overloadMs: 0,
};
/** As many as it takes until the threads are started. */
const ROUNDS = 40;

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function post(url: string, path: string, body: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

async function srpLogin({ url, userPoolId }: Service, password: string): Promise<Answer> {
  const begun = startClient({ engine, random: secureRandom });
  const { body } = await post(url, '/login/srp', { username: DEMO_USER.email, srp_a: begun.srpAHex });
  const parameters = body.challenge_params as Readonly<Record<string, string>>;
  const { SALT: saltHex = '', SRP_B: srpBHex = '', SECRET_BLOCK: secretBlockB64 = '' } = parameters;
  const identity = { poolName: userPoolId.split('_')[1] ?? '', userIdForSrp: parameters.USER_ID_FOR_SRP ?? '' };
  const timestamp = formatTimestamp(Date.now());
  const hash = hashPassword(engine, identity, password);
  const claim = { engine, ...begun, saltHex, srpBHex, secretBlockB64, identity, timestamp, passwordHash: hash };
  return post(url, '/login/auth-challenge', {
    challenge_name: 'PASSWORD_VERIFIER',
    session: body.session,
    username: DEMO_USER.email,
    challenge_value: {
      PASSWORD_CLAIM_SIGNATURE: signPasswordClaim(claim),
      PASSWORD_CLAIM_SECRET_BLOCK: secretBlockB64,
      TIMESTAMP: timestamp,
    },
  });
}

async function started(context: TestContext, options: StartOptions = {}): Promise<Service> {
  const service = await start({ ...OPTIONS, ...options });
  context.after(() => service.close());
  return service;
}

const together = <Outcome>(run: () => Promise<Outcome>): Promise<readonly Outcome[]> =>
  Promise.all(Array.from({ length: ROUNDS }, run));

/** The channels to the threads of this process. */
const channels = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

for (const threads of [1, 2]) {
  test(`with POOLGATE_THREADS=${threads} right passwords are accepted and wrong ones refused, by SRP and by password`, async (context) => {
    const before = channels();
    const service = await started(context, { threads });
    for (const { status, body } of await together(() => srpLogin(service, DEMO_USER.password))) {
      assert.equal(status, 200, JSON.stringify(body));
    }
    const { password, email: username } = DEMO_USER;
    const answers = await together(() => post(service.url, '/login', { username, password }));
    for (const { status } of answers) assert.equal(status, 200);
    assert.equal(channels() - before, threads === 1 ? 0 : threads);
    const token = String((await srpLogin(service, password)).body.access_token);
    const profile = await fetch(`${service.url}/user/profile`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(profile.status, 200);
    const wrong = [
      await srpLogin(service, 'Not-The-Passw0rd'),
      await post(service.url, '/login', { username, password: 'Not-The-Passw0rd' }),
      await post(service.url, '/login/srp', { username: 'nobody@example.com', srp_a: '0' }),
    ];
    assert.deepEqual(
      wrong.map(({ status, body }) => [status, body.code]),
      [
        [401, 'invalid_credentials'],
        [401, 'invalid_credentials'],
        [422, 'validation_failed'],
      ],
    );
    await service.close();
    assert.equal(channels(), before, 'a stop leaves no thread behind');
  });
}

test('requests whose clients are gone, and a stop among them, leave nothing that hangs', async (context) => {
  const service = await started(context, { threads: 2 });
  await together(() => srpLogin(service, DEMO_USER.password));
  const sent = Array.from({ length: ROUNDS }, () => {
    const headers = { 'content-type': 'application/json' };
    const asked = request(`${service.url}/login`, { method: 'POST', headers });
    asked.on('error', () => {});
    asked.end(JSON.stringify({ username: DEMO_USER.email, password: DEMO_USER.password }), () => asked.destroy());
    return asked;
  });
  const answered = together(() => srpLogin(service, DEMO_USER.password).catch(() => undefined));
  await service.close();
  await answered;
  for (const asked of sent) assert.ok(asked.destroyed);
});
