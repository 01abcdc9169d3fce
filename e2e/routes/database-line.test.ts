import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTestDatabase } from '@poolgate/store/testing';
import { failLine } from '../proofs/network-faults.ts';
import { startTcpProxy } from '../support/services/tcp-proxy.ts';
import { startTestService } from '../support/services/test-service.ts';

it('requests get 503 while the connection to PostgreSQL is cut, stalls or trickles; none hangs, and acknowledged writes are kept', async (t) => {
  const database = await createTestDatabase();
  const url = new URL(database.url);
  const line = await startTcpProxy(Number(url.port));
  url.port = String(line.port);
  // Shorter times than those of a service, so that a test can wait for them, but long enough for a busy machine.
  for (const limit of ['statement_timeout', 'lock_timeout', 'query_timeout', 'connection_timeout'])
    url.searchParams.set(limit, '5000');
  const service = await startTestService({ databaseUrl: url.href });
  t.after(async () => {
    await service.close();
    await line.close();
    await database.drop();
  });
  const { created, refused, faults } = await failLine(service, line, { rounds: 1, faultMs: 500 });
  assert.deepEqual(faults, []);
  assert.ok(created > 0 && refused > 0, `${created} created, ${refused} refused`);
});
