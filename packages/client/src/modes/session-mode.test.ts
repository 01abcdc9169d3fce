import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PoolgateError } from '../transport/poolgate-error.ts';
import { createSessionMode } from './session-mode.ts';

const USER = { sub: '1', username: 'ada' };
const change = { method: 'POST', path: '/user/profile', body: {}, asUser: true };

function setting() {
  const state = { changes: 0, fails: false };
  const asked: (string | undefined)[] = [];
  const mode = createSessionMode({
    prefix: '/cognito',
    async load(returnTo) {
      asked.push(returnTo);
      if (state.fails) throw new PoolgateError({ code: 'network_error' });
      const times = { expires_at: '2026-01-01T01:00:00.000Z', authenticated_at: '2026-01-01T00:00:00.000Z' };
      return {
        status: 'success',
        user: USER,
        proofs: [],
        return_to: null,
        ...times,
        csrf_token: `token-${asked.length}`,
      } as never;
    },
    onChange: () => {
      state.changes += 1;
    },
  });
  return { mode, state, asked };
}

async function readCsrfToken({ mode }: ReturnType<typeof setting>): Promise<string | undefined> {
  const { 'x-csrf-token': token, ...others } = await mode.headers(change);
  assert.deepEqual([typeof token, others], ['string', {}]);
  return token;
}

describe('a browser session', () => {
  it('sends a CSRF token with changes only, and fetches it once', async () => {
    const all = setting();
    assert.deepEqual(await all.mode.headers({ ...change, method: 'GET' }), {});
    assert.equal(all.asked.length, 0);
    assert.deepEqual(await Promise.all([readCsrfToken(all), readCsrfToken(all)]), ['token-1', 'token-1']);
    assert.deepEqual([await all.mode.prepare(), all.asked.length, all.mode.cookies], ['token-1', 1, 'same-origin']);
  });

  it('gets a new token with the session, and after a refusal for its token', async () => {
    const all = setting();
    await readCsrfToken(all);
    const { user, expiresAt, authenticatedAt, proofs, returnTo } = await all.mode.current('/here');
    assert.deepEqual([user, proofs, returnTo], [USER, [], null]);
    assert.deepEqual([expiresAt, authenticatedAt], ['2026-01-01T01:00:00.000Z', '2026-01-01T00:00:00.000Z']);
    assert.deepEqual([await readCsrfToken(all), all.asked], ['token-2', [undefined, '/here']]);
    const sent = { ...change, headers: {} };
    assert.equal(await all.mode.renew(new PoolgateError({ code: 'unauthenticated' }), sent), false);
    assert.equal(await readCsrfToken(all), 'token-2');
    assert.equal(await all.mode.renew(new PoolgateError({ code: 'csrf_failed' }), sent), true);
    assert.equal(await readCsrfToken(all), 'token-3');
    assert.equal(await all.mode.username(), 'ada');
  });

  it('takes the token of a new login, and drops the old one when it ends', async () => {
    const all = setting();
    await readCsrfToken(all);
    const accepted = await all.mode.accept({ status: 'success', user: USER, csrf_token: 'of the login' } as never);
    assert.equal(accepted, USER);
    assert.deepEqual([await readCsrfToken(all), all.state.changes], ['of the login', 1]);
    await all.mode.setDevice('key');
    await all.mode.drop();
    assert.deepEqual([await readCsrfToken(all), all.state.changes], ['token-2', 2]);
    await assert.rejects(all.mode.accept({ access_token: 'x' } as never), { code: 'unexpected_answer' });
  });

  it('is fetched again if it could not be reached', async () => {
    const all = setting();
    all.state.fails = true;
    await assert.rejects(readCsrfToken(all), { code: 'network_error' });
    all.state.fails = false;
    assert.equal(await readCsrfToken(all), 'token-2');
  });
});
