import assert from 'node:assert/strict';
import { makeDeviceVerifier, secureRandom } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import fc from 'fast-check';
import { type Run, summarize } from '../run.ts';
import { type Grant, type ModelDevice, newCounters } from '../state.ts';
import type { DeviceTrigger } from '../transitions.ts';
import { assertAsked, assertClaims, findRefusingTrigger } from '../trigger-checks.ts';
import { act, bearer, pick, pickGrant, revokeGrants } from './act.ts';

const number = fc.nat(1000);

/** POST /device with the key that came with the tokens. */
export const registerDevice = act({
  weight: 3,
  args: fc.record({ at: number, isRemembered: fc.boolean() }),
  async perform(run, { at, isRemembered }) {
    const grant = pickGrant(run, at);
    if (grant?.device?.groupKey === undefined) return;
    const { key, groupKey } = grant.device;
    const before = grant.user.devices.get(key)?.state ?? 'unregistered';
    const device = { deviceGroupKey: groupKey, deviceKey: key };
    const secret = makeDeviceVerifier({ engine, device, random: secureRandom });
    const device_config = JSON.stringify({ DeviceSecretVerifierConfig: secret.config });
    const answer = await run.modelled.service.post('/device', { device_key: key, device_config }, bearer(grant));
    const after = run.nextOfDevice(before, 'POST /device');
    if (before === 'removed')
      return assert.ok(answer.status >= 400, `a removed device came back: ${summarize(answer)}`);
    if (after === undefined)
      return assert.deepEqual([answer.status, answer.body.code], [400, 'device_exists'], summarize(answer));
    assert.equal(answer.status, 200, summarize(answer));
    assert.equal(answer.body.user_confirmation_necessary, after === 'registered');
    grant.user.devices.set(key, { key, groupKey, secret, state: after, guesses: newCounters() });
    if (isRemembered && after === 'registered') await change(run, grant, key, 'PUT true');
  },
});

const REQUESTS: Readonly<Record<Exclude<DeviceTrigger, 'POST /device'>, readonly [method: string, body: unknown]>> = {
  'PUT true': ['PUT', { remembered_status: true }],
  'PUT false': ['PUT', { remembered_status: false }],
  DELETE: ['DELETE', undefined],
};

async function change(run: Run, grant: Grant, key: string, trigger: keyof typeof REQUESTS): Promise<void> {
  const [method, body] = REQUESTS[trigger];
  const device: ModelDevice | undefined = grant.user.devices.get(key);
  const after = run.nextOfDevice(device?.state ?? 'unregistered', trigger);
  const sent = { headers: bearer(grant), ...(body === undefined ? {} : { body }) };
  const answer = await run.modelled.service.ask(method, `/device/${key}`, sent);
  if (after === undefined || device === undefined) {
    return assert.deepEqual([answer.status, answer.body.code], [404, 'device_not_found'], summarize(answer));
  }
  assert.equal(answer.status, 200, summarize(answer));
  device.state = after;
  // Removing a device ends its logins.
  if (after === 'removed') await revokeGrants(run, (login) => login.device?.key === key, 'the device was forgotten');
}

/** PUT and DELETE /device/{device_key}, of the caller's own devices and of other users'. */
export const changeDevice = act({
  weight: 3,
  args: fc.record({
    at: number,
    of: number,
    isOwn: fc.constantFrom(true, true, false),
    trigger: fc.constantFrom('PUT true', 'PUT true', 'PUT false', 'DELETE'),
  }),
  async perform(run, { at, of, isOwn, trigger }) {
    const grant = pickGrant(run, at);
    if (grant === undefined || run.modelled.setting.rules.devices === 'off') return;
    const owner = isOwn ? grant.user : run.users.find((user) => user !== grant.user);
    const key = pick([...(owner?.devices.keys() ?? [])], of);
    if (key !== undefined) await change(run, grant, key, trigger);
  },
});

/** POST /token/refresh, with and without the device of the login. */
export const refresh = act({
  weight: 2,
  args: fc.record({ at: number, isNamed: fc.boolean() }),
  async perform(run, { at, isNamed }) {
    const grant = pickGrant(run, at);
    if (grant === undefined) return;
    const key = grant.device?.key;
    const isBound = run.deviceOf(grant.user, key) !== undefined;
    const names = isNamed && key !== undefined ? { device_key: key } : {};
    const answer = await run.modelled.service.post('/token/refresh', { refresh_token: grant.refresh, ...names });
    if (isBound && !isNamed) {
      return assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_grant'], summarize(answer));
    }
    assertAsked(run, grant.user, ['TokenGeneration_RefreshTokens'], 'POST /token/refresh');
    if (findRefusingTrigger(run, grant.user) === 'PreTokenGeneration') {
      return assert.deepEqual([answer.status, answer.body.code], [403, 'trigger_refused'], summarize(answer));
    }
    assert.equal(answer.status, 200, summarize(answer));
    assertClaims(run, grant.user, answer.body);
    assert.equal(answer.body.new_device_metadata, undefined);
    grant.refresh = String(answer.body.refresh_token);
  },
});

/** POST /logout: afterwards neither token of the login is valid. */
export const logOut = act({
  weight: 1,
  args: fc.record({ at: number }),
  async perform(run, { at }) {
    const grant = pickGrant(run, at);
    if (grant === undefined) return;
    const { service } = run.modelled;
    assert.equal((await service.post('/logout', {}, bearer(grant))).status, 200);
    await revokeGrants(run, (one) => one === grant, 'the logout');
    assert.equal((await service.get('/user/profile', bearer(grant))).status, 401, 'an access token after the logout');
  },
});
