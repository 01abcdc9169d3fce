import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startPostgresPair } from '@poolgate/store/testing';
import { acknowledgeAtBoth, failOver } from '../proofs/fail-overs.ts';
import { startTestService } from '../support/services/test-service.ts';

it('a fail-over from one cluster to another under load is answered by 503 and nothing else, keeps what was acknowledged, and writes nothing to the old one', async (t) => {
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
