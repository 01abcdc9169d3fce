import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type CallContext, ProviderError } from '@poolgate/provider';
import type { TokensBody } from '../challenges/present-login-step.ts';
import type { WebSessionRecord } from '../records/index.ts';
import { createAccessToken, TOKEN_KEY } from '../testing/access-token.ts';
import {
  createGuardRecords,
  createMovableClock,
  createTestProvider,
  createTestRuntime,
  START_MS,
} from '../testing/gateway-deps.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import { Browser } from './browser.ts';
import { openSession } from './open-session.ts';
import { stepUp } from './step-up.ts';

const CALL: CallContext = { requestId: 'test', sourceAddress: '127.0.0.1' };
const DAY_SECONDS = 86_400;

it('a session lasts as configured, idle and in total, or has one end if the user stays signed in', async () => {
  const tokens = { access_token: createAccessToken('ada'), id_token: 'i', refresh_token: 'r' } as TokensBody;
  const rows: readonly (readonly [stays: boolean, staySeconds: number, idle: number, most: number, age: string])[] = [
    [false, DAY_SECONDS, 60, 90, ''],
    [false, 0, 60, 90, ''],
    [true, 0, 60, 90, ''],
    [true, 1, 1, 1, '; Max-Age=1'],
    [true, DAY_SECONDS, DAY_SECONDS, DAY_SECONDS, '; Max-Age=86400'],
  ];
  for (const [staysSignedIn, staySeconds, idle, most, age] of rows) {
    const base = createGuardRecords();
    const kept: WebSessionRecord[] = [];
    const insert = async (session: WebSessionRecord) => void kept.push(session);
    const records = { ...base, webSessions: { ...base.webSessions, insert } };
    const given = { records, clock: createMovableClock(), provider: createTestProvider(() => [TOKEN_KEY]) };
    const browserSessions = { idleSeconds: 60, longestSeconds: 90, staySeconds };
    const runtime = createTestRuntime(given, { browserSessions });
    const browser = new Browser(runtime, {}, false);
    const { record } = await openSession(runtime, browser, { tokens, proofs: [], staysSignedIn }, CALL);
    assert.deepEqual(kept, [record]);
    const ends = [record.expiresAtMs, record.endsAtMs, record.tokensExpireAtMs].map((endMs) => endMs - START_MS);
    assert.deepEqual(ends, [idle * 1000, most * 1000, 3_600_000]);
    assert.equal(record.staysSignedIn, age !== '');
    assert.match(browser.setCookies.join(), new RegExp(`^__Host-poolgate=[\\w-]{43}; .*SameSite=Lax${age}$`));
  }
});

it('a session is proven again with the device that its page names, if any', async () => {
  const named: unknown[] = [];
  const provider = createTestProvider(() => [], {
    async initiateAuth({ AuthParameters }) {
      named.push(AuthParameters);
      throw new ProviderError('NotAuthorizedException', 'no');
    },
  });
  const runtime = createTestRuntime({ provider, clock: createMovableClock() }, { loginFlow: 'password' });
  const browser = new Browser(runtime, {}, false);
  browser.session = { caller: { username: 'ada' } } as WebSession;
  const prove = (more: object) =>
    stepUp(runtime, { browser, body: { password: 'p', ...more }, call: CALL } as Parameters<typeof stepUp>[1]);
  await assert.rejects(prove({}), { code: 'NotAuthorizedException' });
  assert.deepEqual(named, [{ USERNAME: 'ada', PASSWORD: 'p' }]);
  await assert.rejects(prove({ device_key: 'phone' }), { code: 'NotAuthorizedException' });
  assert.deepEqual(named[1], { USERNAME: 'ada', PASSWORD: 'p', DEVICE_KEY: 'phone' });
});
