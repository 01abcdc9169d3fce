import assert from 'node:assert/strict';
import { it } from 'node:test';
import { logInAtRate } from '../proofs/overload.ts';
import { startTestService } from '../support/services/test-service.ts';

const PATIENCE_MS = 30_000;
const BODY = { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' };

it('when logins arrive too fast, some succeed and the others get 503 with Retry-After, and the health check reports it', async (t) => {
  // Each round may bring several logins, so that any machine gets overloaded.
  const service = await startTestService({ overloadMs: 16, threads: 1 });
  t.after(() => service.close());
  const rate = { url: service.url, bodies: [BODY], perSecond: 400, seconds: 1, mostOpen: 100 };
  const end = Date.now() + PATIENCE_MS;
  // On a busy machine, a whole second may bring only refusals.
  const seen = { answered: 0, refused: 0, looks: 0 };
  while (Object.values(seen).includes(0)) {
    assert.ok(Date.now() < end, JSON.stringify(seen));
    const { goodMs, healthMs, refused, faults } = await logInAtRate(rate);
    assert.deepEqual(faults, []);
    seen.answered += goodMs.length;
    seen.refused += refused;
    seen.looks += healthMs.length;
  }
  while ((await service.post('/login', BODY)).status !== 200)
    assert.ok(Date.now() < end, 'it serves nobody afterwards');
});
