import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase } from '@poolgate/store/testing';
import type { StartOptions } from 'poolgate';
import { BEHIND_PROXY, createClientAddress, type Exchange } from '../support/requests/exchange.ts';
import {
  createDeviceClaim,
  createRememberedDevice,
  proveDevice,
  startDeviceSrp,
} from '../support/routes/route-devices.ts';
import {
  createAuthenticator,
  createRegisteredPasskey,
  logInWithPasskey,
  startPasskeyService,
} from '../support/routes/route-passkeys.ts';
import {
  addUser,
  assertProblem,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const ALLOWED = 40;
const ASKED = 100;
const EVA = 'eva@example.com';

/** The number of requests that were not refused. */
function admitted(answers: readonly Exchange[]): number {
  for (const answer of answers) if (answer.status !== 200) assertProblem(answer, 429, 'too_many_requests');
  return answers.filter(({ status }) => status === 200).length;
}

describe('login steps at two replicas', () => {
  /** Starts SRP logins on both in turn, all in parallel. */
  const stepsAt = async (
    options: StartOptions,
    step: (place: number) => { readonly address: string; readonly username: string },
  ): Promise<number> => {
    const database = await createTestDatabase();
    const one = await startTestService({ ...BEHIND_PROXY, ...options, databaseUrl: database.url });
    const other = await one.replica();
    const answers = await Promise.all(
      Array.from({ length: ASKED }, (_, place) => {
        const { address, username } = step(place);
        const headers = { 'x-forwarded-for': address };
        return (place % 2 === 0 ? one : other).post('/login/srp', { username }, headers);
      }),
    );
    await other.close();
    await one.close();
    await database.drop();
    return admitted(answers);
  };

  it('of one /64 share a limit', async () => {
    const step = (place: number) => ({ address: `2001:db8:1:2::${place}`, username: `u${place}@example.com` });
    assert.equal(await stepsAt({ limitLoginSteps: ALLOWED }, step), ALLOWED);
  });

  it('for one user share a limit, in every spelling of the name', async () => {
    const spelled = [EVA, EVA.toUpperCase()];
    const step = (place: number) => ({
      address: `203.0.113.${place}`,
      username: spelled[place % 3 === 0 ? 1 : 0] ?? EVA,
    });
    assert.equal(await stepsAt({ limitUserSteps: ALLOWED }, step), ALLOWED);
  });

  it('of one app client share a limit', async () => {
    const step = (place: number) => ({ address: `203.0.113.${place}`, username: `u${place}@example.com` });
    assert.equal(await stepsAt({ limitClientSteps: ALLOWED }, step), ALLOWED);
  });
});

describe('a caller over the limit', () => {
  it('does not use up what other addresses may do for the same user', async (context) => {
    const service = await startTestService({ ...BEHIND_PROXY, limitLoginSteps: 5, limitUserSteps: 10 });
    context.after(() => service.close());
    const from = (address: string) => service.post('/login/srp', { username: EVA }, { 'x-forwarded-for': address });
    const attacks: Exchange[] = [];
    for (let time = 0; time < 50; time += 1) attacks.push(await from('203.0.113.7'));
    assert.equal(admitted(attacks), 5);
    assert.equal((await from('198.51.100.1')).status, 200);
  });

  it('gets TooManyRequestsException on the Cognito-compatible API, which shares the limit of the routes', async (context) => {
    const service = await startTestService({ limitUserSteps: 3 });
    context.after(() => service.close());
    const start = { AuthFlow: 'USER_AUTH', ClientId: service.clientId, AuthParameters: { USERNAME: EVA } };
    const told: unknown[] = [];
    for (let time = 0; time < 4; time += 1) told.push((await service.call('InitiateAuth', start)).body.__type);
    assert.deepEqual(told, [undefined, undefined, undefined, 'TooManyRequestsException']);
  });

  it('is accepted again after the time in the response', async (context) => {
    const service = await startTestService({ limitUserSteps: 3 });
    context.after(() => service.close());
    const ask = () => service.post('/login/srp', { username: EVA });
    for (let time = 0; time < 3; time += 1) assert.equal((await ask()).status, 200);
    const refused = await ask();
    assert.equal(refused.headers['retry-after'], '20');
    service.clock.advance(20_000);
    assert.equal((await ask()).status, 200);
    assertProblem(await ask(), 429, 'too_many_requests');
  });
});

describe('an attacker who uses up all attempts of a user', () => {
  let service: TestService;
  before(async () => {
    service = await startPasskeyService({ ...BEHIND_PROXY, limitUserSteps: 20 });
    await addUser(service, EVA);
  });
  after(() => service?.close());

  it('does not block a remembered device or a passkey', async () => {
    const device = await createRememberedDevice(service, EVA);
    const authenticator = createAuthenticator();
    await createRegisteredPasskey(service, EVA, authenticator);
    const guess = { username: EVA, password: 'Wrong-Horse1!' };
    for (let time = 0; time < 30; time += 1) await service.post('/login', guess, createClientAddress());
    const plain = { username: EVA, password: PASSWORD };
    assertProblem(await service.post('/login', plain, createClientAddress()), 429, 'too_many_requests');
    const challenge = await startDeviceSrp(service, device);
    requireTokens(await proveDevice(service, challenge, createDeviceClaim(service, challenge)));
    requireTokens(await logInWithPasskey(service, EVA, authenticator));
  });
});
