import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { CallContext, ProviderError } from '@poolgate/provider';
import { createPoolPorts } from '../operations/pool-ports.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import type { EventRecord } from '../store/records.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { createCallFromNewAddress, openTestPool, openTestPoolOn, TEST_CALL } from '../testing/test-pool.ts';
import { readDailyUse } from './daily-budget.ts';
import { DEFAULT_MESSAGE_LIMITS, type MessageLimits } from './message-limits.ts';
import { consumeSendAllowance, exceedsPhoneNumberLimits, type SendLimitRequest } from './send-limits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function openLimits(databaseUrl: string, messageLimits?: MessageLimits) {
  const opened = await openTestEnvironment(databaseUrl);
  const { userPoolId } = await openTestPoolOn(opened);
  const ports = createPoolPorts(opened.options);
  const pool = await requirePool(ports, userPoolId);
  const ask = (
    send: Partial<SendLimitRequest> = {},
    call = createCallFromNewAddress(),
  ): Promise<ProviderError | undefined> => {
    const about = { pool, purpose: 'sign_up', username: 'ada', destination: 'ada@example.com' } as const;
    const whole = { ...about, nowMs: opened.clock.now(), ...send };
    const during = { ...ports, call, ...(messageLimits && { messageLimits }) };
    return opened.options.store.write((transaction) => consumeSendAllowance(during, transaction, whole));
  };
  /** Whether a message to this number would be discarded. */
  const isDiscarded = (destination: string, send: Partial<SendLimitRequest> = {}): Promise<boolean> => {
    const about = { pool, purpose: 'sign_up', username: 'ada', destination, nowMs: opened.clock.now() } as const;
    const during = { ...ports, ...(messageLimits && { messageLimits }) };
    return opened.options.store.write((transaction) =>
      exceedsPhoneNumberLimits(during, transaction, { ...about, ...send }),
    );
  };
  let users = 0;
  /** Requests messages to many new users. Returns how many were granted. */
  const many = async (
    times: number,
    send: Partial<SendLimitRequest>,
    from: () => CallContext = createCallFromNewAddress,
  ): Promise<number> => {
    let granted = 0;
    for (let at = 0; at < times; at += 1) {
      users += 1;
      const who = { username: `u${users}`, destination: `${users}@example.com` };
      if ((await ask({ ...who, ...send }, from())) === undefined) granted += 1;
    }
    return granted;
  };
  return { ...opened, pool, ask, many, isDiscarded };
}

it('a service sends as many messages as a hundred thousand users need, by default', () => {
  assert.deepEqual(DEFAULT_MESSAGE_LIMITS, { perDay: 50_000, smsPerCountryAndDay: 1_000, perSourceAndHour: 2 });
});

forEachDatabase((database) => {
  describe(`the message limit on ${database.name}`, () => {
    it('allows five at once for a user, then one every twelve minutes, and returns the wait', async () => {
      const { ask, clock, close } = await openLimits(await database.create());
      for (let minute = 0; minute < 5; minute += 1) {
        assert.equal(await ask({ destination: `${minute}@example.com` }), undefined);
        clock.advance(60_000);
      }
      const refusal = await ask({ destination: 'other@example.com' });
      assert.equal(refusal?.code, 'LimitExceededException');
      assert.equal(refusal?.retryAfterSeconds, 7 * 60);
      clock.advance(7 * 60_000 - 1);
      assert.equal((await ask({ destination: 'x@example.com' }))?.retryAfterSeconds, 1, 'rounded up');
      clock.advance(1);
      assert.equal(await ask({ destination: 'y@example.com' }), undefined, 'twelve minutes after the first');
      assert.equal((await ask({ destination: 'z@example.com' }))?.retryAfterSeconds, 12 * 60);
      await close();
    });

    it('makes no user wait longer than twelve minutes, for any number of requests', async () => {
      const { ask, clock, close } = await openLimits(await database.create());
      const started = clock.now();
      const waits = new Set<number>();
      let granted = 0;
      while (clock.now() - started < 6 * HOUR_MS) {
        const refusal = await ask();
        granted += refusal === undefined ? 1 : 0;
        waits.add(refusal?.retryAfterSeconds ?? 0);
        if (refusal) clock.advance(240_000);
      }
      assert.deepEqual(
        [...waits].toSorted((one, other) => one - other),
        [0, 240, 480, 720],
      );
      assert.equal(granted, 4 + 6 * 5, 'five an hour over time, and the ones at once');
      clock.advance(HOUR_MS);
      const afterwards = await Promise.all(Array.from({ length: 8 }, () => ask()));
      assert.equal(
        afterwards.filter((answer) => answer === undefined).length,
        5,
        'an hour of rest gives all five back',
      );
      await close();
    });

    it('allows five at once for an address, in any spelling and for any caller', async () => {
      const { ask, close } = await openLimits(await database.create());
      for (const [index, destination] of ['ada@example.com', 'ADA@example.com', 'Ada@Example.COM'].entries()) {
        assert.equal(await ask({ username: `u${index}`, destination }), undefined);
      }
      assert.equal(await ask({ username: 'u3' }), undefined);
      assert.equal(await ask({ username: 'u4' }), undefined);
      assert.equal((await ask({ username: 'u5', destination: 'aDa@example.com' }))?.retryAfterSeconds, 720);
      assert.equal(await ask({ username: 'u5', destination: 'bob@example.com' }), undefined);
      await close();
    });

    it('allows five of a hundred parallel requests', async () => {
      const { ask, close } = await openLimits(await database.create());
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask()));
      assert.equal(answers.filter((answer) => answer === undefined).length, 5);
      await close();
    });

    database.itOnSqlite('counts nothing for a refused request', async () => {
      const { ask, close } = await openLimits(await database.create());
      for (let user = 0; user < 5; user += 1) await ask({ username: `u${user}` });
      for (let times = 0; times < 10; times += 1) assert.notEqual(await ask({ username: 'bob' }), undefined);
      for (let times = 0; times < 5; times += 1) {
        assert.equal(await ask({ username: 'bob', destination: `bob${times}@example.com` }), undefined);
      }
      await close();
    });

    database.itOnSqlite('applies to a range of phone numbers, for all callers, without revealing it', async () => {
      const { isDiscarded, ask, clock, close } = await openLimits(await database.create());
      const to = (number: number, send?: Partial<SendLimitRequest>) =>
        isDiscarded(`+1555123${String(number).padStart(4, '0')}`, send);
      let sent = 0;
      for (let number = 0; number < 210; number += 1) if (!(await to(number))) sent += 1;
      assert.equal(sent, 200);
      assert.equal(await to(9_999), true);
      assert.equal(await ask({ username: 'x', destination: '+15551239999' }), undefined, 'it is answered as ever');
      assert.equal(await isDiscarded('+15551240000'), false, 'the next range');
      assert.equal(await to(9_999, { isDecoy: true }), false, 'an invented number spends nothing of real ones');
      const behind = { username: 'x', destination: '+15551239999', purpose: 'SMS_MFA' } as const;
      assert.equal(await ask(behind), undefined, 'behind a first factor');
      assert.equal(await to(9_999, { purpose: 'SMS_MFA' }), false, 'nothing is discarded there');
      const midnightMs = DAY_MS - (clock.now() % DAY_MS);
      clock.advance(midnightMs - 1);
      assert.equal(await to(5_000), true, 'the last moment of the day');
      clock.advance(1);
      assert.equal(await to(5_000), false, 'another day');
      await close();
    });

    database.itOnSqlite(
      'allows one source two per hour for a user and for an address, and still serves others',
      async () => {
        const { ask, clock, close } = await openLimits(await database.create());
        const attacker = createCallFromNewAddress();
        const nextEntryPoint = { ...attacker, sourceAddress: attacker.sourceAddress.replace('::1', '::2') };
        assert.equal(await ask({ destination: 'a@example.com' }, attacker), undefined);
        assert.equal(await ask({ destination: 'b@example.com' }, nextEntryPoint), undefined);
        assert.equal((await ask({ destination: 'c@example.com' }, attacker))?.retryAfterSeconds, 3_600);
        for (const username of ['u1', 'u2']) {
          assert.equal(await ask({ username, destination: 'bob@example.com' }, attacker), undefined);
        }
        assert.equal(
          (await ask({ username: 'u3', destination: 'BOB@example.com' }, nextEntryPoint))?.retryAfterSeconds,
          3_600,
        );
        assert.equal(await ask({ purpose: 'forgot_password' }, attacker), undefined, 'another purpose');
        for (const username of ['ada', 'u4', 'u5']) {
          assert.equal(await ask({ username, destination: 'bob@example.com' }), undefined, 'another source');
        }
        clock.advance(HOUR_MS);
        assert.equal(await ask({}, attacker), undefined, 'an hour later');
        await close();
      },
    );

    it('allows requests without a source address as often as all sources together', async () => {
      const { ask, many, close } = await openLimits(await database.create());
      const from = () => ({ requestId: 'test', sourceAddress: '' });
      assert.equal(await many(6, { destination: 'one@example.com' }, from), 5);
      const asked = Array.from({ length: 6 }, (_, at) => ({ destination: `${at}@example.com` }));
      let granted = 0;
      for (const send of asked) granted += (await ask(send, from())) === undefined ? 1 : 0;
      assert.equal(granted, 5);
      await close();
    });

    database.itOnSqlite('counts all networks of one /48, and of one IPv4 /24, as one source', async () => {
      const { ask, close } = await openLimits(await database.create());
      for (const [username, sources] of [
        ['ada', ['2001:db8:1:1::1', '2001:db8:1:100::1', '2001:db8:1:ff00::1', '2001:db8:2:1::1']],
        ['bob', ['192.0.2.1', '192.0.2.2', '192.0.2.3', '198.51.100.1']],
      ] as const) {
        const answers: boolean[] = [];
        for (const [at, sourceAddress] of sources.entries()) {
          const refusal = await ask(
            { username, destination: `${username}${at}@example.com` },
            { ...TEST_CALL, sourceAddress },
          );
          answers.push(refusal === undefined);
        }
        assert.deepEqual(answers, [true, true, false, true], username);
      }
      await close();
    });

    it('allows two of a hundred parallel requests of one source, and leaves the rest to others', async () => {
      const { ask, close } = await openLimits(await database.create());
      const attacker = createCallFromNewAddress();
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask({}, attacker)));
      assert.equal(answers.filter((answer) => answer === undefined).length, 2);
      for (let times = 0; times < 3; times += 1) assert.equal(await ask(), undefined);
      assert.notEqual(await ask(), undefined);
      await close();
    });

    database.itOnSqlite(
      'allows three more for a source that shows the session of an earlier code, without reducing others',
      async () => {
        const { ask, clock, close } = await openLimits(await database.create());
        const source = createCallFromNewAddress();
        const purpose = 'forgot_password';
        const answers: boolean[] = [];
        for (let times = 0; times < 7; times += 1) {
          answers.push((await ask({ purpose, isResend: times > 0 }, source)) === undefined);
        }
        assert.deepEqual(answers, [true, true, true, true, true, false, false]);
        assert.equal((await ask({ purpose, isResend: true }, source))?.retryAfterSeconds, 20 * 60);
        for (let times = 0; times < 3; times += 1)
          assert.equal(await ask({ purpose }), undefined, 'what one source leaves');
        assert.notEqual(await ask({ purpose }), undefined);
        assert.notEqual(await ask({ purpose, isResend: true }), undefined, 'a session of a stranger adds nothing');
        assert.equal(await ask({ purpose: 'sign_up' }), undefined, 'another purpose');
        clock.advance(20 * 60_000);
        assert.equal(await ask({ purpose, isResend: true }, source), undefined);
        await close();
      },
    );

    database.itOnSqlite('counts resends by their address, and in the day', async () => {
      const limits = { perDay: 1_000, smsPerCountryAndDay: 1 };
      const { ask, options: ports, clock, close } = await openLimits(await database.create(), limits);
      const source = createCallFromNewAddress();
      const resend = { purpose: 'forgot_password', isResend: true, destination: 'bob@example.com' } as const;
      for (let times = 0; times < 5; times += 1) assert.equal(await ask(resend, source), undefined);
      assert.notEqual(await ask({ ...resend, username: 'eve' }, source), undefined, 'the same mailbox');
      const [use] = await readDailyUse({ messageLimits: limits }, ports.store, ['unproven'], clock.now());
      assert.equal(use?.used, 5);
      await close();
    });

    database.itOnSqlite(
      'counts nothing of a user after a first factor or a login, or of an administrator',
      async () => {
        const { ask, close } = await openLimits(await database.create(), { perDay: 40, smsPerCountryAndDay: 3 });
        const destination = '+15551230000';
        let refusals = 0;
        for (let at = 0; at < 40; at += 1) {
          for (const purpose of ['sign_up', 'forgot_password', 'EMAIL_OTP', 'SMS_OTP'] as const) {
            if ((await ask({ purpose, destination: at % 2 ? destination : 'ada@example.com' })) !== undefined)
              refusals += 1;
          }
        }
        assert.ok(refusals > 100, String(refusals));
        const purposes = [
          'SMS_MFA',
          'EMAIL_MFA',
          'EMAIL_SETUP',
          'verify_email',
          'invitation',
          'password_changed',
        ] as const;
        for (const purpose of purposes) {
          for (let times = 0; times < 3; times += 1)
            assert.equal(await ask({ purpose, destination }), undefined, purpose);
        }
        const deviceKey = 'us-east-1_11111111-2222-4333-8444-555555555555';
        for (let times = 0; times < 5; times += 1) {
          assert.equal(
            await ask({ purpose: 'EMAIL_OTP', deviceKey }, TEST_CALL),
            undefined,
            'a device that the user trusts',
          );
        }
        assert.notEqual(await ask({ purpose: 'EMAIL_OTP', deviceKey }, TEST_CALL), undefined);
        assert.equal(await ask({ purpose: 'SMS_OTP', deviceKey }, TEST_CALL), undefined, 'another purpose');
        assert.equal(
          await ask({ purpose: 'EMAIL_OTP', deviceKey, username: 'bob' }, TEST_CALL),
          undefined,
          'another user',
        );
        assert.equal(
          await ask({ purpose: 'EMAIL_OTP', deviceKey: `${deviceKey}x` }, TEST_CALL),
          undefined,
          'another device',
        );
        await close();
      },
    );

    database.itOnSqlite(
      'divides the day of the service, so that strangers cannot use up the other half or what users need',
      async () => {
        const { many, clock, close } = await openLimits(await database.create(), {
          perDay: 40,
          smsPerCountryAndDay: 1,
        });
        assert.equal(await many(12, { purpose: 'sign_up' }), 10, 'addresses that sign up');
        assert.equal(await many(12, { purpose: 'forgot_password' }), 10, 'what is left for users who exist');
        assert.equal(await many(2, { purpose: 'EMAIL_OTP' }), 0);
        const by = (kind: 'admin' | 'user') => () => ({ ...createCallFromNewAddress(), actor: { kind, id: 'x' } });
        assert.equal(await many(12, { purpose: 'verify_email' }, by('user')), 10, 'signed-in users');
        assert.equal(await many(12, { purpose: 'invitation' }, by('admin')), 10, 'what is left for administrators');
        for (const isProven of [true, false]) {
          assert.equal(await many(3, { purpose: 'EMAIL_MFA', isProven }), 3, 'behind a first factor');
        }
        clock.advance(24 * HOUR_MS);
        assert.equal(await many(1, { purpose: 'sign_up' }), 1, 'another day');
        await close();
      },
    );

    database.itOnSqlite('counts no unknown names in the day, and refuses them once it is used up', async () => {
      const { many, close } = await openLimits(await database.create(), { perDay: 40, smsPerCountryAndDay: 1 });
      assert.equal(await many(60, { purpose: 'forgot_password', isDecoy: true }), 60);
      assert.equal(await many(30, { purpose: 'forgot_password' }), 20);
      assert.equal(await many(5, { purpose: 'forgot_password', isDecoy: true }), 0, 'alike');
      assert.equal(await many(5, { purpose: 'sign_up', isDecoy: true }), 0);
      await close();
    });

    database.itOnSqlite('counts a notice that the owner of a name gets instead of a code in the day', async () => {
      const { many, close } = await openLimits(await database.create(), { perDay: 40, smsPerCountryAndDay: 1 });
      assert.equal(await many(12, { purpose: 'sign_up', isDecoy: true, notifiesOwner: true }), 10);
      await close();
    });

    database.itOnSqlite(
      'never refuses a second factor for a verified contact of its user, whatever others used',
      async () => {
        const { ask, close } = await openLimits(await database.create());
        const code = { purpose: 'SMS_MFA', destination: '+15551239999' } as const;
        for (let at = 0; at < 5; at += 1) assert.equal(await ask({ ...code, username: `same${at}` }), undefined);
        assert.ok(await ask({ ...code, username: 'eve' }), 'the number is spent for whoever only names it');
        for (let at = 0; at < 195; at += 1) {
          const destination = `+1555123${String(at).padStart(4, '0')}`;
          assert.equal(await ask({ ...code, username: `near${at}`, destination }), undefined);
        }
        assert.ok(
          await ask({ ...code, username: 'eve', destination: '+15551238888' }),
          'the numbers around it are spent',
        );
        for (let at = 0; at < 5; at += 1) assert.equal(await ask({ ...code, isProven: true }), undefined);
        assert.equal((await ask({ ...code, isProven: true }))?.retryAfterSeconds, 720, 'the own ones');
        await close();
      },
    );

    database.itOnSqlite('applies to the numbers of a country, for all callers', async () => {
      const limits = { perDay: 1_000, smsPerCountryAndDay: 3 };
      const { isDiscarded, ask, close } = await openLimits(await database.create(), limits);
      for (const at of [1, 2, 3]) assert.equal(await isDiscarded(`+4930${at}000000`), false);
      assert.equal(await isDiscarded('+4989123456'), true);
      assert.equal(await isDiscarded('+4312345678'), false, 'another country');
      assert.equal(await isDiscarded('a@example.com'), false, 'a mail');
      const proving = (at: number) =>
        ask({ username: `u${at}`, destination: `+4989123${at}00000`, purpose: 'verify_phone_number' });
      for (const at of [1, 2, 3]) assert.equal(await proving(at), undefined, 'users who are logged in');
      assert.ok(((await proving(4))?.retryAfterSeconds ?? 0) > 0);
      const behind = { username: 'x', destination: '+4989123456', purpose: 'SMS_MFA' } as const;
      assert.equal(await ask(behind), undefined, 'behind a first factor');
      await close();
    });

    database.itOnSqlite('stores neither names nor addresses', async () => {
      const { ask, options: ports, close } = await openLimits(await database.create());
      const seen: string[] = [];
      const { store } = ports;
      const watched = store.write.bind(store);
      const watching = <Port extends object>(port: Port): Port =>
        new Proxy(port, {
          get(target, key) {
            const member: unknown = Reflect.get(target, key);
            if (typeof member !== 'function') return watching(member as object);
            return (...parts: unknown[]) => {
              seen.push(JSON.stringify(parts));
              return Reflect.apply(member, target, parts);
            };
          },
        });
      store.write = (work) => watched((transaction) => work(watching(transaction)));
      await ask({ username: 'ada-lovelace' });
      assert.ok(seen.length > 0);
      // The whole name, because its first three letters can occur in base64 by chance.
      for (const entry of seen) assert.ok(!/ada-lovelace|example/.test(entry), entry);
      await close();
    });
  });

  describe(`limits of what operations send on ${database.name}`, () => {
    database.itOnSqlite(
      'refuse the sixth invitation of a user, and the password of the fifth stays valid',
      async () => {
        const pool = await openTestPool(await database.create());
        const user = { UserPoolId: pool.userPoolId, Username: 'ada@example.com' };
        await pool.operations.adminCreateUser(user, TEST_CALL);
        const again = { ...user, MessageAction: 'RESEND' } as const;
        for (let times = 0; times < 4; times += 1) await pool.operations.adminCreateUser(again, TEST_CALL);
        const { modifiedAtMs } = (await pool.embedded.listUsers(pool.userPoolId, 1)).rows[0] ?? {};
        pool.clock.advance(1_000);
        const refusal = await assertRefused(
          pool.operations.adminCreateUser(again, TEST_CALL),
          'LimitExceededException',
        );
        assert.equal(refusal.retryAfterSeconds, 719);
        assert.equal(pool.sent.length, 5);
        assert.equal((await pool.embedded.listUsers(pool.userPoolId, 1)).rows[0]?.modifiedAtMs, modifiedAtMs);
        await pool.close();
      },
    );

    database.itOnSqlite('refuse a sign-up whose code cannot be sent, and create no user', async () => {
      const pool = await openTestPool(await database.create(), {
        pool: { usernameAttributes: [], requiredAttributes: [] },
      });
      const signUp = (name: string) =>
        pool.operations.signUp(
          {
            ClientId: pool.clientId,
            Username: name,
            Password: 'Correct-Horse1!',
            UserAttributes: [{ Name: 'email', Value: 'Victim@example.com' }],
          },
          createCallFromNewAddress(),
        );
      for (const name of ['a', 'b', 'c', 'd', 'e']) await signUp(name);
      await assertRefused(signUp('f'), 'LimitExceededException');
      assert.equal(pool.sent.length, 5);
      assert.equal((await pool.embedded.listUsers(pool.userPoolId, 10)).rows.length, 5);
      await pool.close();
    });
  });
});

describe('for callers whose messages are counted', () => {
  let limits: Awaited<ReturnType<typeof openLimits>>;
  const ask: (typeof limits)['ask'] = (...given) => limits.ask(...given);
  before(async () => {
    limits = await openLimits('sqlite::memory:');
  });
  after(() => limits.close());

  it('treats known devices like others after a first factor, and verified contacts alone', async () => {
    for (let at = 0; at < 5; at += 1) {
      assert.equal(await ask({ purpose: 'SMS_MFA', deviceKey: `device ${at}`, destination: `${at}` }), undefined);
    }
    assert.ok(await ask({ purpose: 'SMS_MFA', deviceKey: 'another', destination: 'x' }), 'five for the user');
    const attacker = createCallFromNewAddress();
    const proven = { purpose: 'EMAIL_OTP', isProven: true } as const;
    for (const destination of ['a', 'b']) assert.equal(await ask({ ...proven, destination }, attacker), undefined);
    assert.equal((await ask({ ...proven, destination: 'c' }, attacker))?.retryAfterSeconds, 3_600);
  });

  it('counts only anonymous requests by their source', async () => {
    const { sourceAddress } = createCallFromNewAddress();
    const granted = async (username: string, call: Partial<CallContext>): Promise<number> => {
      const answers: (ProviderError | undefined)[] = [];
      for (let at = 0; at < 6; at += 1)
        answers.push(await ask({ username, destination: `${username}${at}` }, { ...TEST_CALL, ...call }));
      return answers.filter((answer) => answer === undefined).length;
    };
    assert.equal(await granted('a', { sourceAddress, actor: { kind: 'anonymous', id: null } }), 2);
    assert.equal(await granted('b', { sourceAddress }), 2);
    assert.equal(await granted('c', { sourceAddress, actor: { kind: 'admin', id: 'key' } }), 5);
    assert.equal(await granted('d', { sourceAddress: '' }), 5);
    assert.equal(await granted('e', { sourceAddress, actor: { kind: 'user', id: 'sub' } }), 2);
  });

  it('notifies an owner up to twenty times an hour, of anything', async () => {
    const { clock } = limits;
    for (let at = 0; at < 20; at += 1) {
      assert.equal(await ask({ purpose: at % 2 ? 'password_changed' : 'new_device' }), undefined);
    }
    const leftMs = HOUR_MS - (clock.now() % HOUR_MS);
    assert.equal((await ask({ purpose: 'factor_changed' }))?.retryAfterSeconds, Math.ceil(leftMs / 1000));
    assert.equal(await ask({ purpose: 'factor_changed', username: 'bob' }), undefined, 'another owner');
    clock.advance(leftMs);
    assert.equal(await ask({ purpose: 'factor_changed' }), undefined, 'another hour');
  });

  it('leaves a source one message a day if the whole service has few', async () => {
    const { ask, clock, close } = await openLimits('sqlite::memory:', { perDay: 50, smsPerCountryAndDay: 1 });
    const call = createCallFromNewAddress();
    const to = (name: string) => ask({ username: name, destination: `${name}@example.com` }, call);
    const midnightMs = DAY_MS - (clock.now() % DAY_MS);
    assert.equal(await to('a'), undefined);
    assert.equal((await to('b'))?.retryAfterSeconds, Math.ceil(midnightMs / 1000));
    clock.advance(midnightMs - 1);
    assert.equal((await to('b'))?.retryAfterSeconds, 1);
    clock.advance(1);
    assert.equal(await to('b'), undefined);
    await close();
  });

  it('gives each network a fiftieth of the rest of the day, a /56 two and a /48 four of them', async () => {
    const { many, close } = await openLimits('sqlite::memory:', { perDay: 1_000, smsPerCountryAndDay: 1 });
    let networks = 0;
    const within = (prefix: string) => () => ({
      ...TEST_CALL,
      sourceAddress: `${prefix}${(networks++ % 256).toString(16).padStart(2, '0')}::1`,
    });
    const code = { purpose: 'forgot_password', isDecoy: true } as const;
    assert.equal(await many(20, code, () => ({ ...TEST_CALL, sourceAddress: '2001:db8:1:1::1' })), 10, 'a /64');
    assert.equal(await many(30, code, within('2001:db8:1:0')), 10, 'the rest of its /56');
    assert.equal(await many(50, code, within('2001:db8:1:2')), 20, 'another /56 of its /48');
    assert.equal(await many(50, code, within('2001:db8:1:3')), 0, 'a third one');
    assert.equal(await many(20, code, () => ({ ...TEST_CALL, sourceAddress: '192.0.2.1' })), 10, 'an IPv4 address');
    let hosts = 2;
    assert.equal(
      await many(50, code, () => ({ ...TEST_CALL, sourceAddress: `192.0.2.${hosts++}` })),
      30,
      'the rest of its /24',
    );
    assert.equal(await many(250, { purpose: 'forgot_password' }), 250, 'half of the day, by others');
    assert.equal(await many(20, code, () => ({ ...TEST_CALL, sourceAddress: '2001:db8:2:1::1' })), 5, 'a /64 later');
    const asUser = () => ({
      ...TEST_CALL,
      sourceAddress: '2001:db8:3:1::1',
      actor: { kind: 'user', id: 'x' } as const,
    });
    assert.equal(await many(20, { purpose: 'verify_email' }, asUser), 4, 'signed-in users, of their part');
    await close();
  });

  it('slows down networks that name many users, so that others still get codes', async () => {
    const { many, close } = await openLimits('sqlite::memory:', { perDay: 1_000, smsPerCountryAndDay: 1 });
    const code = { purpose: 'forgot_password' } as const;
    const flood = Array.from({ length: 20 }, createCallFromNewAddress);
    let at = 0;
    assert.equal(await many(300, code, () => flood[at++ % flood.length] ?? TEST_CALL), 140);
    assert.equal(await many(50, code), 50);
    await close();
  });

  it('reports 80% and 100% use of each part of the day once, without a user', async () => {
    const {
      many,
      options: ports,
      pool,
      close,
    } = await openLimits('sqlite::memory:', {
      perDay: 40,
      smsPerCountryAndDay: 1,
    });
    const events: unknown[] = [];
    const write = ports.store.write.bind(ports.store);
    ports.store.write = (work) =>
      write((transaction) =>
        work(
          Object.assign(Object.create(transaction) as typeof transaction, {
            events: {
              append: async ({ type, actor, user, sourceAddress, details, retention, userPoolId }: EventRecord) =>
                void events.push({ type, actor: actor.kind, user, sourceAddress, details, retention, userPoolId }),
            },
          }),
        ),
      );
    await many(15, { purpose: 'forgot_password' });
    assert.deepEqual(events, []);
    await many(10, { purpose: 'forgot_password', isDecoy: true });
    assert.deepEqual(events, []);
    await many(10, { purpose: 'forgot_password' });
    const about = {
      type: 'messages.daily_limit_near',
      actor: 'system',
      user: null,
      sourceAddress: '',
      userPoolId: pool.id,
    };
    const used = (percent: string, number: string) => ({
      ...about,
      retention: undefined,
      details: { part: 'unproven', percent, used: number, limit: '20' },
    });
    assert.deepEqual(events, [used('80', '16'), used('100', '20')]);
    await close();
  });

  it('counts under a digest that is the same on every replica and release', async () => {
    const { options: ports, clock, pool } = limits;
    await ask({ username: 'ada-lovelace' });
    const secret = ports.keyRing.decrypt('pool-secret', pool.secretEncrypted, pool.id) ?? assert.fail();
    const mac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest();
    const digest = mac(mac(secret, 'send-limit'), 'user\nsign_up ada-lovelace').toString('base64url');
    const taken = await ports.store.allowances.bySubject(pool.id, `send:user:${digest}`);
    assert.deepEqual(taken, { taken: 1, expiresAtMs: clock.now() + HOUR_MS / 5 });
  });
});
