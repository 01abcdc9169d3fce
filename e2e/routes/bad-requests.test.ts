import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Service, start } from 'poolgate';
import { sendBadRequests } from '../proofs/bad-requests.ts';

const COUNT = 600;
const SEED = 20_261_120;

let service: Service;
before(async () => {
  service = await start({
    databaseUrl: 'sqlite::memory:',
    port: 0,
    limitReads: 0,
    limitLoginSteps: 0,
    limitUserSteps: 0,
  });
});
after(() => service.close());

test(`${COUNT} generated bad requests never cause a 5xx status, and all errors are problem+json`, async () => {
  const { faults, statuses } = await sendBadRequests(service.url, SEED, COUNT);
  assert.deepEqual(faults, []);
  for (const expected of [400, 401, 404, 405, 413, 415, 421, 422]) assert.ok(statuses[expected], `${expected} was met`);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});
