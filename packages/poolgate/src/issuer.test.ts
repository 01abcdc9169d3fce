import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type StartOptions, start } from './index.ts';

async function startsOn(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-issuer-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const shared = { databaseUrl: `sqlite:${join(folder, 'pool.db')}`, dataDir: folder, port: 0 };
  /** Starts and stops: the issuer that discovery names, and the warnings about it. */
  return async (options: StartOptions) => {
    const lines: string[] = [];
    const logStream = { write: (line: string) => void lines.push(line) };
    const service = await start({ ...shared, ...options, logStream });
    const path = `${service.userPoolId}/.well-known/openid-configuration`;
    const { issuer } = (await (await fetch(`${service.url}/${path}`)).json()) as { issuer: string };
    await service.close();
    const { baseUrl, userPoolId } = service;
    return {
      issuer,
      baseUrl,
      userPoolId,
      warnings: lines.filter((line) => /issuer of the pool has changed/.test(line)),
    };
  };
}

test('the issuer can be the base URL and the pool, also where the system chooses the port', async (t) => {
  const run = await startsOn(t);
  const { issuer, baseUrl, userPoolId } = await run({ issuer: 'base-url' });
  assert.equal(issuer, `${baseUrl}/${userPoolId}`);
});

test('a start warns when the issuer of a pool that exists changes, and at no other', async (t) => {
  const run = await startsOn(t);
  assert.deepEqual((await run({})).warnings, []);
  const baseUrl = 'http://localhost:4999';
  const changed = await run({ issuer: 'base-url', baseUrl });
  assert.equal(changed.issuer, `${baseUrl}/${changed.userPoolId}`);
  assert.equal(changed.warnings.length, 1);
  assert.deepEqual((await run({ issuer: 'base-url', baseUrl })).warnings, []);
  assert.deepEqual((await run({})).warnings, [], 'what is not said stays');
});
