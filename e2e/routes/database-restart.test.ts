import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startPostgresPair } from '@poolgate/store/testing';
import { startKeptClients } from '../support/kept-clients.ts';
import { startTestService } from '../support/test-service.ts';

const LOGIN = { method: 'POST', path: '/login', body: { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' } };
const RECOVERY_MS = 10_000;

it('while PostgreSQL is restarted under load requests are answered 503 and nothing else, and then all are served again', async () => {
  const pair = await startPostgresPair();
  const service = await startTestService({ databaseUrl: pair.primaryUrl });
  const isReady = async (): Promise<boolean> => (await service.get('/readyz')).status === 200;
  const clients = startKeptClients(service.url, 4, () => LOGIN);
  try {
    await clients.warm;
    await pair.stopPrimary();
    while (await isReady());
    await pair.startPrimary();
    const startedMs = performance.now();
    while (!(await isReady())) assert.ok(performance.now() - startedMs < RECOVERY_MS, 'it does not come back');
  } finally {
    const { answered, others, lost } = await clients.stop();
    const unexpected = others.filter((answer) => !/^503 .*"code":"unavailable"/.test(answer));
    assert.deepEqual([...lost, ...unexpected], []);
    assert.ok(answered > 0 && others.length > 0, `${answered} answered, ${others.length} refused`);
    assert.equal((await service.ask(LOGIN.method, LOGIN.path, { body: LOGIN.body })).status, 200);
    await service.close();
    await pair.stop();
  }
});
