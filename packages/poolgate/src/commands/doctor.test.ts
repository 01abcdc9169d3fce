import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEMO_USER } from '../index.ts';
import { createFrontEnvironment, startPoolService } from '../providers/testing/front-service.ts';
import { createTestOperator } from './testing/test-operator.ts';

const { email, password } = DEMO_USER;

test('doctor prints a table, and exits with 0 without a fault', async (context) => {
  const { runPoolgate } = await createTestOperator(context, createFrontEnvironment(await startPoolService(context)));
  const { exitCode, out } = await runPoolgate(['doctor', '--test-user', email], password);
  assert.equal(exitCode, 0, out.join('\n'));
  assert.match(out.join('\n'), /^ok +login +SRP login works\.$/m);
  assert.ok(!out.join('\n').includes(password));
});

test('doctor exits with 1 for a fault, with the same content as JSON', async (context) => {
  const environment = createFrontEnvironment(await startPoolService(context));
  const { runPoolgate } = await createTestOperator(context, {
    ...environment,
    IDP_CLIENT_ID: 'nosuchclient',
  });
  const { exitCode, out } = await runPoolgate(['doctor', '--json']);
  const { result, checks } = JSON.parse(out.join('\n')) as { result: string; checks: Record<string, string>[] };
  assert.deepEqual([exitCode, result], [1, 'fault']);
  const client = checks.find(({ check }) => check === 'app client');
  assert.deepEqual([client?.result, client?.advice], ['fault', 'Check IDP_CLIENT_ID and IDP_REGION.']);
});

test('the password of the test user can be in the environment, although it is not a setting', async (context) => {
  const environment = createFrontEnvironment(await startPoolService(context));
  const { runPoolgate } = await createTestOperator(context, {
    ...environment,
    POOLGATE_TEST_PASSWORD: password,
  });
  assert.equal((await runPoolgate(['doctor', '--test-user', email])).exitCode, 0);
  const { exitCode, err } = await runPoolgate(['doctor', '--test-totp']);
  assert.deepEqual([exitCode, err], [2, 'poolgate: --test-totp needs --test-user']);
});
