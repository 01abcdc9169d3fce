import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import type { Service } from 'poolgate';
import { startTestPool } from './pool.ts';

const USER = { email: 'ada@example.com', password: 'Correct-Horse1!' };
const HOUR_MS = 3_600_000;

describe('an account', () => {
  let service: Service;
  before(async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    service = await startTestPool();
  });
  after(async () => {
    await service.close();
    mock.timers.reset();
  });

  async function ask(path: string, body?: unknown, accessToken?: string) {
    const answer = await fetch(`${service.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, string>> };
  }
  const logIn = (password = USER.password) => ask('/login', { username: USER.email, password });

  it('is confirmed with the emailed code', async () => {
    const { session } = (await ask('/register', USER)).body;
    assert.equal((await logIn()).body.code, 'invalid_credentials');
    const [message] = service.outbox?.list(USER.email) ?? [];
    const confirmation = { email: USER.email, code: message?.code, session };
    assert.equal((await ask('/register/verify', confirmation)).status, 200);
    assert.equal((await logIn()).status, 200);
  });

  it('stays signed in with its refresh token after the access token has expired', async () => {
    const { access_token: accessToken, refresh_token: refreshToken } = (await logIn()).body;
    assert.equal((await ask('/user/profile', undefined, accessToken)).status, 200);
    mock.timers.setTime(Date.now() + HOUR_MS + 1_000);
    assert.equal((await ask('/user/profile', undefined, accessToken)).status, 401);
    const refreshed = await ask('/token/refresh', { refresh_token: refreshToken });
    assert.equal((await ask('/user/profile', undefined, refreshed.body.access_token)).status, 200);
  });

  it('is locked for a second after five wrong passwords', async () => {
    for (let i = 0; i < 5; i++) assert.equal((await logIn('Wrong-Horse1!')).status, 401);
    assert.notEqual((await logIn()).status, 200);
    mock.timers.setTime(Date.now() + 1_001);
    assert.equal((await logIn()).status, 200);
  });
});
