import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { AdminScope } from '@poolgate/provider';
import { createAdminKeyRecord } from '../credentials/admin-key-secret.ts';
import type { AdminCaller } from '../kernel/caller.ts';
import { createGuardRecords, createTestRuntime } from '../testing/gateway-deps.ts';
import { listAdminKeys, makeAdminKey, revokeAdminKey } from './admin-key-handlers.ts';

const DAY_MS = 86_400_000;
const call = { requestId: 'r', sourceAddress: '192.0.2.1' };

const toCaller = (...scopes: readonly AdminScope[]): AdminCaller => ({
  kind: 'admin',
  keyId: 'caller',
  scopes: new Set(scopes),
});

describe('admin keys', () => {
  let records: ReturnType<typeof createGuardRecords>;
  let runtime: ReturnType<typeof createTestRuntime>;
  beforeEach(async () => {
    records = createGuardRecords();
    runtime = createTestRuntime({ records });
    const record = createAdminKeyRecord(runtime.keyRing, 'caller', 'secret');
    await records.adminKeys.insert({ ...record, expiresAtMs: runtime.clock.now() + 60 * DAY_MS });
  });

  const asked = { call, query: undefined, params: undefined, acceptLanguage: undefined };
  const make = (caller: AdminCaller, body: { label?: string; scopes: readonly string[]; days?: number }) =>
    makeAdminKey(runtime, { ...asked, caller, body: { label: 'Support', ...body, scopes: [...body.scopes] } });
  const revoke = (caller: AdminCaller, key_id: string) =>
    revokeAdminKey(runtime, { ...asked, caller, body: {}, params: { key_id } });

  const listRefusals = () =>
    records.appended
      .filter(({ type }) => type === 'admin.refused')
      .map(({ outcome, actor, details }) => [outcome, actor, details]);

  it('are created with scopes of their creator, and the secret is shown once', async () => {
    const caller = toCaller('keys:write', 'users:read');
    const { body } = await make(caller, { scopes: ['users:read', 'users:read'], days: 30 });
    assert.match(body.admin_key, new RegExp(`^pg_${body.key.key_id}_[\\w-]{43}$`));
    assert.deepEqual(body.key.scopes, ['users:read']);
    assert.equal(Date.parse(body.key.expires_at) - Date.parse(body.key.created_at), 30 * DAY_MS);
    const list = await listAdminKeys(runtime, { ...asked, caller, body: undefined });
    assert.deepEqual(
      list.body.keys.filter(({ key_id }) => key_id !== 'caller'),
      [body.key],
    );
    assert.ok(
      !JSON.stringify([list.body, records.appended]).includes(body.admin_key.slice(`pg_${body.key.key_id}_`.length)),
    );
    assert.deepEqual(
      records.appended.map(({ type, details }) => [type, details.key_id]),
      [['admin_key.created', body.key.key_id]],
    );
  });

  it('never have a scope that their creator lacks', async () => {
    for (const scopes of [['users:write'], ['users:read', 'users:write']])
      await assert.rejects(make(toCaller('keys:write', 'users:read'), { scopes }), { code: 'forbidden' });
    assert.deepEqual([...records.keysById.keys()], ['caller']);
    assert.deepEqual(listRefusals(), [
      ['failure', { kind: 'admin', id: 'caller' }, { reason: 'out_of_scope', key: 'caller', scopes: 'users:write' }],
    ]);
  });

  it('expire no later than their creator, and are not created after its revocation', async () => {
    const caller = toCaller('keys:write');
    const { body } = await make(caller, { scopes: ['keys:write'], days: 90 });
    assert.equal(Date.parse(body.key.expires_at), runtime.clock.now() + 60 * DAY_MS);
    assert.equal(body.key.created_by, 'caller');
    await records.adminKeys.revoke('caller', runtime.clock.now());
    await assert.rejects(make(caller, { scopes: ['keys:write'] }), { code: 'unauthenticated' });
    assert.equal(records.keysById.size, 2);
  });

  it('are refused with unknown scopes and with a lifetime out of range', async () => {
    const caller = toCaller('keys:write');
    await assert.rejects(make(caller, { scopes: ['root'] }), { code: 'validation_failed' });
    for (const days of [0, -1, 3651])
      await assert.rejects(make(caller, { scopes: ['keys:write'], days }), { code: 'validation_failed' });
  });

  it('are revoked only by a key with all of their scopes', async () => {
    const strong = toCaller('keys:write', 'users:write');
    const { body } = await make(strong, { scopes: ['users:write'] });
    const { key_id } = body.key;
    await assert.rejects(revoke(toCaller('keys:write'), key_id), { code: 'forbidden' });
    assert.equal(records.keysById.get(key_id)?.revokedAtMs, null);
    assert.equal(listRefusals().length, 1);
    assert.equal((await revoke(strong, key_id)).status, 200);
    assert.equal(records.keysById.get(key_id)?.revokedAtMs, runtime.clock.now());
    await assert.rejects(revoke(strong, 'none'), { code: 'admin_key_not_found' });
  });
});
