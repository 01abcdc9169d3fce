import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Gateway } from '@poolgate/gateway';
import { formatTimestamp } from '@poolgate/srp';
import { createCallJournal } from '../../packages/pool/src/testing/call-journal.ts';
import { forEachDatabase } from '../../packages/pool/src/testing/test-databases.ts';
import { openTestEnvironment, type TestEnvironment } from '../../packages/pool/src/testing/test-environment.ts';
import { addUser, openTestPoolOn, type TestPool } from '../../packages/pool/src/testing/test-pool.ts';
import { createSrpStart } from '../support/routes/route-srp.ts';
import { createGatewayServer } from '../support/services/gateway-server.ts';

// Names of the same length, so that no length differs because of the name.
const KNOWN = 'ada@example.com';
const UNKNOWN = 'eve@example.com';

/** Everything in a response that an outsider can compare, without random values. */
interface Look {
  readonly status: number;
  readonly headers: readonly string[];
  readonly members: unknown;
  readonly length: number;
  /** The calls to the store and the computations for it, in order. */
  readonly work: readonly string[];
}

forEachDatabase((database) => {
  describe(`known and unknown users at the routes on ${database.name}`, () => {
    let opened: TestEnvironment;
    let pool: TestPool;
    let gateways: Readonly<Record<'srp' | 'password', Gateway>>;
    let take: () => readonly string[];
    before(async () => {
      opened = await openTestEnvironment(await database.create());
      const journal = createCallJournal(opened);
      take = journal.takeEntries;
      pool = await openTestPoolOn(journal.opened);
      gateways = {
        srp: await createGatewayServer(journal.opened, pool),
        password: await createGatewayServer(journal.opened, pool, { loginFlow: 'password' }),
      };
      await addUser(pool, KNOWN);
    });
    // Settings are cached for seconds, and failures are remembered for 15 minutes.
    beforeEach(async () => {
      pool.clock.advance(901_000);
      await post(gateways.srp, '/login', { username: 'warm-up@example.com', password: 'x' });
      take();
    });
    after(async () => {
      for (const gateway of Object.values(gateways)) await gateway.close();
      await opened.close();
    });

    function post(gateway: Gateway, path: string, body: unknown): Promise<Response> {
      return gateway.inject({
        method: 'POST',
        path,
        headers: { host: 'localhost', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    }

    async function look(gateway: Gateway, path: string, body: unknown): Promise<Look & { readonly body: unknown }> {
      const answer = await post(gateway, path, body);
      const text = await answer.text();
      const parsed: unknown = JSON.parse(text);
      return {
        status: answer.status,
        headers: [...answer.headers].map(([name, value]) => (RANDOM_HEADERS.has(name) ? name : `${name}: ${value}`)),
        members: shapeOf(parsed),
        length: text.length,
        work: take(),
        body: parsed,
      };
    }

    const RANDOM_HEADERS = new Set(['x-request-id', 'content-length', 'date']);

    /** Names of members, and values that are constant. */
    function shapeOf(value: unknown): unknown {
      if (typeof value !== 'object' || value === null) return typeof value;
      return Object.entries(value).map(([name, member]) => [name, FIXED.has(name) ? member : shapeOf(member)]);
    }

    const FIXED = new Set(['status', 'code', 'title', 'detail', 'type', 'challenge_name']);

    function assertAlike(known: Look, unknown: Look): void {
      for (const part of ['status', 'headers', 'members', 'work'] as const)
        assert.deepEqual(unknown[part], known[part], part);
      // A salt or public value may be one digit shorter, which changes the encrypted base64 text by a few characters.
      assert.ok(Math.abs(known.length - unknown.length) <= 16, `${known.length} and ${unknown.length}`);
    }

    for (const flow of ['srp', 'password'] as const) {
      it(`POST /login with IDP_LOGIN_FLOW=${flow} answers and costs the same before, at and after the lockout`, async () => {
        for (let attempt = 0; attempt < 7; attempt += 1) {
          const wrong = { password: 'Wrong-Horse1!' };
          const known = await look(gateways[flow], '/login', { username: KNOWN, ...wrong });
          const unknown = await look(gateways[flow], '/login', { username: UNKNOWN, ...wrong });
          assertAlike(known, unknown);
          assert.equal(known.status, attempt < 5 ? 401 : 429);
          assert.equal(known.work.filter((step) => step.endsWith('power')).length, 1);
          assert.ok(known.work.includes('write'));
        }
      });
    }

    it('POST /register answers and costs the same, whether the address is taken or not', async () => {
      // The mail goes to the owner or to the person who registers, so the order of the steps differs.
      const registered = async (email: string): Promise<Look> => {
        const { work, ...answer } = await look(gateways.srp, '/register', { email, password: 'Their-Own-Horse1!' });
        return { ...answer, work: work.toSorted() };
      };
      await addUser(pool, 'own@example.com');
      take();
      const known = await registered('own@example.com');
      assertAlike(known, await registered('new@example.com'));
      assert.equal(known.status, 200);
    });

    for (const serverMade of [false, true]) {
      it(`POST /login/srp ${serverMade ? 'without srp_a' : 'with srp_a'} and its answer look and cost the same`, async () => {
        const looks = [];
        for (const username of [KNOWN, UNKNOWN]) {
          const start = createSrpStart();
          const first = await look(
            gateways.srp,
            '/login/srp',
            serverMade ? { username } : { username, srp_a: start.srpAHex },
          );
          const { session, challenge_params: parameters } = first.body as {
            session: string;
            challenge_params: Readonly<Record<'SALT' | 'SECRET_BLOCK' | 'SRP_B' | 'USER_ID_FOR_SRP', string>>;
          };
          const { SALT, SECRET_BLOCK, SRP_B, USER_ID_FOR_SRP } = parameters;
          const fiveKeys = { SALT, SECRET_BLOCK, SRP_B, USER_ID_FOR_SRP, PASSKEY_HASH: 'ab'.repeat(32) };
          const claim = {
            PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
            PASSWORD_CLAIM_SIGNATURE: Buffer.alloc(32, 1).toString('base64'),
            TIMESTAMP: formatTimestamp(pool.clock.now()),
          };
          const challenge_value = serverMade ? fiveKeys : claim;
          const answer = { challenge_name: 'PASSWORD_VERIFIER', session, username, challenge_value };
          const second = await look(gateways.srp, '/login/auth-challenge', answer);
          looks.push([first, second]);
          assert.equal(second.status, 401);
        }
        const [known, unknown] = looks;
        for (const step of [0, 1]) {
          assert.ok(known?.[step] && unknown?.[step]);
          assertAlike(known[step], unknown[step]);
        }
      });
    }

    for (const [path, more] of [
      ['/password/forgot', {}],
      ['/password/reset', { code: '123456', password: 'Another-Horse2!' }],
      ['/register/resend-code', {}],
      ['/register/verify', { code: '123456' }],
      ['/register/start', {}],
    ] as const) {
      it(`POST ${path} answers and costs the same, and guesses of codes do too until they are locked`, async () => {
        for (let attempt = 0; attempt < 12; attempt += 1) {
          const known = await look(gateways.srp, path, { email: KNOWN, ...more });
          const unknown = await look(gateways.srp, path, { email: UNKNOWN, ...more });
          assertAlike(known, unknown);
        }
      });
    }

    it('the salt and the name of an unknown user depend only on the name, and differ between names', async () => {
      const seen = [];
      for (const username of [UNKNOWN, UNKNOWN, 'bob@example.com']) {
        const { body } = await look(gateways.srp, '/login/srp', { username, srp_a: createSrpStart().srpAHex });
        const { SALT, USER_ID_FOR_SRP } = (body as { challenge_params: Readonly<Record<string, string>> })
          .challenge_params;
        seen.push([SALT, USER_ID_FOR_SRP]);
      }
      assert.deepEqual(seen[0], seen[1]);
      assert.notEqual(seen[0]?.[0], seen[2]?.[0]);
      assert.notEqual(seen[0]?.[1], seen[2]?.[1]);
    });

    it('a bad SRP_A gets the same response for both, without an exponentiation or a write', async () => {
      const looks = [];
      for (const username of [KNOWN, UNKNOWN])
        looks.push(await look(gateways.srp, '/login/srp', { username, srp_a: '0' }));
      const [known, unknown] = looks;
      assert.ok(known && unknown);
      assertAlike(known, unknown);
      assert.deepEqual([known.status, known.work], [422, []]);
    });

    it('a private value of another login needs no exponentiation at the provider and no write', async () => {
      const start = createSrpStart();
      const first = await look(gateways.srp, '/login/srp', { username: KNOWN, srp_a: start.srpAHex });
      const { challenge_params: parameters } = first.body as { challenge_params: Readonly<Record<string, string>> };
      const { SALT, SECRET_BLOCK, SRP_B, USER_ID_FOR_SRP } = parameters;
      const challenge_value = { SALT, SECRET_BLOCK, SRP_B, USER_ID_FOR_SRP, PASSKEY_HASH: '00'.repeat(32) };
      for (const [session, powers] of [
        ['0', 0],
        ['1', 0],
        [createSrpStart().aHex, 1],
      ] as const) {
        const body = { challenge_name: 'PASSWORD_VERIFIER', session, username: KNOWN, challenge_value };
        const refused = await look(gateways.srp, '/login/auth-challenge', body);
        assert.equal(refused.status, 401);
        assert.equal(refused.work.filter((entry) => entry.endsWith('power')).length, powers);
        assert.ok(!refused.work.includes('write'));
      }
    });
  });
});
