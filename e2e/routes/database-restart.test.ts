import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startPostgresPair } from '@poolgate/store/testing';
import { restartPostgres } from '../proofs/postgres-restarts.ts';
import { startTestService } from '../support/services/test-service.ts';

/** A busy machine needs longer to serve again than the proof allows. */
const RECOVERY_MS = 10_000;

it('requests get only 503 while PostgreSQL restarts or crashes under load, and acknowledged writes are kept', async (t) => {
  const pair = await startPostgresPair({ synchronous_commit: 'local' });
  t.after(() => pair.stop());
  const service = await startTestService({ databaseUrl: pair.primaryUrl });
  t.after(() => service.close());
  const parts = { service, asAdmin: service.asAdmin, pair };
  const { answered, refused, created, recoveriesMs, faults } = await restartPostgres(parts, { rounds: 2, clients: 4 });
  assert.deepEqual(faults, []);
  assert.ok(answered > 0 && refused > 0 && created > 0, `${answered} answered, ${refused} refused, ${created} created`);
  assert.ok(Math.max(...recoveriesMs) < RECOVERY_MS, recoveriesMs.join());
});
