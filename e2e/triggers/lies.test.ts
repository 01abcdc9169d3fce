import assert from 'node:assert/strict';
import { test } from 'node:test';
import { triggerLies } from '../proofs/trigger-lies.ts';
import { assertProblem, PASSWORD } from '../support/services/test-service.ts';
import { startTriggeredService, triggerArn } from '../support/triggers/triggered-service.ts';

test('a function that lies in a hundred ways is answered for by its own errors, and by none of ours', async () => {
  const { statuses, faults } = await triggerLies(19, 100, console.log);
  assert.deepEqual(faults, []);
  assert.ok((statuses[200] ?? 0) > 0, 'some lies change nothing');
  assert.ok((statuses[502] ?? 0) > 20, 'most lies are seen');
});

test('a function that never answers makes nobody wait who does not need it', async (t) => {
  const arns = { PreSignUp: triggerArn('never') };
  let called = 0;
  const service = await startTriggeredService(arns, {
    triggers: {
      [arns.PreSignUp]: () => {
        called += 1;
        return new Promise(() => {});
      },
    },
    // A hundred times as fast, so that nobody waits here either.
    timer: {
      after(delayMs, run) {
        const handle = setTimeout(run, delayMs / 100);
        return () => clearTimeout(handle);
      },
    },
  });
  t.after(() => service.close());
  const hanging = Array.from({ length: 60 }, (_, at) =>
    service.post('/register', { email: `${at}@example.com`, password: PASSWORD }),
  );
  const login = await service.post('/login', { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' });
  assert.equal(login.status, 200, login.text);
  for (const answer of await Promise.all(hanging)) {
    assertProblem(answer, answer.status, answer.status === 504 ? 'timeout' : 'provider_error');
  }
  // 32 at a time, and one more in place of each of the first four that failed; then the function rests.
  assert.ok(called >= 5 && called <= 36, String(called));
  assertProblem(
    await service.post('/register', { email: 'late@example.com', password: PASSWORD }),
    502,
    'provider_error',
  );
});
