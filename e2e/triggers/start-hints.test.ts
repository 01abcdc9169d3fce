import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { newStart } from '../support/routes/route-srp.ts';
import { addUser } from '../support/services/test-service.ts';
import { setLambdaConfig, startTriggeredService, triggerArn } from '../support/triggers/triggered-service.ts';

it('the log names each function that nobody mapped, and says once that SRP brings nobody over', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-hints-'));
  const databaseUrl = `sqlite:${join(folder, 'pool.db')}`;
  const secrets = ['the-secret-of-this-test-0123456789-abcdef'];
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const LambdaConfig = { PreSignUp: triggerArn('unmapped'), UserMigration: triggerArn('migrate') };
  const triggers = { [triggerArn('migrate')]: () => Promise.reject(new Error('nobody')) };
  const service = await startTriggeredService({}, { databaseUrl, dataDir: folder, secrets, logStream, triggers });
  await addUser(service, 'ada@example.com');
  await setLambdaConfig(service, LambdaConfig);
  for (const username of ['ada@example.com', 'nobody@example.com']) {
    const { status, text } = await service.post('/login/srp', { username, srp_a: newStart().srpAHex });
    assert.equal(status, 200, text);
  }
  await service.close();
  const again = await service.replica();
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const hints = logged.filter(({ hint }) => hint === 'srp_without_migration');
  assert.equal(hints.length, 1);
  assert.doesNotMatch(JSON.stringify(hints), /example\.com/);
  const unmapped = logged.filter(({ msg }) => /POOLGATE_TRIGGER_MAP/.test(String(msg)));
  assert.deepEqual(
    unmapped.map(({ level, arn, triggers: names }) => [level, arn, names]),
    [[40, LambdaConfig.PreSignUp, ['PreSignUp']]],
  );
  await again.close();
  await rm(folder, { recursive: true });
});
