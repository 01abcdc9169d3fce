import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countSent, createWrongCode, findLastCode, logInForTokens } from '../support/routes/route-account.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

type User = Readonly<Record<string, unknown>> & { readonly attributes: Readonly<Record<string, string>> };

describe("the caller's profile at the routes", () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  type Headers = Readonly<Record<string, string>>;
  const update = (headers: Headers, attributes: unknown) =>
    service.ask('PATCH', '/user/profile', { headers, body: { attributes } });
  const verify = (headers: Headers, code: string, attribute = 'email') =>
    service.post('/user/attributes/verify', { attribute, code }, headers);
  const shown = async (headers: Headers) => (await service.get('/user/profile', headers)).body.user as User;
  const remove = (headers: Headers, body?: unknown, query = '') =>
    service.ask('DELETE', `/user${query}`, { headers, body });

  it('attributes can be changed in both forms, and an empty one is removed', async () => {
    await addUser(service, 'ada@example.com');
    const { headers } = await logInForTokens(service, 'ada@example.com');
    const first = await update(headers, { name: 'Ada', nickname: 'A' });
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(first.body.code_delivery, []);
    assert.equal((first.body.user as User).attributes.name, 'Ada');
    await update(headers, [
      { Name: 'name', Value: 'Ada L.' },
      { Name: 'nickname', Value: '' },
    ]);
    const { attributes } = await shown(headers);
    assert.deepEqual([attributes.name, attributes.nickname], ['Ada L.', undefined]);
  });

  it('identity and verification of a user cannot be changed', async () => {
    await addUser(service, 'eve@example.com');
    const { headers } = await logInForTokens(service, 'eve@example.com');
    const before = await shown(headers);
    assertInvalidField(await update(headers, { sub: 'x' }), 'attributes', 'sub');
    assertInvalidField(await update(headers, [{ Name: 'email_verified', Value: 'true' }]), 'attributes');
    const proto = await service.ask('PATCH', '/user/profile', {
      headers,
      body: '{"attributes":{"__proto__":{"admin":"true"}}}',
    });
    assertProblem(proto, 400, 'malformed_request');
    assertInvalidField(await update(headers, { birthdate: 'yesterday' }), 'attributes');
    assertInvalidField(await update(headers, undefined), 'attributes');
    assert.deepEqual(await shown(headers), before);
  });

  it('a new address takes effect once it is verified, and the old one gets a notice', async () => {
    const [old, next] = ['old@example.com', 'next@example.com'];
    await addUser(service, old);
    const { headers } = await logInForTokens(service, old);
    const answer = await update(headers, { email: next });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.code_delivery, [{ attribute: 'email', medium: 'EMAIL', destination: 'n***@e***' }]);
    assert.deepEqual([(await shown(headers)).email, (await shown(headers)).email_verified], [old, true]);
    assertProblem(await service.post('/login', { username: next, password: PASSWORD }), 401, 'invalid_credentials');
    assertProblem(await verify(headers, createWrongCode(findLastCode(service, next))), 400, 'code_mismatch');
    const again = await service.post('/user/attributes/code', { attribute: 'email' }, headers);
    assert.deepEqual(again.body.code_delivery, answer.body.code_delivery);
    const heard = countSent(service, old);
    assert.equal((await verify(headers, findLastCode(service, next))).status, 200);
    assert.deepEqual([(await shown(headers)).email, (await shown(headers)).email_verified], [next, true]);
    assert.equal(countSent(service, old), heard + 1);
    await logInForTokens(service, next);
    assertProblem(await service.post('/login', { username: old, password: PASSWORD }), 401, 'invalid_credentials');
  });

  it('an address and a deletion require a recent login; a name does not', async () => {
    const email = 'stale@example.com';
    await addUser(service, email);
    const { headers } = await logInForTokens(service, email);
    service.clock.advance(901_000);
    assert.equal((await update(headers, { name: 'Still Ada' })).status, 200);
    assertProblem(await update(headers, { email: 'x@example.com' }), 403, 'reauthentication_required');
    assertProblem(await update(headers, { phone_number: '+15551234567' }), 403, 'reauthentication_required');
    assertProblem(await remove(headers, { confirm: true }), 403, 'reauthentication_required');
    assert.equal(countSent(service, 'x@example.com'), 0);
  });

  it('an address of another user gets the same response as a free one, and cannot be taken', async () => {
    await addUser(service, 'owner@example.com');
    await addUser(service, 'taker@example.com');
    const { headers } = await logInForTokens(service, 'taker@example.com');
    const free = await update(headers, { email: 'o-free@example.com' });
    const taken = await update(headers, { email: 'owner@example.com' });
    assert.deepEqual([taken.status, taken.text], [free.status, free.text]);
    assert.equal((await shown(headers)).email, 'taker@example.com');
    assertProblem(await verify(headers, '000000'), 400, 'code_mismatch');
  });

  it('a deleted account is gone at once, and a new one with its name is another user', async () => {
    const email = 'gone@example.com';
    await addUser(service, email);
    const login = await logInForTokens(service, email);
    const { sub } = await shown(login.headers);
    assertInvalidField(await remove(login.headers), 'confirm');
    const deleted = await remove(login.headers, { confirm: true });
    assert.equal(deleted.status, 200, deleted.text);
    assertProblem(await service.get('/user/profile', login.headers), 401, 'unauthenticated');
    assertProblem(await service.post('/token/refresh', { refresh_token: login.refresh }), 401, 'invalid_grant');
    assertProblem(await service.get(`/admin/users/${email}`, service.asAdmin), 404, 'user_not_found');
    await addUser(service, email);
    const fresh = await logInForTokens(service, email);
    assert.notEqual((await shown(fresh.headers)).sub, sub);
    assertProblem(await service.get('/user/profile', login.headers), 401, 'unauthenticated');
    assert.equal((await remove(fresh.headers, undefined, '?confirm=true')).status, 200);
  });
});
