import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  assertInvalidField,
  assertProblem,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

type User = Readonly<Record<string, unknown>> & { readonly attributes: Readonly<Record<string, string>> };

describe('administration of users', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const create = (body: unknown, prefix = '') => service.post(`${prefix}/admin/users`, body, service.asAdmin);
  const show = (name: string, prefix = '') =>
    service.get(`${prefix}/admin/users/${encodeURIComponent(name)}`, service.asAdmin);

  for (const prefix of ['', '/api/cognito']) {
    it(`creates a user in FORCE_CHANGE_PASSWORD and shows it under "${prefix}"`, async () => {
      const email = `ada${prefix.length}@example.com`;
      const created = await create({ email, temp_password: PASSWORD, attributes: { name: 'Ada' } }, prefix);
      assert.equal(created.status, 201, created.text);
      const user = created.body.user as User;
      assert.deepEqual(
        [user.email, user.email_verified, user.status, user.enabled, user.attributes.name, user.username],
        [email, true, 'FORCE_CHANGE_PASSWORD', true, 'Ada', user.sub],
      );
      assert.equal(created.body.temp_password, undefined);
      assert.deepEqual(service.outbox?.list(email), []);
      for (const name of [email, email.toUpperCase(), String(user.username)]) {
        const shown = await show(name, prefix);
        assert.equal(shown.status, 200, shown.text);
        assert.deepEqual(shown.body.user, user);
      }
    });
  }

  it('generates a temporary password if none is given, shows it once, and accepts it at a login', async () => {
    const email = 'generated@example.com';
    const created = await create({ email, attributes: [{ Name: 'name', Value: 'Gen' }] });
    const password = String(created.body.temp_password);
    assert.ok(password.length >= 8, created.text);
    assert.ok(!(await show(email)).text.includes(password));
    const step = await service.post('/login', { username: email, password });
    assert.equal(step.body.challenge_name, 'NEW_PASSWORD_REQUIRED', step.text);
  });

  it('returns 409 for an existing user, also in a race', async () => {
    await create({ email: 'twice@example.com' });
    for (const email of ['twice@example.com', 'TWICE@example.com'])
      assertProblem(await create({ email }), 409, 'user_exists');
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ email: 'race@example.com' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 9 }, () => 409)]);
  });

  it('returns 404 to an administrator for an unknown user', async () => {
    assertProblem(await show('nobody@example.com'), 404, 'user_not_found');
    assertProblem(await show('00000000-0000-4000-8000-000000000000'), 404, 'user_not_found');
  });

  it('names missing, mistyped and unknown values', async () => {
    for (const [field, body] of [
      ['email', {}],
      ['email', { email: 'no address' }],
      ['email', { email: 5 }],
      ['email', { email: `${'a'.repeat(128)}@example.com` }],
      [/^temp_password/, { email: 'v@example.com', temp_password: 'short' }],
      [/^temp_password/, { email: 'v@example.com', temp_password: true }],
      [/^attributes/, { email: 'v@example.com', attributes: 'x' }],
      [/^attributes/, { email: 'v@example.com', attributes: { name: 5 } }],
      [/^attributes/, { email: 'v@example.com', attributes: [{ Name: 'name' }] }],
    ] as const) {
      assertInvalidField(await create(body), field, JSON.stringify(body).slice(0, 60));
    }
    assertProblem(await show('v@example.com'), 404, 'user_not_found');
  });

  it('returns 422 for an ambiguous or malformed address, and creates no user', async () => {
    const good = 'victim@example.com';
    for (const email of [
      [good],
      [good, 'evil@example.net'],
      `${good},evil@example.net`,
      `${good};evil@example.net`,
      `${good} evil@example.net`,
      `${good}\r\nBcc: evil@example.net`,
      '"evil@example.net "@example.com',
      '<evil@example.net>@example.com',
      'victim＠example.com',
      'victim@example.com\u0000',
    ]) {
      assertInvalidField(await create({ email }), 'email', JSON.stringify(email));
    }
    assertProblem(await show(good), 404, 'user_not_found');
    assert.deepEqual(service.outbox?.list('evil@example.net'), []);
  });

  it('does not let attributes set the identity of a user or what is verified', async () => {
    for (const name of [
      'email_verified',
      'sub',
      'status',
      'cognito:groups',
      'constructor',
      'username',
      'custom:unknown',
    ]) {
      const answer = await create({ email: 'mass@example.com', attributes: { [name]: 'true' } });
      assert.ok(answer.status === 422 || answer.status === 400, `${name} ${answer.text}`);
    }
    const proto = await service.ask('POST', '/admin/users', {
      headers: service.asAdmin,
      body: '{"email":"mass@example.com","attributes":{"__proto__":{"email_verified":"true"}}}',
    });
    assert.ok(proto.status === 422 || proto.status === 400, proto.text);
    assertProblem(await show('mass@example.com'), 404, 'user_not_found');
  });
});
