import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

interface Shown {
  readonly id: string;
  readonly type: string;
  readonly outcome: string;
  readonly actor: { readonly kind: string; readonly id: string | null };
  readonly user: { readonly sub: string; readonly username: string } | null;
  readonly request_id: string;
  readonly details: Readonly<Record<string, string>>;
}

const ADA = 'ada@example.com';

describe('the audit log', () => {
  let service: TestService;
  let sub = '';
  before(async () => {
    service = await startTestService();
    sub = await addUser(service, ADA);
  });
  after(() => service.close());

  const audit = (query: Readonly<Record<string, string>> = {}) =>
    service.get(`/admin/audit?${new URLSearchParams(query)}`, service.asAdmin);
  const events = async (query: Readonly<Record<string, string>> = {}): Promise<readonly Shown[]> => {
    const answer = await audit(query);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.events as readonly Shown[];
  };

  it('records who did what to whom, and in which request', async () => {
    const disabled = await service.post(`/admin/users/${ADA}/disable`, {}, service.asAdmin);
    const [event] = await events({ type: 'user.disabled' });
    assert.deepEqual(event?.actor, { kind: 'admin', id: service.adminKey?.id });
    assert.deepEqual(event?.user, { sub, username: sub });
    assert.equal(event?.request_id, disabled.headers['x-request-id']);
    await service.call('AdminEnableUser', { UserPoolId: service.userPoolId, Username: ADA }, service.asAdmin);
    const [enabled] = await events({ type: 'user.enabled' });
    assert.deepEqual(enabled?.actor, { kind: 'admin', id: service.adminKey?.id }, 'by the Cognito-compatible API too');
  });

  it('records successful and refused logins', async () => {
    await service.post('/login', { username: ADA, password: PASSWORD });
    await service.post('/login', { username: ADA, password: 'Wrong-Horse1!' });
    const [failed] = await events({ user: ADA, type: 'login.failed' });
    assert.equal(failed?.outcome, 'failure');
    const [succeeded] = await events({ user: ADA, type: 'login.succeeded' });
    assert.deepEqual(succeeded?.actor, { kind: 'user', id: sub });
  });

  it('records a refused admin key, without what was sent', async () => {
    const before = await events({ type: 'admin.refused' });
    service.clock.advance(60_000);
    assertProblem(
      await service.get('/admin/users', { authorization: 'Bearer pg_planted-id_planted-secret' }),
      401,
      'unauthenticated',
    );
    const [event, ...others] = await events({ type: 'admin.refused' });
    assert.equal(others.length, before.length);
    assert.deepEqual(event?.details, { reason: 'unknown_key' });
    assert.doesNotMatch((await audit()).text, /planted/);
  });

  it('is paged from newest to oldest, with each event once', async () => {
    for (let logins = 0; logins < 6; logins += 1) await service.post('/login', { username: ADA, password: PASSWORD });
    const all = await events({ limit: '60' });
    const walked: Shown[] = [];
    let cursor: string | null = null;
    do {
      const page = await audit({ limit: '3', ...(cursor === null ? {} : { cursor }) });
      walked.push(...(page.body.events as readonly Shown[]));
      cursor = page.body.next_cursor as string | null;
    } while (cursor !== null);
    assert.deepEqual(walked, all);
    assert.ok(walked.length > 5);
    const ids = walked.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('is searchable by the sub of a deleted user', async () => {
    const gone = await addUser(service, 'gone@example.com');
    await service.ask('DELETE', '/admin/users/gone@example.com?confirm=true', { headers: service.asAdmin });
    assertProblem(await audit({ user: 'gone@example.com' }), 404, 'user_not_found');
    const types = (await events({ user: gone })).map(({ type }) => type);
    for (const type of ['user.created', 'user.deleted']) assert.ok(types.includes(type), types.join());
  });

  it('refuses unknown types and cursors of other queries', async () => {
    assertInvalidField(await audit({ type: 'user.eaten' }), 'type');
    assertInvalidField(await audit({ type: 'x' }), 'type');
    const page = await audit({ limit: '1' });
    assertInvalidField(await audit({ limit: '1', user: ADA, cursor: String(page.body.next_cursor) }), 'cursor');
  });
});
