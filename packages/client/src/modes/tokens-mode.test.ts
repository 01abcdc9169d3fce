import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import type { TokensResponse } from '../transport/login-responses.ts';
import { PoolgateError } from '../transport/poolgate-error.ts';
import { createTabExclusiveRunner } from './exclusive-runner.ts';
import { decodeClaims } from './token-claims.ts';
import { createTokensMode, memoryStorage, type TokenStorage, type Tokens } from './tokens-mode.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 1);
const encoded = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url');
const token = (jti: string) => `e30.${encoded({ username: 'ada', jti })}.c2ln`;
const idToken = (jti: string) => `e30.${encoded({ sub: 'sub-1', jti })}.c2ln`;

function answer(jti: string): TokensResponse {
  const tokens = { access_token: token(jti), id_token: idToken(jti), refresh_token: `refresh-${jti}`, expires_in: 300 };
  return { status: 'success', token_type: 'Bearer', ...tokens } as unknown as TokensResponse;
}

const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A string storage like a browser's, but slow. */
function slowStorage() {
  let text = 'null';
  const state = { fails: false };
  const kept = (): Tokens | null => JSON.parse(text);
  const storage: TokenStorage = {
    async read() {
      await aTurn();
      return kept();
    },
    async write(tokens) {
      const next = JSON.stringify(tokens);
      for (let turns = 0; turns < 4; turns += 1) await aTurn();
      if (state.fails) throw new RangeError('full');
      text = next;
    },
  };
  return { storage, kept, state };
}

/** A mode whose service returns tokens until it is told otherwise. */
function setting({ storage, kept, state: disk } = slowStorage(), alone = createTabExclusiveRunner('test')) {
  const state = { nowMs: START_MS, changes: 0, refuse: undefined as Error | undefined };
  const seen: (Tokens | null)[] = [];
  const asked: object[] = [];
  const mode = createTokensMode({
    prefix: '/api/cognito',
    storage,
    now: () => state.nowMs,
    lock: alone,
    async refresh(body) {
      asked.push(body);
      const number = asked.length;
      await aTurn();
      if (state.refuse !== undefined) throw state.refuse;
      return answer(`refreshed-${number}`);
    },
    onChange: () => {
      state.changes += 1;
      seen.push(kept());
    },
  });
  return { mode, state, asked, kept, disk, seen };
}

const asUser = { method: 'GET', path: '/user/profile', body: undefined, asUser: true };

describe('the tokens of a login', () => {
  it('are stored where the program wants them, with their username, until they are dropped', async () => {
    const { mode, state, kept: stored, seen } = setting();
    assert.deepEqual([await mode.current(), await mode.username(), mode.cookies], [null, null, 'omit']);
    assert.equal((await mode.accept(answer('first'))).username, 'ada');
    const kept: Tokens = {
      accessToken: token('first'),
      idToken: idToken('first'),
      refreshToken: 'refresh-first',
      expiresAtMs: START_MS + 5 * MINUTE_MS,
    };
    assert.deepEqual([stored(), await mode.current()], [kept, kept]);
    assert.deepEqual([await mode.username(), state.changes], ['ada', 1]);
    await mode.drop();
    assert.deepEqual([stored(), state.changes], [null, 2]);
    assert.deepEqual(seen, [kept, null], 'whoever is told finds what is new');
  });

  it('are sent with requests for the user, who must be signed in', async () => {
    const { mode } = setting();
    await assert.rejects(mode.headers(asUser), { code: 'unauthenticated', status: 401 });
    assert.deepEqual(await mode.headers({ ...asUser, asUser: false }), {});
    await mode.accept(answer('first'));
    assert.deepEqual(await mode.headers(asUser), { authorization: `Bearer ${token('first')}` });
    assert.deepEqual(await mode.headers({ ...asUser, asUser: false }), {});
  });

  it('are refreshed a minute before they expire, once for all callers', async () => {
    const { mode, state, asked, kept } = setting();
    await mode.accept(answer('first'));
    state.nowMs += 4 * MINUTE_MS - 1;
    assert.equal((await mode.current())?.accessToken, token('first'));
    state.nowMs += 1;
    const all = await Promise.all([mode.current(), mode.current(), mode.headers(asUser)]);
    assert.deepEqual(asked, [{ refresh_token: 'refresh-first' }]);
    assert.deepEqual(
      [all[0]?.accessToken, all[1]?.accessToken, all[2].authorization],
      [token('refreshed-1'), token('refreshed-1'), `Bearer ${token('refreshed-1')}`],
    );
    assert.equal(all[0]?.expiresAtMs, state.nowMs + 5 * MINUTE_MS);
    assert.deepEqual(kept(), all[0]);
    assert.equal(state.changes, 2);
  });

  it('name their device at a refresh, before and after it', async () => {
    const { mode, state, asked, kept } = setting();
    await mode.setDevice('key');
    assert.deepEqual([await mode.current(), kept(), state.changes], [null, null, 0]);
    await mode.accept(answer('first'));
    await mode.setDevice('key');
    assert.deepEqual([kept()?.deviceKey, kept()?.idToken, state.changes], ['key', idToken('first'), 1]);
    state.nowMs += 5 * MINUTE_MS;
    assert.equal((await mode.current())?.deviceKey, 'key');
    state.nowMs += 5 * MINUTE_MS;
    await mode.current();
    assert.deepEqual(asked, [
      { refresh_token: 'refresh-first', device_key: 'key' },
      { refresh_token: 'refresh-refreshed-1', device_key: 'key' },
    ]);
  });

  it('are deleted when the login has ended, and kept if the service could not be reached', async () => {
    const { mode, state, kept } = setting();
    await mode.accept(answer('first'));
    state.nowMs += 5 * MINUTE_MS;
    state.refuse = new PoolgateError({ code: 'network_error' });
    await assert.rejects(mode.current(), { code: 'network_error' });
    state.refuse = Object.assign(new RangeError('mine'), { code: 'invalid_grant' });
    await assert.rejects(mode.current(), RangeError, 'only the service ends a login');
    assert.equal(kept()?.accessToken, token('first'));
    state.refuse = new PoolgateError({ code: 'invalid_grant', status: 401 });
    assert.equal(await mode.current(), null);
    assert.deepEqual([kept(), state.changes], [null, 2]);
  });

  it('cannot be used before they are stored', async () => {
    const { mode, state, disk, seen } = setting();
    await mode.accept(answer('first'));
    state.nowMs += 5 * MINUTE_MS;
    disk.fails = true;
    for (const act of [() => mode.current(), () => mode.accept(answer('next')), () => mode.drop()]) {
      await assert.rejects(act, { name: 'RangeError', message: 'full' });
    }
    assert.equal(seen.length, 1);
  });

  it('are not refreshed after the login has ended in another tab', async () => {
    let othersFirst = async (): Promise<void> => undefined;
    const { mode, state, asked } = setting(slowStorage(), async (work) => {
      await othersFirst();
      return work();
    });
    await mode.accept(answer('first'));
    state.nowMs += 5 * MINUTE_MS;
    othersFirst = () => mode.drop();
    assert.equal(await mode.current(), null);
    assert.deepEqual([asked, state.changes], [[], 2]);
  });

  it('are worth a second try if the service no longer accepts the first ones', async () => {
    const { mode, state, asked } = setting();
    const refused = new PoolgateError({ code: 'unauthenticated', status: 401 });
    const sent = (name: string) => ({ ...asUser, headers: { authorization: `Bearer ${token(name)}` } });
    assert.equal(await mode.renew(refused, sent('first')), false, 'nobody is logged in');
    await mode.accept(answer('first'));
    assert.equal(await mode.renew(refused, { ...sent('first'), asUser: false }), false);
    assert.equal(await mode.renew(new PoolgateError({ code: 'forbidden', status: 403 }), sent('first')), false);
    assert.equal(asked.length, 0);
    assert.equal(await mode.renew(refused, sent('an older one')), true, 'another one has refreshed meanwhile');
    assert.equal(asked.length, 0);
    assert.equal(await mode.renew(refused, sent('first')), true);
    assert.equal(asked.length, 1);
    state.refuse = new PoolgateError({ code: 'invalid_grant', status: 401 });
    assert.equal(await mode.renew(refused, sent('refreshed-1')), false);
  });

  it('are not refreshed again after another tab has done so', async () => {
    const shared = slowStorage();
    const alone = createTabExclusiveRunner('shared');
    const [one, other] = [setting(shared, alone), setting(shared, alone)];
    await one.mode.accept(answer('first'));
    one.state.nowMs += 5 * MINUTE_MS;
    other.state.nowMs += 5 * MINUTE_MS;
    const [first, second] = await Promise.all([one.mode.current(), other.mode.current()]);
    assert.equal(first?.accessToken, second?.accessToken);
    assert.equal(one.asked.length + other.asked.length, 1);
  });

  it('stay in memory by default', async () => {
    const storage = memoryStorage();
    const tokens: Tokens = { accessToken: 'a', idToken: 'i', refreshToken: 'r', expiresAtMs: 5 };
    assert.equal(await storage.read(), null);
    await storage.write(tokens);
    assert.deepEqual(await storage.read(), tokens);
    await storage.write(null);
    assert.equal(await storage.read(), null);
  });

  it('differ from those of a browser session', async () => {
    const { mode } = setting();
    await assert.rejects(mode.accept({ user: {} } as never), { code: 'unexpected_answer' });
  });
});

describe('exclusive work', () => {
  const of = (browser: unknown, name: string) => {
    const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator') ?? {};
    Object.defineProperty(globalThis, 'navigator', { value: browser, configurable: true });
    try {
      return createTabExclusiveRunner(name);
    } finally {
      Object.defineProperty(globalThis, 'navigator', before);
    }
  };

  for (const [where, browser] of [
    ['here', globalThis.navigator],
    ['in a browser without locks', {}],
    ['where there is no browser', undefined],
  ] as const) {
    it(`waits for earlier work, even if that failed, ${where}`, async () => {
      const alone = of(browser, 'here');
      const log: string[] = [];
      const work =
        (name: string, fails = false) =>
        async () => {
          log.push(`${name} begins`);
          await new Promise(setImmediate);
          log.push(`${name} ends`);
          if (fails) throw new RangeError(name);
          return name;
        };
      const failing = alone(work('a', true));
      const following = alone(work('b'));
      await assert.rejects(failing, RangeError);
      assert.equal(await following, 'b');
      assert.deepEqual(log, ['a begins', 'a ends', 'b begins', 'b ends']);
    });
  }

  it("uses the browser's locks if they exist", async () => {
    const names: string[] = [];
    const request = (name: string, work: () => Promise<unknown>) => {
      names.push(name);
      return work();
    };
    assert.equal(await of({ locks: { request } }, 'mine')(async () => 5), 5);
    assert.deepEqual(names, ['mine']);
  });
});

describe('the claims of a token', () => {
  it('keep all characters', () => {
    const claims = { name: 'Zoë ☃ ÿþ>?~', sub: '1' };
    assert.deepEqual(decodeClaims(`e30.${encoded(claims)}.x`), claims);
    assert.throws(() => decodeClaims('no token'), SyntaxError);
  });
});
