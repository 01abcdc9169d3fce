import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createTestOperator } from './commands/testing/test-operator.ts';
import { type StartOptions, start } from './index.ts';

async function startsOn(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-issuer-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const shared = { databaseUrl: `sqlite:${join(folder, 'pool.db')}`, dataDir: folder, port: 0 };
  /** Starts and stops, and returns the issuer in discovery and the warnings about it. */
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
      warnings: lines.filter((line) => /The issuer of the pool changed/.test(line)),
    };
  };
}

test('the issuer can be the base URL and the pool, also if the system chooses the port', async (t) => {
  const run = await startsOn(t);
  const { issuer, baseUrl, userPoolId } = await run({ issuer: 'base-url' });
  assert.equal(issuer, `${baseUrl}/${userPoolId}`);
});

test('a start warns only when the issuer of an existing pool changes', async (t) => {
  const run = await startsOn(t);
  assert.deepEqual((await run({})).warnings, []);
  const baseUrl = 'http://localhost:4999';
  const changed = await run({ issuer: 'base-url', baseUrl });
  assert.equal(changed.issuer, `${baseUrl}/${changed.userPoolId}`);
  assert.equal(changed.warnings.length, 1);
  assert.deepEqual((await run({ issuer: 'base-url', baseUrl })).warnings, []);
  assert.deepEqual((await run({})).warnings, [], 'what is not said stays');
});

test('creating a client with a callback, the start and doctor report if discovery needs another issuer', async (t) => {
  const operator = await createTestOperator(t, { PORT: '4998' });
  const { environment, runPoolgate } = operator;
  const said =
    /^Tokens have the issuer https:\/\/cognito-idp\.\S+ OpenID clients that use discovery .* IDP_ISSUER=base-url/;
  const startAndStop = async (more: StartOptions = {}) => {
    const lines: string[] = [];
    const logStream = { write: (line: string) => void lines.push(line) };
    await (await start({ environment: { ...environment, PORT: '0' }, ...more, logStream })).close();
    return lines.map((line) => (JSON.parse(line) as { msg: string }).msg).filter((line) => said.test(line));
  };
  const askDoctor = async () => (await runPoolgate(['doctor'])).out.join('\n');
  assert.equal((await runPoolgate(['client', 'create', 'job'])).err, '');
  assert.deepEqual(await startAndStop(), [], 'no user comes back to it');
  assert.doesNotMatch(await askDoctor(), /use discovery/);
  const made = await runPoolgate(['client', 'create', 'shop', '--callback', 'http://localhost:8080/callback']);
  assert.match(made.err, said);
  assert.equal((await startAndStop()).length, 1);
  assert.match(await askDoctor(), /OpenID clients that use discovery expect http:\/\/localhost:4998\//);
  assert.deepEqual(await startAndStop({ issuer: 'base-url' }), []);
});
