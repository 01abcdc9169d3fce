import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProviderError } from '@poolgate/provider';
import { poolOf } from '../../packages/pool/src/domain/pools.ts';
import { admitSend, type Send } from '../../packages/pool/src/messages/send-limit.ts';
import { runtimeOf } from '../../packages/pool/src/runtime.ts';
import { openTestContext } from '../support/context.ts';
import { forEachDatabase } from '../support/databases.ts';
import { CALL, openTestPool, openTestPoolOn } from '../support/pool.ts';
import { refused } from '../support/refusal.ts';

const HOUR_MS = 3_600_000;

async function openLimits(databaseUrl: string) {
  const opened = await openTestContext(databaseUrl);
  const { userPoolId } = await openTestPoolOn(opened);
  const runtime = runtimeOf(opened.context);
  const pool = await poolOf(runtime, userPoolId);
  const ask = (send: Partial<Send> = {}): Promise<ProviderError | undefined> => {
    const whole = { pool, username: 'ada', destination: 'ada@example.com', nowMs: opened.clock.now(), ...send };
    return opened.context.store.write((transaction) => admitSend(runtime, transaction, whole));
  };
  return { ...opened, ask };
}

forEachDatabase((database) => {
  describe(`A42: asking for messages on ${database.name}`, () => {
    it('is granted five times in any hour for a user, and then says when it will be again', async () => {
      const { ask, clock, close } = await openLimits(await database.create());
      for (let minute = 0; minute < 5; minute += 1) {
        assert.equal(await ask({ destination: `${minute}@example.com` }), undefined);
        clock.advance(60_000);
      }
      const refusal = await ask({ destination: 'other@example.com' });
      assert.equal(refusal?.code, 'LimitExceededException');
      assert.equal(refusal?.retryAfterSeconds, 55 * 60);
      clock.advance(55 * 60_000 - 1);
      assert.equal((await ask({ destination: 'x@example.com' }))?.retryAfterSeconds, 1);
      clock.advance(1);
      assert.equal(await ask({ destination: 'y@example.com' }), undefined, 'an hour after the first');
      assert.equal((await ask({ destination: 'z@example.com' }))?.retryAfterSeconds, 60, 'an hour after the second');
      await close();
    });

    it('is granted five times in an hour for an address, however it is written and whoever asks', async () => {
      const { ask, close } = await openLimits(await database.create());
      for (const [index, destination] of ['ada@example.com', 'ADA@example.com', 'Ada@Example.COM'].entries()) {
        assert.equal(await ask({ username: `u${index}`, destination }), undefined);
      }
      assert.equal(await ask({ username: 'u3' }), undefined);
      assert.equal(await ask({ username: 'u4' }), undefined);
      assert.equal((await ask({ username: 'u5', destination: 'aDa@example.com' }))?.retryAfterSeconds, 3_600);
      assert.equal(await ask({ username: 'u5', destination: 'bob@example.com' }), undefined);
      await close();
    });

    it('gives a hundred at a time no more than five', async () => {
      const { ask, close } = await openLimits(await database.create());
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask()));
      assert.equal(answers.filter((answer) => answer === undefined).length, 5);
      await close();
    });

    it('takes nothing where it is refused', async () => {
      const { ask, close } = await openLimits(await database.create());
      for (let user = 0; user < 5; user += 1) await ask({ username: `u${user}` });
      for (let times = 0; times < 10; times += 1) assert.notEqual(await ask({ username: 'bob' }), undefined);
      for (let times = 0; times < 5; times += 1) {
        assert.equal(await ask({ username: 'bob', destination: `bob${times}@example.com` }), undefined);
      }
      await close();
    });

    it('is bounded for a range of telephone numbers, whoever asks for whichever', async () => {
      const { ask, clock, close } = await openLimits(await database.create());
      const to = (number: number) =>
        ask({ username: `u${number}`, destination: `+1555123${String(number).padStart(4, '0')}` });
      const answers: Awaited<ReturnType<typeof to>>[] = [];
      for (let number = 0; number < 210; number += 1) answers.push(await to(number));
      assert.equal(answers.filter((answer) => answer === undefined).length, 200);
      const waitSeconds = answers.find((answer) => answer !== undefined)?.retryAfterSeconds ?? 0;
      assert.ok(waitSeconds > 0 && waitSeconds <= 86_400);
      assert.equal(await ask({ username: 'x', destination: '+15559990000' }), undefined, 'another range');
      clock.advance(waitSeconds * 1000);
      assert.equal(await to(5_000), undefined, 'another day');
      await close();
    });

    it('keeps neither names nor addresses', async () => {
      const { ask, context, close } = await openLimits(await database.create());
      const seen: string[] = [];
      const { store } = context;
      const watched = store.write.bind(store);
      store.write = (work) =>
        watched((transaction) =>
          work(
            new Proxy(transaction, {
              get:
                (target, key) =>
                (...parts: unknown[]) => {
                  seen.push(JSON.stringify(parts));
                  return Reflect.get(target, key).apply(target, parts);
                },
            }),
          ),
        );
      await ask({ username: 'ada-lovelace' });
      assert.ok(seen.length > 0);
      for (const entry of seen) assert.ok(!/ada|example/.test(entry), entry);
      await close();
    });
  });

  describe(`limits of what operations send on ${database.name}`, () => {
    it('refuse the sixth invitation of a user in an hour, and the password of the fifth stays good', async () => {
      const pool = await openTestPool(await database.create());
      const user = { UserPoolId: pool.userPoolId, Username: 'ada@example.com' };
      await pool.operations.adminCreateUser(user, CALL);
      const again = { ...user, MessageAction: 'RESEND' } as const;
      for (let times = 0; times < 4; times += 1) await pool.operations.adminCreateUser(again, CALL);
      const { modifiedAtMs } = (await pool.embedded.listUsers(pool.userPoolId, 1)).rows[0] ?? {};
      pool.clock.advance(1_000);
      const refusal = await refused(pool.operations.adminCreateUser(again, CALL), 'LimitExceededException');
      assert.equal(refusal.retryAfterSeconds, HOUR_MS / 1000 - 1);
      assert.equal(pool.sent.length, 5);
      assert.equal((await pool.embedded.listUsers(pool.userPoolId, 1)).rows[0]?.modifiedAtMs, modifiedAtMs);
      await pool.close();
    });

    it('refuse a sign-up whose code could not go out, and make no user', async () => {
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
          CALL,
        );
      for (const name of ['a', 'b', 'c', 'd', 'e']) await signUp(name);
      await refused(signUp('f'), 'LimitExceededException');
      assert.equal(pool.sent.length, 5);
      assert.equal((await pool.embedded.listUsers(pool.userPoolId, 10)).rows.length, 5);
      await pool.close();
    });
  });
});
