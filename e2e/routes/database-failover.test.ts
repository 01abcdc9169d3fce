import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startPostgresPair } from '@poolgate/store/testing';
import { acknowledgeAtBoth, failOver } from '../proofs/fail-overs.ts';
import { startTestService } from '../support/services/test-service.ts';

it('a failover between clusters under load only causes 503, keeps every acknowledged write and writes nothing to the old cluster', async (t) => {
  const pair = await startPostgresPair({ synchronous_commit: 'on' });
  await acknowledgeAtBoth(pair);
  const one = await startTestService({ databaseUrl: pair.url });
  const other = await one.replica();
  t.after(async () => {
    await other.close();
    await one.close();
    await pair.stop();
  });
  const { asAdmin } = one;
  const figure = await failOver({ services: [one, other], asAdmin, pair }, { clients: 2, how: 'immediate' });
  assert.deepEqual(figure.faults, []);
  assert.ok(figure.answered > 0 && figure.created > 0, JSON.stringify(figure));
});
