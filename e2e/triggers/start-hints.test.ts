import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { createSrpStart } from '../support/routes/route-srp.ts';
import { addUser } from '../support/services/test-service.ts';
import { formatTriggerArn, setLambdaConfig, startTriggeredService } from '../support/triggers/triggered-service.ts';

it('the log names each unmapped function, and reports once that SRP migrates no users', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-hints-'));
  const databaseUrl = `sqlite:${join(folder, 'pool.db')}`;
  const secrets = ['the-secret-of-this-test-0123456789-abcdef'];
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const LambdaConfig = {
    PreSignUp: formatTriggerArn('unmapped'),
    CustomMessage: formatTriggerArn('words'),
    UserMigration: formatTriggerArn('migrate'),
  };
  const triggers = { [formatTriggerArn('migrate')]: () => Promise.reject(new Error('nobody')) };
  const service = await startTriggeredService({}, { databaseUrl, dataDir: folder, secrets, logStream, triggers });
  await addUser(service, 'ada@example.com');
  await setLambdaConfig(service, LambdaConfig);
  for (const username of ['ada@example.com', 'nobody@example.com']) {
    const { status, text } = await service.post('/login/srp', { username, srp_a: createSrpStart().srpAHex });
    assert.equal(status, 200, text);
  }
  const forgot = await service.post('/password/forgot', { username: 'ada@example.com' });
  assert.equal(forgot.status, 200, forgot.text);
  const mail = service.outbox?.list('ada@example.com').at(0);
  assert.match(mail?.text ?? '', /\d{8}/, 'in development the default text is sent');
  const checks = (await service.get('/readyz')).body.checks as Readonly<Record<string, string>>;
  assert.equal(checks.triggers, 'failing', 'sign-ups need theirs');
  await service.close();
  const again = await service.replica();
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const hints = logged.filter(({ hint }) => hint === 'srp_without_migration');
  assert.equal(hints.length, 1);
  assert.doesNotMatch(JSON.stringify(hints), /example\.com/);
  const unmapped = logged.filter(({ msg, arn }) => arn !== undefined && /POOLGATE_TRIGGER_MAP/.test(String(msg)));
  const createLine = (name: 'PreSignUp' | 'CustomMessage') => [40, LambdaConfig[name], service.userPoolId, [name]];
  assert.deepEqual(
    unmapped.map(({ level, arn, pool, triggers: names }) => [level, arn, pool, names]),
    // When the pool was changed, and at the next start.
    [...['PreSignUp', 'CustomMessage'], ...['PreSignUp', 'CustomMessage']].map((name) =>
      createLine(name as 'PreSignUp'),
    ),
  );
  for (const { msg } of unmapped) assert.match(String(msg), /not mapped/);
  await again.close();
  await rm(folder, { recursive: true });
});
