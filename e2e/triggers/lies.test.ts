import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { TestClock, TestTimer } from '../../packages/pool/src/testing/test-environment.ts';
import { triggerLies } from '../proofs/trigger-lies.ts';
import { startTestService } from '../support/services/test-service.ts';
import { formatTriggerArn, setLambdaConfig } from '../support/triggers/triggered-service.ts';

test('a function that returns a hundred wrong responses causes its own errors, and no 500', async () => {
  const { statuses, faults } = await triggerLies(19, 100, console.log);
  assert.deepEqual(faults, []);
  assert.ok((statuses[200] ?? 0) > 0, 'some lies change nothing');
  assert.ok((statuses[502] ?? 0) > 20, 'most lies are seen');
});

const DEMO = { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' };
const PRE_AUTHENTICATION = formatTriggerArn('preAuthentication');

test('one network does not block a function for others, and many networks open its circuit breaker', async (t) => {
  const clock = new TestClock(Date.now());
  const timer = new TestTimer(clock);
  let hanging = 0;
  const { promise: isBusy, resolve: busy } = Promise.withResolvers<void>();
  const options = {
    timer,
    trustedProxies: ['127.0.0.1'],
    triggerBreakerNetworks: 3,
    triggers: {
      [PRE_AUTHENTICATION]: (event: { request: { validationData?: { sleep?: string } | null } }) => {
        if (event.request.validationData?.sleep === undefined) return event;
        hanging += 1;
        if (hanging === 8) busy();
        return new Promise(() => {});
      },
    },
  };
  const service = await startTestService(options, clock);
  t.after(() => service.close());
  await setLambdaConfig(service, { PreAuthentication: PRE_AUTHENTICATION });
  const attack = (address: string) =>
    service.call(
      'InitiateAuth',
      {
        AuthFlow: 'USER_PASSWORD_AUTH',
        ClientId: service.clientId,
        AuthParameters: { USERNAME: 'demo@poolgate.test', PASSWORD: 'wrong' },
        ClientMetadata: { sleep: 'yes' },
      },
      { 'x-forwarded-for': address },
    );
  const honest = (network: number) =>
    service.post('/login', DEMO, { 'x-forwarded-for': `203.0.${network}.7` }).then(({ status }) => status);
  const refused: string[] = [];
  const isOver = Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      const { body } = await attack(`198.51.100.${at}`);
      refused.push(String(body.__type));
    }),
  );
  await isBusy;
  const statuses = await Promise.all(Array.from({ length: 40 }, (_, network) => honest(network)));
  // Until the last call of the attack has timed out: 13 seconds for each request.
  for (let seconds = 0; seconds < 40 && refused.length < 100; seconds += 1) {
    clock.advance(1_000);
    timer.runDue();
    statuses.push(await honest(seconds));
  }
  await isOver;
  assert.deepEqual(new Set(refused), new Set(['UnexpectedLambdaException']));
  assert.deepEqual(new Set(statuses), new Set([200]));
  assert.ok(hanging <= 8 * 3, `${hanging} of 300 tries reached the function`);
  const before = hanging;
  const many = [1, 2, 3].map((network) => attack(`192.0.${network}.1`));
  while (hanging < before + many.length) await turn();
  clock.advance(5_000);
  timer.runDue();
  await Promise.all(many);
  assert.equal(await honest(1), 502);
});
