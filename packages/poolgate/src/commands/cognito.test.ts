import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StartError, start } from '../index.ts';
import { createFrontEnvironment, requestRoute, startPoolService } from '../providers/testing/front-service.ts';
import { createTestOperator } from './testing/test-operator.ts';

const SECRET = 'a-production-secret-of-forty-characters!';

test('users of the pool behind the service are created, listed and given passwords', async (context) => {
  const behind = await startPoolService(context);
  const { runPoolgate } = await createTestOperator(context, createFrontEnvironment(behind));
  const created = await runPoolgate(
    ['user', 'create', 'ada@example.com', '--permanent', '--attribute', 'name=Ada'],
    'Ada-Passw0rd!',
  );
  assert.deepEqual([created.exitCode, created.out], [0, ['created ada@example.com']], created.err);
  const logIn = (password: string) =>
    requestRoute(behind, 'POST', '/login', { body: { username: 'ada@example.com', password } });
  assert.equal((await logIn('Ada-Passw0rd!')).status, 200);
  assert.equal((await runPoolgate(['user', 'set-password', 'ada@example.com'], 'Other-Passw0rd!')).exitCode, 0);
  assert.equal((await logIn('Other-Passw0rd!')).status, 200);
  const { out } = await runPoolgate(['user', 'list', '--json']);
  const users = out.map((line) => JSON.parse(line) as { attributes: { email: string; name: string }; status: string });
  const ada = users.find(({ attributes }) => attributes.email === 'ada@example.com');
  assert.deepEqual([ada?.attributes.name, ada?.status, users.length], ['Ada', 'CONFIRMED', 2]);
  const again = await runPoolgate(['user', 'create', 'ada@example.com']);
  assert.deepEqual([again.exitCode, again.err], [1, 'poolgate: User already exists']);
});

test("a command's change of the pool behind the service is recorded in the audit log", async (context) => {
  const behind = await startPoolService(context);
  const { runPoolgate, serve } = await createTestOperator(context, {
    ...createFrontEnvironment(behind),
    DATABASE_URL: undefined,
  });
  assert.equal((await runPoolgate(['user', 'create', 'ada@example.com'])).exitCode, 0);
  const front = await serve();
  const { body } = await requestRoute(front, 'GET', '/admin/audit', { bearer: front.adminKey?.bearer });
  const [success, intent] = (body.events as { details: object; outcome: string; actor: { kind: string } }[]).slice(
    0,
    2,
  );
  assert.deepEqual(success?.details, { operation: 'AdminCreateUser', username: 'ada@example.com' });
  assert.deepEqual([intent?.outcome, success?.outcome, success?.actor.kind], ['intent', 'success', 'operator']);
});

for (const words of [
  ['keys', 'rotate'],
  ['messages', 'dead'],
  ['user', 'export'],
]) {
  test(`"${words.join(' ')}" reports that it needs the embedded pool`, async (context) => {
    const { runPoolgate } = await createTestOperator(context, createFrontEnvironment(await startPoolService(context)));
    const { exitCode, out, err } = await runPoolgate(words);
    assert.deepEqual([exitCode, out], [1, []]);
    assert.equal(err, 'poolgate: this command needs the embedded pool, but IDP_PROVIDER is cognito');
  });
}

test('an admin key of a development start prevents production from starting on its store', async (context) => {
  const behind = await startPoolService(context);
  const { runPoolgate, environment } = await createTestOperator(context, {
    ...createFrontEnvironment(behind),
    DATABASE_URL: undefined,
  });
  const made = await runPoolgate(['admin-key', 'create', 'ops', '--scope', 'users:read', '--json']);
  assert.equal(made.exitCode, 0, made.err);
  const { id } = JSON.parse(made.out.join('')) as { id: string };
  const production = { ...environment, NODE_ENV: 'production', POOLGATE_SECRET: SECRET };
  await assert.rejects(
    start({ environment: production }),
    (error) =>
      error instanceof StartError && error.code === 'store_refused' && error.message.includes(`admin key ${id}`),
  );
  assert.equal((await runPoolgate(['admin-key', 'revoke', id])).exitCode, 0);
  await (await start({ environment: production })).close();
});
