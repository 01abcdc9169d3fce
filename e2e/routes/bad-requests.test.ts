import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { ERRORS } from '@poolgate/contract';
import { type Service, start } from 'poolgate';
import { type BadRequest, badRequests } from '../support/bad-requests.ts';

const COUNT = 600;
const SEED = 20_261_120;

let service: Service;
before(async () => {
  service = await start({ databaseUrl: 'sqlite::memory:', port: 0, limitReads: 0, limitLoginSteps: 0 });
});
after(() => service.close());

interface Received {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** `fetch` sends no body with GET and no Host of one's own. */
function send({ method, path, headers, body }: BadRequest): Promise<Received> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(new URL(service.url), { method, path, headers: { ...headers, ...length } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const type = String(answer.headers['content-type'] ?? '');
        resolve({ status: answer.statusCode ?? 0, type, text: Buffer.concat(parts).toString() });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test(`${COUNT} generated bad requests find no status of 500 and above, and errors are always problem+json`, async () => {
  const statuses = new Set<number>();
  for (const bad of badRequests(SEED).take(COUNT)) {
    const { status, type, text } = await send(bad);
    const described = `${bad.fault}: ${bad.method} ${bad.path.slice(0, 80)} (seed ${SEED})`;
    assert.ok(status < 500, `${status} for ${described}`);
    statuses.add(status);
    if (status < 400 || text === '') continue;
    assert.match(type, /^application\/problem\+json/, described);
    const problem = JSON.parse(text) as { code: keyof typeof ERRORS; status: number };
    assert.equal(problem.status, status, described);
    assert.equal(ERRORS[problem.code].status, status, described);
  }
  for (const expected of [400, 401, 404, 405, 413, 415, 421, 422])
    assert.ok(statuses.has(expected), `${expected} was met`);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});
