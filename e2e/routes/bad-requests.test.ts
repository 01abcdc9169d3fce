import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ERRORS } from '@poolgate/contract';
import { type Service, start } from 'poolgate';
import { sendBadRequest } from '../proofs/bad-requests.ts';
import { badRequests } from '../support/bad-requests.ts';

const COUNT = 600;
const SEED = 20_261_120;

let service: Service;
before(async () => {
  service = await start({ databaseUrl: 'sqlite::memory:', port: 0, limitReads: 0, limitLoginSteps: 0 });
});
after(() => service.close());

test(`${COUNT} generated bad requests find no status of 500 and above, and errors are always problem+json`, async () => {
  const statuses = new Set<number>();
  for (const bad of badRequests(SEED).take(COUNT)) {
    const { status, contentType, text } = await sendBadRequest(service.url, bad);
    const described = `${bad.fault}: ${bad.method} ${bad.path.slice(0, 80)} (seed ${SEED})`;
    assert.ok(status > 0 && status < 500, `${status} for ${described}`);
    statuses.add(status);
    if (status < 400 || text === '') continue;
    assert.match(contentType, /^application\/problem\+json/, described);
    const problem = JSON.parse(text) as { code: keyof typeof ERRORS; status: number };
    assert.equal(problem.status, status, described);
    assert.equal(ERRORS[problem.code].status, status, described);
  }
  for (const expected of [400, 401, 404, 405, 413, 415, 421, 422])
    assert.ok(statuses.has(expected), `${expected} was met`);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});
