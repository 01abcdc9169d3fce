import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestDeps } from '../testing/gateway-deps.ts';
import { createServer } from './server.ts';

type Headers = Readonly<Record<string, string>>;

const outbox = { list: () => [] };
const fetchStatus = async (headers: Headers, more: { devToken?: string } = {}) => {
  const app = await createServer({ ...createTestDeps({ outbox }), ...more });
  const answer = await app.inject({ url: '/dev/outbox', headers });
  await app.close();
  return [answer.statusCode, answer.headers['www-authenticate']] as const;
};

describe('pages for a developer at this machine', () => {
  it('are shown to a request directly from this machine', async () => {
    for (const host of ['localhost', 'localhost:3000', '127.0.0.1:80', '[::1]:3000']) {
      assert.equal((await fetchStatus({ host }))[0], 200, host);
    }
  });

  it('are not shown through a proxy or tunnel, or under another name', async () => {
    for (const name of [
      'forwarded',
      'via',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-original-host',
      'x-envoy-external-address',
      'x-real-ip',
      'x-client-ip',
      'x-cluster-client-ip',
      'true-client-ip',
      'fastly-client-ip',
      'cf-connecting-ip',
      'tailscale-user-login',
      'ngrok-trace-id',
    ]) {
      assert.equal((await fetchStatus({ host: 'localhost', [name]: 'x' }))[0], 403, name);
    }
    assert.equal((await fetchStatus({ host: 'localhost', 'x-request-id': 'x' }))[0], 200);
  });

  it('are shown for a token if others can reach the service, and for nothing else', async () => {
    const devToken = 'the-token-of-the-start';
    const status = async (authorization?: string) =>
      (await fetchStatus({ host: 'localhost', ...(authorization && { authorization }) }, { devToken }))[0];
    assert.equal(await status(`Bearer ${devToken}`), 200);
    assert.equal(await status(), 401);
    for (const wrong of ['Bearer x', `Bearer ${devToken}x`, `Basic ${btoa(`a:${devToken}`)}`, devToken]) {
      assert.equal(await status(wrong), 401, wrong);
    }
  });

  it('ask a browser for the token as a password', async () => {
    const devToken = 'the-token-of-the-start';
    const app = await createServer({ ...createTestDeps({ outbox }), devToken });
    const ask = (authorization?: string) =>
      app.inject({ url: '/dev/mail', headers: { accept: 'text/html', ...(authorization && { authorization }) } });
    const asked = await ask();
    const challenge = 'Basic realm="Poolgate development"';
    assert.deepEqual([asked.statusCode, asked.headers['www-authenticate']], [401, challenge]);
    assert.equal((await ask(`Basic ${btoa(`anybody:${devToken}`)}`)).statusCode, 200);
    assert.equal((await ask(`basic ${btoa(`:${devToken}`)}`)).statusCode, 200);
    assert.equal((await ask(`Basic ${btoa(`${devToken}:x`)}`)).statusCode, 401);
    await app.close();
  });
});
