import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { forEachDatabase } from '../../packages/pool/src/testing/test-databases.ts';
import { assertProblem, startTestService, type TestService } from '../support/services/test-service.ts';

forEachDatabase((database) => {
  describe(`repeated requests on ${database.name}`, () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({ databaseUrl: await database.create() });
    });
    after(() => service.close());

    const send = (path: string, key: string, body: unknown, on = service) =>
      on.post(path, body, { ...on.asAdmin, 'idempotency-key': key });

    for (const [path, member, body, other] of [
      ['/admin/users', 'user', { email: 'ada@example.com' }, { email: 'bob@example.com' }],
      ['/user/invite', 'user', { email: 'eve@example.com' }, { email: 'dan@example.com' }],
      ['/admin/groups', 'group', { group_name: 'Crew' }, { group_name: 'Deck' }],
      ['/admin/clients', 'client', { client_name: 'shop' }, { client_name: 'job' }],
      ['/admin/webhooks', 'webhook', { url: 'https://hooks.example.com/a' }, { url: 'https://hooks.example.com/b' }],
    ] as const) {
      it(`POST ${path} runs once per key and returns the same response for a day`, async () => {
        const first = await send(path, 'key-1', body);
        assert.equal(first.status, 201, first.text);
        assert.ok(first.body[member]);
        const again = await send(`/api/cognito${path}`, 'key-1', body);
        assert.deepEqual([again.status, again.text], [first.status, first.text]);
        assertProblem(await send(path, 'key-1', other), 422, 'idempotency_conflict');
        assert.equal((await send(path, 'key-2', other)).status, 201);
      });
    }

    it('one of many parallel requests creates the user, and none gets a conflict', async () => {
      const body = { email: 'race@example.com' };
      const answers = await Promise.all(Array.from({ length: 10 }, () => send('/admin/users', 'race', body)));
      for (const answer of answers) {
        if (answer.status === 201) continue;
        assertProblem(answer, 409, 'idempotency_in_progress');
        assert.equal(answer.headers['retry-after'], '1');
      }
      const final = await send('/admin/users', 'race', body);
      const made = answers.filter(({ status }) => status === 201);
      assert.ok(made.length >= 1);
      for (const answer of made) assert.equal(answer.text, final.text);
    });

    it('a key belongs to one client and returns its secret again, but to no other client', async () => {
      const add = async (name: string) => {
        const made = await send('/admin/clients', name, { client_name: name, generate_secret: true });
        assert.equal(made.status, 201, made.text);
        const { client_id } = made.body.client as { readonly client_id: string };
        return () => send(`/admin/clients/${client_id}/secrets`, 'second', {});
      };
      const [first, other] = [await add('one'), await add('two')];
      const added = await first();
      assert.equal(added.status, 201, added.text);
      assert.equal((await first()).text, added.text);
      assert.notEqual((await other()).body.client_secret, added.body.client_secret);
    });

    it('an invalid key is refused, and a key without a meaning is ignored', async () => {
      assertProblem(await send('/admin/groups', 'x'.repeat(256), { group_name: 'A' }), 400, 'malformed_request');
      assertProblem(await send('/admin/groups', 'a b', { group_name: 'A' }), 400, 'malformed_request');
      const disable = () => send('/admin/users/race@example.com/disable', 'key-1', {});
      assert.deepEqual([(await disable()).status, (await disable()).status], [200, 200]);
    });
  });
});
