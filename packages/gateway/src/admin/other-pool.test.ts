import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addUser, createTestKeyRing, TEST_CALL } from '@poolgate/pool/testing';
import { ADMIN_SCOPES, type AdminScope } from '@poolgate/provider';
import { createAdminKey } from '../credentials/admin-key-secret.ts';
import { type PoolService, startPoolService } from '../testing/pool-service.ts';

const ADA = 'ada@example.com';

describe('the routes of administrators for users of another pool', () => {
  let service: PoolService;
  let other: string;
  let headers: Readonly<Record<string, string>>;
  before(async () => {
    service = await startPoolService();
    const { UserPool } = await service.operations.createUserPool({ PoolName: 'other' }, TEST_CALL);
    other = UserPool?.Id ?? assert.fail('no pool');
    await addUser(service, ADA);
    headers = await makeKey(ADMIN_SCOPES);
  });
  after(() => service.close());

  async function makeKey(scopes: readonly AdminScope[]) {
    const { id, secret } = await createAdminKey(
      {
        clock: service.clock,
        keyRing: createTestKeyRing(),
        random: (length) => crypto.getRandomValues(new Uint8Array(length)),
        records: service.records,
      },
      { label: 'tests', scopes, lifetimeSeconds: 86_400 },
    );
    return { authorization: `Bearer pg_${id}_${secret}` };
  }
  async function send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, by = headers) {
    const named = `${path}${path.includes('?') ? '&' : '?'}user_pool_id=${other}`;
    const answer = await service.ask(method, named, { headers: by, ...(body !== undefined && { body }) });
    return { ...answer, user: answer.body.user as Readonly<Record<string, unknown>> | undefined };
  }
  const readOwn = async () => (await service.ask('GET', `/admin/users/${ADA}`, { headers })).body.user;

  it('reach that pool only, although both have a user of the same address', async () => {
    const before = await readOwn();
    assert.equal((await send('GET', `/admin/users/${ADA}`)).status, 404);
    const made = await send('POST', '/admin/users', { email: 'ada@other.example' });
    assert.equal(made.status, 201, made.text);
    const sub = String(made.user?.sub);
    assert.equal((await service.ask('GET', `/admin/users/${sub}`, { headers })).status, 404);
    const path = `/admin/users/${sub}`;
    const changed = await send('PATCH', path, { attributes: { email: ADA, given_name: 'Other' } });
    assert.deepEqual([changed.status, changed.user?.email], [200, ADA], changed.text);
    assert.equal((await send('POST', '/admin/groups', { group_name: 'crew' })).status, 201);
    assert.equal((await send('POST', `${path}/groups`, { group_name: 'crew' })).status, 200);
    const members = (await send('GET', '/admin/groups/crew/users')).body.users as readonly { readonly sub: string }[];
    assert.deepEqual(
      members.map((member) => member.sub),
      [sub],
    );
    const listed = (await send('GET', '/admin/users')).body.users as readonly { readonly sub: string }[];
    assert.deepEqual(
      listed.map((user) => user.sub),
      [sub],
    );
    for (const action of ['disable', 'enable', 'reset-password', 'sign-out', 'mfa/reset']) {
      const answer = await send('POST', `${path}/${action}`, {});
      assert.equal(answer.status, 200, `${action}: ${answer.text}`);
    }
    assert.equal((await send('GET', path)).user?.password_reset_required, true);
    assert.equal((await send('GET', `${path}/devices`)).status, 200);
    const events = (await send('GET', '/admin/audit?limit=60')).body.events as readonly {
      readonly user_pool_id: string;
      readonly user: { readonly sub: string } | null;
    }[];
    assert.ok(events.length >= 5);
    assert.ok(events.every(({ user_pool_id, user }) => user_pool_id === other && (user === null || user.sub === sub)));
    assert.deepEqual(await readOwn(), before, 'the user of the served pool is unchanged');
    assert.equal((await send('DELETE', path, { confirm: true })).status, 200);
    assert.equal((await send('GET', path)).status, 404);
    assert.deepEqual(await readOwn(), before);
  });

  it('refuse every change by a key without pool:write', async () => {
    const made = await send('POST', '/admin/users', { email: 'bob@other.example' });
    const path = `/admin/users/${made.user?.sub}`;
    const limited = await makeKey(ADMIN_SCOPES.filter((scope) => scope !== 'pool:write'));
    assert.equal((await send('GET', path, undefined, limited)).status, 200);
    const changes = [
      ['POST', '/admin/users', { email: 'eve@other.example' }],
      ['POST', '/user/invite', { email: 'eve@other.example' }],
      ['PATCH', path, { attributes: { given_name: 'Eve' } }],
      ['DELETE', path, { confirm: true }],
      ['POST', `${path}/disable`, {}],
      ['POST', `${path}/enable`, {}],
      ['POST', `${path}/reset-password`, {}],
      ['POST', `${path}/sign-out`, {}],
      ['POST', `${path}/mfa/reset`, {}],
      ['POST', `${path}/groups`, { group_name: 'crew' }],
    ] as const;
    for (const [method, target, body] of changes) {
      const { status, body: problem } = await send(method, target, body, limited);
      assert.deepEqual([status, problem.code], [403, 'forbidden'], `${method} ${target}`);
    }
    assert.deepEqual((await send('GET', path)).user, (await send('GET', path, undefined, limited)).user);
  });
});
