import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { putIntoGroup } from '../support/requests/admin-requests.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import { findLatestCode, listAcceptingEndpoints, logIn } from '../support/routes/owner-login.ts';
import { createRememberedDevice, logInOnDevice } from '../support/routes/route-devices.ts';
import { createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import { createSignedClaim, createVerifierAnswer, startSrpLogin } from '../support/routes/route-srp.ts';
import { openReplicas, type Replicas } from '../support/services/replicas.ts';
import { addUser, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.com';

describe('a name that is reused after its user was deleted', () => {
  let replicas: Replicas;
  let one: TestService;
  let other: TestService;
  before(async () => {
    replicas = await openReplicas();
    ({ one, other } = replicas);
  });
  after(() => replicas?.close());

  const remove = async (email: string) => {
    const answer = await one.ask('DELETE', `/admin/users/${email}`, { headers: one.asAdmin, body: { confirm: true } });
    assert.equal(answer.status, 200, answer.text);
  };

  it('restores no token, device, second factor, group, code or pending login', async () => {
    const first = await addUser(one, ADA);
    await putIntoGroup(one, ADA, 'staff');
    const device = await createRememberedDevice(one, ADA);
    const tokens = await logIn(other, ADA);
    assert.equal((await one.post('/password/forgot', { email: ADA })).status, 200);
    const code = findLatestCode(one, ADA);
    await createActiveAuthenticator(one, ADA);
    const pending = await startSrpLogin(one, ADA);

    await remove(ADA);
    const second = await addUser(one, ADA);
    assert.notEqual(second, first);

    for (const service of [other, one]) {
      for (const { access, refresh } of [tokens, device])
        assert.ok(!Object.values(await listAcceptingEndpoints(service, { access, refresh, id: '' })).includes(true));
      const late = await service.post(
        '/login/auth-challenge',
        createVerifierAnswer(pending, createSignedClaim(service, pending)),
      );
      assert.equal(late.status, 401, late.text);
      const login = await logInOnDevice(service, device);
      assert.equal(login.body.status, 'success', 'neither the device nor the authenticator is known');
      const profile = await service.get('/user/profile', createBearerHeader(String(login.body.access_token)));
      const user = profile.body.user as Readonly<Record<string, unknown>>;
      assert.equal(user.sub, second);
      assert.deepEqual(user.mfa, { enabled: false, preferred: null, methods: [] });
      const listed = await service.get('/device', createBearerHeader(String(login.body.access_token)));
      assert.deepEqual(listed.body.devices, []);
      const shown = await service.get(`/admin/users/${ADA}`, service.asAdmin);
      assert.deepEqual((shown.body.user as Readonly<Record<string, unknown>>).groups, []);
    }
    const reset = await one.post('/password/reset', { email: ADA, code, password: 'A-New-Horse2!' });
    assert.equal(reset.status, 400, reset.text);
    for (const service of [other, one])
      assert.ok(!Object.values(await listAcceptingEndpoints(service, { ...tokens })).includes(true));
  });

  it('the sub of a deleted user stays refused at every replica and entry point', async () => {
    const email = 'late@example.com';
    await addUser(one, email);
    // No replica has seen this token before its user is deleted.
    const tokens = await logIn(one, email);
    await remove(email);
    await addUser(other, email);
    assert.ok(!Object.values(await listAcceptingEndpoints(other, tokens)).includes(true));
    assert.ok(!Object.values(await listAcceptingEndpoints(one, tokens)).includes(true));
  });
});
