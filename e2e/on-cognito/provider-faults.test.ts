import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, test } from 'node:test';
import type { Timer } from '@poolgate/pool';
import { HOST_SYSTEM } from '../../packages/poolgate/src/process/system.ts';
import { providerFaults } from '../proofs/provider-faults.ts';
import { PROVIDER_WORDS } from '../support/provider/mutated-reply.ts';
import { createBearerHeader, type Exchange } from '../support/requests/exchange.ts';
import { type FaultProxy, type RequestOutcome, startFaultProxy } from '../support/services/fault-proxy.ts';
import {
  addUser,
  assertProblem,
  PASSWORD,
  requireTokens,
  startServiceOnCognito,
  type TestService,
} from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
const JSON_TYPE = { 'content-type': 'application/x-amz-json-1.1' };

function refusal(status: number, name: string): RequestOutcome {
  const body = JSON.stringify({ __type: name, message: PROVIDER_WORDS });
  return { instead: { status, headers: { ...JSON_TYPE, 'x-amzn-errortype': `${name}:` }, body } };
}

const ok = (body: string): RequestOutcome => ({ instead: { status: 200, headers: JSON_TYPE, body } });

interface Trouble {
  readonly fate: RequestOutcome;
  readonly status: 502 | 503 | 504;
  readonly code: 'provider_error' | 'unavailable' | 'timeout';
}

const AWAY = { status: 503, code: 'unavailable' } as const;
const NONSENSE = { status: 502, code: 'provider_error' } as const;

/** How a provider can fail, and what callers get. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  'breaks connections': { fate: 'reset', ...AWAY },
  'breaks answers off': { fate: { answer: () => 'cut' }, ...AWAY },
  'never answers': { fate: 'hang', status: 504, code: 'timeout' },
  throttles: { fate: refusal(400, 'TooManyRequestsException'), ...AWAY },
  'throttles at its entry point': { fate: refusal(429, 'ThrottlingException'), ...AWAY },
  fails: { fate: refusal(500, 'InternalErrorException'), ...AWAY },
  'is overloaded': { fate: { instead: { status: 503, headers: {}, body: `<html>${PROVIDER_WORDS}</html>` } }, ...AWAY },
  'refuses under a name that nobody knows': { fate: refusal(400, 'ProviderWordsException'), ...NONSENSE },
  'answers no JSON': { fate: ok(PROVIDER_WORDS), ...NONSENSE },
  'answers with a list': { fate: ok('[]'), ...NONSENSE },
  'answers with nothing in it': { fate: ok('{}'), ...NONSENSE },
  'answers with other types': { fate: ok('{"ChallengeName":[1],"Session":{"a":1}}'), ...NONSENSE },
};

/** Less than a call may take, and more than anything else is waited for. */
const HELD_MS = 1_000;

describe('a failing provider', () => {
  let proxy: FaultProxy;
  let service: TestService;
  let log = '';
  /** The ends of pending calls, which a test triggers. */
  let held: Set<() => void> | undefined;
  const timer: Timer = {
    after(delayMs, run) {
      const waiting = held;
      if (waiting === undefined || delayMs < HELD_MS) return HOST_SYSTEM.timer.after(delayMs, run);
      waiting.add(run);
      return () => void waiting.delete(run);
    },
  };
  function endTheHeld(): void {
    const ends = held ?? new Set();
    held = undefined;
    for (const end of ends) end();
  }
  before(async () => {
    service = await startServiceOnCognito(
      {
        timer,
        logStream: {
          write(line) {
            log += line;
          },
        },
        cognitoLimits: { requestMs: 2_000, callMs: 4_000, backoffMs: 1, maxBackoffMs: 1 },
      },
      undefined,
      async (poolUrl) => {
        proxy = await startFaultProxy(poolUrl);
        return proxy.url;
      },
    );
    await addUser(service, ADA);
  });
  after(async () => {
    await service.close();
    await proxy.close();
  });
  beforeEach(() => {
    log = '';
    service.clock.advance(60_000);
  });

  const logIn = (): Promise<Exchange> => service.post('/login', { username: ADA, password: PASSWORD });

  /** One second later, the circuit breaker lets a call through. */
  async function recovers(): Promise<void> {
    service.clock.advance(1_000);
    requireTokens(await logIn());
  }

  function isTold(answer: Exchange, { status, code }: Pick<Trouble, 'status' | 'code'>, about: string): void {
    assertProblem(answer, status, code, about);
    if (status === 503) assert.match(String(answer.headers['retry-after']), /^\d+$/, about);
    assert.ok(!answer.text.includes(PROVIDER_WORDS), answer.text);
  }

  for (const [trouble, { fate, status, code }] of Object.entries(TROUBLES)) {
    it(`that ${trouble} causes ${status}, affects nothing else, and recovers`, async () => {
      proxy.setOutcome(fate);
      const [login, health, parameters] = await Promise.all([
        logIn(),
        service.get('/healthz'),
        service.get('/openapi.json'),
      ]);
      isTold(login, { status, code }, trouble);
      assert.deepEqual([health.status, parameters.status], [200, 200]);
      isTold(await service.get(`/admin/users/${ADA}`, service.asAdmin), { status, code }, 'a signed call');
      proxy.setOutcome('pass');
      await recovers();
      assert.equal((await service.get(`/admin/users/${ADA}`, service.asAdmin)).status, 200);
      assert.ok(!log.includes(PROVIDER_WORDS), log);
    });
  }

  it('that is unreachable causes 503 until it is back', async () => {
    const { access } = requireTokens(await logIn());
    assert.equal((await service.get('/user/profile', createBearerHeader(access))).status, 200, 'the keys are known');
    await proxy.goAway();
    isTold(await logIn(), AWAY, 'a login');
    isTold(
      await service.get('/user/profile', createBearerHeader(access)),
      AWAY,
      'a token that is judged by the keys of before',
    );
    assertProblem(await service.get('/user/profile', createBearerHeader(`${access}x`)), 401, 'unauthenticated');
    assert.equal(
      (await service.post('/logout', {}, createBearerHeader(access))).status,
      200,
      'what needs no provider goes on',
    );
    await proxy.comeBack();
    await recovers();
  });

  it('gets no more calls for a second after ten failures', async () => {
    proxy.setOutcome('reset');
    for (let tries = 0; tries < 12; tries += 1) isTold(await logIn(), AWAY, `${tries}`);
    const seen = proxy.seen();
    for (let tries = 0; tries < 5; tries += 1) isTold(await logIn(), AWAY, 'while nothing is sent');
    assert.equal(proxy.seen(), seen);
    proxy.setOutcome('pass');
    await recovers();
  });

  it('that never responds delays only requests that need it', async () => {
    proxy.setOutcome('hang');
    held = new Set();
    const hanging = Array.from({ length: 50 }, logIn);
    let answered = 0;
    for (const login of hanging) void login.then(() => (answered += 1));
    for (let asked = 0; asked < 20; asked += 1) assert.equal((await service.get('/healthz')).status, 200);
    assert.equal(answered, 0, 'the others were answered first');
    endTheHeld();
    for (const login of await Promise.all(hanging)) assert.ok([503, 504].includes(login.status), login.text);
    proxy.setOutcome('pass');
    await recovers();
  });
});

test('that returns a hundred corrupt responses causes no 500, and nothing of them is shown', async () => {
  const { mutated, statuses, faults } = await providerFaults(20_261_121, 100);
  assert.deepEqual(faults, []);
  assert.ok(mutated >= 100 && (statuses[502] ?? 0) > 20, JSON.stringify(statuses));
});
