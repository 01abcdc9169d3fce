import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import { cleanUpRehearsal } from './clean-up-rehearsal.ts';
import type { Rehearsal } from './rehearsal-state.ts';

const TOKENS = { access: 'access', id: 'id', refresh: 'r2' };
const DEVICE = { deviceKey: 'key', deviceGroupKey: 'group', devicePassword: 'password' };

/** A rehearsal that left something, and what its provider was asked to remove. */
function left(more: Partial<Rehearsal>, failure?: Error) {
  const asked: unknown[] = [];
  const answer = (name: string) => async (input: object) => {
    await new Promise(setImmediate);
    if (failure !== undefined) throw failure;
    asked.push([name, input]);
    return {};
  };
  const operations = {
    forgetDevice: answer('forgetDevice'),
    revokeToken: answer('revokeToken'),
    setUserMFAPreference: answer('setUserMFAPreference'),
  };
  const subject = { clientId: 'client', provider: { operations } };
  const state = { subject, tokens: TOKENS, hasTotp: false, refreshTokens: new Set<string>(), ...more };
  return { asked, rehearsal: state as unknown as Rehearsal };
}

test('the remains of a rehearsal are removed, its logins last', async () => {
  const { asked, rehearsal } = left({ hasTotp: true, device: DEVICE, refreshTokens: new Set(['r1', 'r2']) });
  assert.deepEqual(await cleanUpRehearsal(rehearsal), []);
  const off = { Enabled: false, PreferredMfa: false };
  assert.deepEqual(asked, [
    ['setUserMFAPreference', { AccessToken: 'access', SoftwareTokenMfaSettings: off }],
    ['forgetDevice', { AccessToken: 'access', DeviceKey: 'key' }],
    ['revokeToken', { ClientId: 'client', Token: 'r1' }],
    ['revokeToken', { ClientId: 'client', Token: 'r2' }],
  ]);
  assert.equal(rehearsal.hasTotp, false);
});

test('nothing is requested if nothing remains', async () => {
  const { asked, rehearsal } = left({});
  assert.deepEqual([await cleanUpRehearsal(rehearsal), asked], [[], []]);
});

test('what the provider does not remove is named, and an internal error is thrown', async () => {
  const all = { hasTotp: true, device: DEVICE, refreshTokens: new Set(['r1']) };
  const rows = await cleanUpRehearsal(left(all, new ProviderError('InternalErrorException', 'planted')).rehearsal);
  assert.deepEqual(
    rows.map(({ check, result, finding }) => [check, result, finding]),
    [
      ['tidying up', 'warn', 'Not removed: the authenticator of the test user is still on.'],
      ['tidying up', 'warn', 'Not removed: the test user has the device poolgate doctor.'],
      ['tidying up', 'warn', 'Not removed: sessions of the test user are still active.'],
    ],
  );
  const defect = new TypeError('x');
  await assert.rejects(cleanUpRehearsal(left(all, defect).rehearsal), defect);
});
