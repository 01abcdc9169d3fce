import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { type DeviceVault, memoryVault } from '../../devices/device-vault.ts';
import { memoryStorage, type Tokens } from '../../modes/tokens-mode.ts';
import {
  createChallengeResponse,
  createScriptedClientWith,
  LOGIN_SUCCESS,
  type ScriptedResponse,
} from '../../testing/scripted-service.ts';
import { requireStep } from '../../testing/test-client.ts';

const USER = 'ada@example.com';
const LOGIN = { username: USER, password: 'Correct-Horse1!' };
const OWNER = { userPoolId: 'local_pool', username: 'ada' };
const DEVICE = { deviceKey: 'local_key', deviceGroupKey: '-group', devicePassword: 'c2VjcmV0' };
const RECEIVED = { SRP_B: 'abcdef', SALT: 'aa', SECRET_BLOCK: 'YmxvY2s=' };
const UNAVAILABLE = [503, { code: 'unavailable' }] as const;
const REFUSED = [401, { code: 'invalid_credentials' }] as const;

const password = createChallengeResponse('PASSWORD_VERIFIER', 's1', { ...RECEIVED, USER_ID_FOR_SRP: 'ada' });
const asksDevice = createChallengeResponse('DEVICE_SRP_AUTH', 's2');
const asksSecret = createChallengeResponse('DEVICE_PASSWORD_VERIFIER', 's3', RECEIVED);
const offered = { ...LOGIN_SUCCESS, new_device_metadata: { device_key: 'new key', device_group_key: '-new' } };

/** Waits until everything that needs no further event has run. */
const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the device of a login', () => {
  let kept: DeviceVault;
  let log: string[];
  let fails: 'save' | 'forget' | 'write' | undefined;
  let tokens: Tokens | null;
  /** Every method is slow and may fail. */
  const devices: DeviceVault = {
    async find(owner) {
      log.push('find');
      await aTurn();
      return kept.find(owner);
    },
    async save(owner, device) {
      log.push('save');
      await aTurn();
      if (fails === 'save') throw new RangeError('mine');
      await kept.save(owner, device);
    },
    async forget(owner) {
      log.push('forget');
      await aTurn();
      if (fails === 'forget') throw new RangeError('mine');
      await kept.forget(owner);
    },
  };
  const storage = {
    read: async () => tokens,
    async write(next: Tokens | null) {
      await aTurn();
      if (fails === 'write') throw Object.assign(new RangeError('mine'), { code: 'invalid_credentials' });
      tokens = next;
    },
  };
  beforeEach(() => {
    kept = memoryVault();
    log = [];
    fails = undefined;
    tokens = null;
  });

  const service = (...answers: readonly ScriptedResponse[]) =>
    createScriptedClientWith({ devices, storage }, ...answers);
  const keysOf = (asked: readonly { readonly body: Readonly<Record<string, unknown>> }[]) =>
    asked.map(({ body }) => (body.challenge_value as { readonly DEVICE_KEY?: string } | undefined)?.DEVICE_KEY ?? null);

  it('is offered to be remembered if the user has none here, and stored after the service accepts it', async () => {
    const { client, requests: asked } = service(offered, {}, {});
    const done = requireStep('done', await client.login.withTriggers({ username: USER }));
    assert.deepEqual([done.username, log], ['ada', ['find']]);
    await done.rememberDevice?.();
    const { deviceKey, deviceGroupKey, devicePassword } = (await kept.find(OWNER)) ?? assert.fail();
    assert.deepEqual([deviceKey, deviceGroupKey, tokens?.deviceKey], ['new key', '-new', 'new key']);
    const [, made, marked] = asked;
    const { device_config: config, ...rest } = made?.body ?? {};
    assert.deepEqual([made?.method, made?.path, rest], ['POST', '/device', { device_key: 'new key' }]);
    const { DeviceSecretVerifierConfig: verifier } = JSON.parse(String(config));
    assert.deepEqual(Object.keys(verifier).toSorted(), ['PasswordVerifier', 'Salt']);
    assert.deepEqual(marked, { method: 'PUT', path: '/device/new%20key', body: { remembered_status: true } });
    assert.deepEqual([asked.length, log], [3, ['find', 'save']]);
    assert.ok(!JSON.stringify(asked).includes(devicePassword));
  });

  it('is not offered again if the user has one here, although a passwordless login names none', async () => {
    await kept.save(OWNER, DEVICE);
    const { client } = service(offered, LOGIN_SUCCESS);
    for (const _ of ['offered', 'not offered']) {
      assert.equal(requireStep('done', await client.login.withTriggers({ username: USER })).rememberDevice, null);
    }
    assert.deepEqual([await kept.find(OWNER), log], [DEVICE, ['find']]);
  });

  it('is not stored before the service has it, and a failure is reported', async () => {
    for (const [answers, failing, code, sent, known] of [
      [[UNAVAILABLE], undefined, { code: 'unavailable' }, 1, [undefined, false]],
      [[{}], 'write', { message: 'mine' }, 1, [undefined, false]],
      [[{}], 'save', { message: 'mine' }, 1, ['new key', false]],
      [[{}, UNAVAILABLE], undefined, { code: 'unavailable' }, 2, ['new key', true]],
    ] as const) {
      fails = undefined;
      kept = memoryVault();
      const { client, requests: asked } = service(offered, ...answers);
      const { rememberDevice } = requireStep('done', await client.login.withTriggers({ username: USER }));
      fails = failing;
      await assert.rejects(rememberDevice?.('Laptop') ?? assert.fail(), code);
      assert.equal(asked[1]?.body.device_name, 'Laptop');
      await aTurn();
      assert.equal(asked.length - 1, sent);
      assert.deepEqual([tokens?.deviceKey, (await kept.find(OWNER)) !== undefined], known);
    }
  });

  it('proves itself after the password and does not change', async () => {
    await kept.save(OWNER, DEVICE);
    const told: unknown[] = [];
    const { client, requests: asked } = service(password, asksDevice, asksSecret, LOGIN_SUCCESS);
    const onDevice = (step: unknown) => void told.push([step, asked.length]);
    const done = requireStep('done', await client.login.withPassword({ ...LOGIN, onDevice }));
    assert.deepEqual([done.rememberDevice, told], [null, [[{ kind: 'device', deviceKey: 'local_key' }, 2]]]);
    assert.deepEqual(keysOf(asked), [null, 'local_key', 'local_key', 'local_key']);
    assert.deepEqual(
      asked.map(({ body }) => [body.session, body.username]),
      [undefined, 's1', 's2', 's3'].map((session) => [session, USER]),
    );
    const [begun, claim, start, proof] = asked.map(({ body }) => Object.keys((body.challenge_value as object) ?? {}));
    const claimed = ['DEVICE_KEY', 'PASSWORD_CLAIM_SECRET_BLOCK', 'PASSWORD_CLAIM_SIGNATURE', 'TIMESTAMP'];
    assert.deepEqual([begun, start?.toSorted()], [[], ['DEVICE_KEY', 'SRP_A']]);
    assert.deepEqual([claim?.toSorted(), proof?.toSorted()], [claimed, claimed]);
    assert.deepEqual([await kept.find(OWNER), log], [DEVICE, ['find']]);
  });

  it('is forgotten if the service rejects its proof, and the login continues without it', async () => {
    for (const answers of [
      [password, asksDevice, REFUSED, password, LOGIN_SUCCESS],
      [password, asksDevice, asksSecret, REFUSED, password, LOGIN_SUCCESS],
    ]) {
      await kept.save(OWNER, DEVICE);
      log = [];
      const { client, requests: asked } = service(...answers);
      requireStep('done', await client.login.withPassword(LOGIN));
      assert.deepEqual([await kept.find(OWNER), log], [undefined, ['find', 'forget']]);
      assert.deepEqual(keysOf(asked).slice(-2), [null, null]);
      assert.deepEqual(
        asked.slice(-2).map(({ path }) => path),
        ['/login/srp', '/login/auth-challenge'],
      );
    }
  });

  it('is forgotten if the service offers a new one instead', async () => {
    await kept.save(OWNER, DEVICE);
    const { client } = service(password, offered);
    const done = requireStep('done', await client.login.withPassword(LOGIN));
    assert.equal(typeof done.rememberDevice, 'function');
    assert.equal(await kept.find(OWNER), undefined);
    const none = service(password, offered);
    log = [];
    assert.equal(typeof requireStep('done', await none.client.login.withPassword(LOGIN)).rememberDevice, 'function');
    assert.deepEqual(log, ['find', 'find'], 'what is not there is not forgotten');
  });

  it('is removed before the login continues, and a failure to remove it is reported', async () => {
    for (const answers of [
      [password, asksDevice, REFUSED, password, LOGIN_SUCCESS],
      [password, offered],
    ]) {
      await kept.save(OWNER, DEVICE);
      fails = 'forget';
      const { client, requests: asked } = service(...answers);
      await assert.rejects(client.login.withPassword(LOGIN), { name: 'RangeError', message: 'mine' });
      assert.equal(asked.filter(({ path }) => path === '/login/srp').length, 1);
    }
  });

  it('is kept after errors that do not concern it', async () => {
    await kept.save(OWNER, DEVICE);
    const busy = service(password, asksDevice, UNAVAILABLE);
    const again = requireStep('password', await busy.client.login.withPassword(LOGIN));
    assert.equal(again.error?.code, 'unavailable');
    fails = 'write';
    const faulty = service(password, asksDevice, asksSecret, LOGIN_SUCCESS);
    await assert.rejects(faulty.client.login.withPassword(LOGIN), { name: 'RangeError', message: 'mine' });
    assert.deepEqual([await kept.find(OWNER), log], [DEVICE, ['find', 'find']]);
  });

  it('is never requested by a service that was told of none', async () => {
    for (const asks of [asksDevice, asksSecret]) {
      const { client, requests: asked } = createScriptedClientWith(
        { devices: memoryVault(), storage: memoryStorage() },
        asks,
      );
      const refused = requireStep('refused', await client.login.withPassword(LOGIN));
      assert.deepEqual([refused.error.code, refused.username, asked.length], ['unexpected_answer', USER, 1]);
    }
  });
});
