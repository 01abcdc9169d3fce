import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Service } from './service/start.ts';
import { createPoolFixtures, startTestPool, type TestPool, usePool, withPool } from './test-pools.ts';

async function post({ url, adminKey }: Service, path: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${adminKey?.bearer}` };
  return (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

const createUser = (service: Service, email: string): Promise<number> => post(service, '/admin/users', { email });

const setUp = async (service: Service): Promise<void> => {
  assert.equal(await createUser(service, 'ada@example.com'), 201);
};

describe('a pool of a test file', () => {
  const pool = usePool({ before, beforeEach, after }, { setUp });

  for (const turn of ['first', 'second']) {
    it(`has what its setup created, and nothing of other tests (${turn})`, async () => {
      assert.equal(await createUser(pool(), 'ada@example.com'), 409);
      assert.equal(await createUser(pool(), 'bob@example.com'), 201);
    });
  }

  it('exists inside tests only', () => {
    const early = usePool({ before() {}, beforeEach() {}, after() {} });
    assert.throws(early, TypeError);
  });
});

describe('the pool of a Playwright worker', () => {
  it('is one service, which is restored before each test', async () => {
    const { pool, rewoundPool } = createPoolFixtures({ setUp });
    let url = '';
    await pool[0]({}, async (worker) => {
      url = worker.url;
      for (let turn = 0; turn < 2; turn += 1) {
        await rewoundPool[0]({ pool: worker }, async (given) => {
          assert.equal(given.url, url);
          assert.equal(await createUser(given, 'bob@example.com'), 201);
        });
      }
    });
    await assert.rejects(fetch(url), 'it is closed after the worker');
  });
});

describe('the test environment for Jest', () => {
  class Environment {
    readonly global: { pool?: TestPool } = {};
    readonly steps: string[] = [];
    async setup(): Promise<void> {
      this.steps.push('setup');
    }
    async teardown(): Promise<void> {
      this.steps.push('teardown');
    }
  }

  it('has a global pool, which is restored when a test starts', async () => {
    const environment = new (withPool(Environment, { setUp }))() as Environment & {
      handleTestEvent(event: { name: string }): Promise<void>;
    };
    await environment.setup();
    const { pool } = environment.global;
    assert.ok(pool);
    for (let turn = 0; turn < 2; turn += 1) {
      await environment.handleTestEvent({ name: 'test_start' });
      assert.equal(await createUser(pool, 'bob@example.com'), 201);
    }
    await environment.handleTestEvent({ name: 'test_done' });
    assert.equal(await createUser(pool, 'bob@example.com'), 409);
    await environment.teardown();
    assert.deepEqual(environment.steps, ['setup', 'teardown']);
    await assert.rejects(fetch(pool.url));
  });
});

it('a test pool cannot be a production start or a pool at Cognito, which is refused before the setup', async () => {
  const environment = { NODE_ENV: 'production', BASE_URL: 'http://localhost:3000' };
  const secrets = ['a-production-secret-of-forty-characters!'];
  const never = () => assert.fail('the setup must not write to it');
  const refused = { name: 'TypeError', message: /needs a development start with the embedded pool/ };
  await assert.rejects(startTestPool({ environment, secrets, setUp: never }), refused);
  await assert.rejects(startTestPool({ environment, secrets, signingAlgorithm: 'ES256', setUp: never }), refused);
  const cognito = { IDP_PROVIDER: 'cognito', IDP_USER_POOL_ID: 'eu-central-1_example', IDP_CLIENT_ID: 'client' };
  await assert.rejects(startTestPool({ environment: cognito, setUp: never }), refused);
});

it('a test pool with secrets of its own creates its keys', async () => {
  const pool = await startTestPool({ secrets: ['a-configured-secret-of-forty-characters!'] });
  await pool.close();
});
