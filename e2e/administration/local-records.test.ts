import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { STORE_LOCATIONS, type StoreLocation } from '@poolgate/store/testing';
import { databaseRows } from '../proofs/database-rows.ts';
import { readProfile } from '../support/requests/admin-requests.ts';
import { createRememberedDevice } from '../support/routes/route-devices.ts';
import {
  addUser,
  assertProblem,
  inviteUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

describe('the local record of a user', () => {
  let place: StoreLocation | undefined;
  let service: TestService;
  before(async () => {
    place = await STORE_LOCATIONS['SQLite file']?.();
    service = await startTestService({ databaseUrl: place?.url ?? '' });
  });
  after(async () => {
    await service.close();
    await place?.remove();
  });

  const rows = (table: string, sub: string): readonly string[] =>
    (databaseRows(place?.url ?? '')[table] ?? []).filter((row) => row.includes(sub));

  it('is stored when an administrator creates the user', async () => {
    const sub = await inviteUser(service, 'made@example.com');
    assert.equal(rows('local_users', sub).length, 1);
  });

  it('is stored when the service first sees a token of the user', async () => {
    const email = 'seen@example.com';
    const sub = await addUser(service, email);
    await readProfile(
      service,
      requireTokens(await service.post('/login', { username: email, password: PASSWORD })).access,
    );
    assert.equal(rows('local_users', sub).length, 1);
  });

  it('keeps password_reset_required from a forced reset until the new password', async () => {
    const email = 'reset@example.com';
    const sub = await addUser(service, email);
    const isFlagged = () => rows('local_users', sub).some((row) => row.includes('"password_reset_required":1'));
    assert.equal(isFlagged(), false);
    assert.equal((await service.post(`/admin/users/${email}/reset-password`, {}, service.asAdmin)).status, 200);
    assert.equal(isFlagged(), true);
    const code = service.outbox?.list(email).find((message) => message.code !== undefined)?.code;
    const password = 'A-New-Horse2!';
    assert.equal((await service.post('/password/reset', { email, code, password })).status, 200);
    assert.equal(isFlagged(), false);
  });

  it('is deleted with the user and the devices, and nothing restores it', async () => {
    const email = 'gone@example.com';
    const sub = await addUser(service, email);
    const { access } = await createRememberedDevice(service, email);
    assert.equal((await readProfile(service, access)).status, 200);
    const removed = await service.ask('DELETE', `/admin/users/${email}`, {
      headers: service.asAdmin,
      body: { confirm: true },
    });
    assert.equal(removed.status, 200, removed.text);
    assertProblem(await readProfile(service, access), 401, 'unauthenticated');
    for (const table of ['local_users', 'local_devices', 'local_passkeys', 'users', 'devices', 'logins'])
      assert.deepEqual(rows(table, sub), [], table);
    const again = await addUser(service, email);
    assert.notEqual(again, sub);
    assertProblem(await readProfile(service, access), 401, 'unauthenticated');
    assert.deepEqual(rows('local_users', sub), []);
  });
});
